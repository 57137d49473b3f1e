"""A stretch of code in a document, and what may be wrong with it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from idempact.text.dataclass import dataclass

_NAMES = {
    "py": "python",
    "python3": "python",
    "pycon": "",
    "ts": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "node": "javascript",
    "golang": "go",
    "rb": "ruby",
    "sh": "shell",
    "bash": "shell",
    "zsh": "shell",
    "console": "shell",
    "psql": "sql",
    "postgresql": "sql",
    "mysql": "sql",
    "kt": "java",
    "kotlin": "java",
    "cs": "java",
    "csharp": "java",
}


@dataclass(frozen=True)
class Code:
    """Code as its reader sees it, line by line with the place of each line in the document.

    ``language`` is lower case, one name for each family that is judged alike.
    """

    language: str
    lines: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, name: str, lines: tuple[tuple[int, str], ...]) -> Code:
        """The code in the language that a fence or a suffix calls *name*."""
        lower = name.lower()
        return cls(_NAMES.get(lower, lower), lines)

    @property
    def start(self) -> int:
        """Where the code begins in the document."""
        return self.lines[0][0] if self.lines else 0

    @property
    def end(self) -> int:
        """Where the code ends in the document."""
        return self.lines[-1][0] + len(self.lines[-1][1]) if self.lines else 0

    @cached_property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(line for _, line in self.lines)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(self._running())

    def _running(self) -> Iterator[int]:
        at = 0
        for _, line in self.lines:
            yield at
            at += len(line) + 1

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the document that holds the text from *start* to *end* (exclusive, at least one character)."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, offset: int) -> int:
        n = bisect_right(self._starts, offset) - 1
        return self.lines[n][0] + offset - self._starts[n]

    def offset(self, line: int, column: int) -> int:
        """The offset in the text of the character at *line* (from 1) and *column* (from 0)."""
        return self._starts[min(line - 1, len(self._starts) - 1)] + column


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong from ``start`` to ``end`` of the code's text."""

    start: int
    end: int
    message: str
