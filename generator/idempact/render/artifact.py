"""One file to be written: its path below the output folder, and what it holds."""

from __future__ import annotations

from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Artifact:
    """A file that a target makes; ``path`` is relative, with forward slashes.

    ``data`` is what a file holds that is no text (a picture); ``text`` is empty then.
    """

    path: str
    text: str
    data: bytes = b""

    @property
    def content(self) -> bytes:
        """The file's bytes: the data, or else the text as UTF-8."""
        return self.data or self.text.encode()
