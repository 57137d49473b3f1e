"""The outline of a long file, found in a process of its own while it isn't known yet what is wanted of the file."""

from __future__ import annotations

import gc
import marshal
import os

from idempact.openapi.beside import Beside, forked, may_fork
from idempact.openapi.locate import keep
from idempact.openapi.outline import Cuts, Outline, cuts_of, outlined
from idempact.text.span import Document

LONG = 2_000_000
"""From how many characters on a process of its own pays."""
_PIPE = 1 << 20


class Ahead:
    """What a process of its own finds out about *document*: its outline with what :func:`keep` wants, but for
    parameters that can be no key, then whether what that leaves out is sound. Nothing is begun for a short file, or
    where the system has no room for a process.

    To be used in a ``with``, which ends the process.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._child: int | None = None
        self._reading = -1
        if len(document.text) > LONG and may_fork():
            self._begin()

    def _begin(self) -> None:
        reading, writing = os.pipe()
        _widen(writing)

        def work() -> bool:
            gc.disable()
            os.close(reading)
            found = cuts_of(self.document, keep, parameters=True)
            with os.fdopen(writing, "wb") as pipe:
                marshal.dump(found, pipe)
            return found is not None and outlined(self.document, found).sound()

        self._child = forked(work)
        os.close(writing)
        self._reading = reading

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reading >= 0:
            os.close(self._reading)
            self._reading = -1
        if self._child is not None:
            with Beside(lambda: False, child=self._child):
                self._child = None

    @property
    def begun(self) -> bool:
        """Whether a process is at work, whose results nobody has taken yet."""
        return self._child is not None

    def taken(self) -> tuple[Outline | None, Beside] | None:
        """The outline, none where the file has none, and the check of what it leaves out; none where the process didn't
        say. To be asked once.
        """
        child, self._child = self._child, None
        assert child is not None, "only what was begun can be taken"
        with os.fdopen(self._reading, "rb") as pipe:
            self._reading = -1
            told = pipe.read()
        try:
            found: Cuts | None = marshal.loads(told)
        except (EOFError, ValueError, TypeError):
            with Beside(lambda: False, child=child):
                return None
        short = outlined(self.document, found) if found is not None else None
        return short, Beside(short.sound if short is not None else lambda: False, child=child)


def _widen(pipe: int) -> None:
    """Let a pipe hold what is written before anybody reads it, as far as the system does that."""
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
    except (ImportError, AttributeError, OSError):
        # It holds less, and the process waits for its reader.
        pass
