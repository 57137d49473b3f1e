"""A stretch of a file, and the file's text that it is counted in."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file; lines and columns count characters from 1, the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Document:
    """One file's decoded text under the name that findings give it. Offsets count characters from 0."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins, the first behind a byte-order mark; LF, CRLF and CR end a line."""
        first = 1 if self.text.startswith("\ufeff") else 0
        return (first, *(match.end() for match in _LINE_BREAK.finditer(self.text)))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1) of the character at *offset*."""
        offset = min(max(offset, self.line_starts[0]), len(self.text))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def span(self, start: int, end: int | None = None) -> Span:
        """The span from *start* to *end* (exclusive); without *end*, the empty stretch at *start*."""
        line, column = self.place(start)
        end_line, end_column = self.place(start if end is None else max(start, end))
        return Span(self.path, line, column, end_line, end_column)

    def line(self, number: int) -> str:
        """The text of line *number* (from 1) without its line break; empty beyond the file."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        match = _LINE_BREAK.search(self.text, start)
        return self.text[start : match.start() if match else len(self.text)]
