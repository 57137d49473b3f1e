"""The paths of shipped files at a fraction of pathlib's price, which loads ``urllib`` and ``ipaddress`` as well.

To a type checker :class:`Path` *is* the standard library's, so it must behave as that does; the tests compare the two.
It has what the wording asks of its own files, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

__all__ = ["Path"]


class _Path(str):
    """The path of a file or folder, with the members of ``pathlib.Path`` that are asked for here."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The last part."""
        return os.path.basename(self)

    @property
    def stem(self) -> str:
        """The last part without its ending."""
        return os.path.splitext(self.name)[0]

    @property
    def parent(self) -> _Path:
        """The folder that holds it."""
        return _Path(os.path.dirname(self))

    def __truediv__(self, name: str) -> _Path:
        return _Path(os.path.join(self, name))

    def __repr__(self) -> str:
        return f"Path({str(self)!r})"

    def glob(self, pattern: str) -> Iterator[_Path]:
        """The files of this folder with one ending, ``*.yml`` for example; none where there is no such folder."""
        ending = pattern.removeprefix("*")
        try:
            names = os.listdir(self)
        except OSError:
            return iter(())
        return (self / name for name in names if name.endswith(ending))

    def is_file(self) -> bool:
        """Whether a file is there."""
        return os.path.isfile(self)

    def read_bytes(self) -> bytes:
        """What the file holds. Raises OSError where it can't be read."""
        with open(self, "rb") as file:
            return file.read()

    def read_text(self, encoding: str) -> str:
        """The file's text. Raises OSError where it can't be read."""
        with open(self, encoding=encoding) as file:
            return file.read()


TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
else:
    Path = _Path
