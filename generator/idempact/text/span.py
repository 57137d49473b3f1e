"""A stretch of a file, and the file's text that it is counted in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex

_LINE_BREAK = regex(r"\r\n|\r|\n")
STRETCH = 2048
"""The characters of a stretch: long enough that a contract has few, short enough that one is read in no time."""


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
    """One file's decoded text under the name that findings give it. Offsets count characters from 0.

    Lines end with LF, CRLF or CR. A long text's are only counted, and looked up in the stretches that are asked for.
    """

    path: str
    text: str

    @cached_property
    def _bounds(self) -> tuple[int, ...]:
        """Where each stretch of the text ends; the last one with the text, none within a CRLF."""
        bounds = list(range(STRETCH, len(self.text), STRETCH))
        if self._single:
            bounds = [end + (self.text[end - 1 : end + 1] == "\r\n") for end in bounds]
        return (*bounds, len(self.text))

    @cached_property
    def _counts(self) -> list[int]:
        """How many line breaks stand before the beginning of each stretch, as far as they have been counted."""
        return [0]

    @cached_property
    def _single(self) -> bool:
        return "\r" in self.text

    def _count_next(self) -> None:
        """Count the line breaks of the first stretch that hasn't been counted."""
        counts, text, stretch = self._counts, self.text, len(self._counts) - 1
        start, end = self._bounds[stretch - 1] if stretch else 0, self._bounds[stretch]
        breaks = text.count("\n", start, end)
        if self._single:
            breaks += text.count("\r", start, end) - text.count("\r\n", start, end)
        counts.append(counts[-1] + breaks)

    def _before(self, stretch: int) -> int:
        """How many line breaks stand before a stretch."""
        while len(self._counts) <= stretch:
            self._count_next()
        return self._counts[stretch]

    @cached_property
    def _known(self) -> dict[int, tuple[int, ...]]:
        return {}

    def _starts(self, stretch: int) -> tuple[int, ...]:
        """The offsets behind each line break of a stretch."""
        known = self._known.get(stretch)
        if known is None:
            begin = self._bounds[stretch - 1] if stretch else 0
            breaks = _LINE_BREAK.finditer(self.text, begin, self._bounds[stretch])
            known = self._known[stretch] = tuple([found.end() for found in breaks])
        return known

    @property
    def lines(self) -> int:
        """How many lines there are, an empty one behind a last line break included."""
        return self._before(len(self._bounds)) + 1

    def _reaches(self, line: int) -> bool:
        """Whether there is a line of that number; what stands behind it isn't counted."""
        while self._counts[-1] < line - 1 and len(self._counts) <= len(self._bounds):
            self._count_next()
        return self._counts[-1] >= line - 1

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a place; of the beginning of a line (from 1, up to ``lines``), which lies behind a byte-order
        mark.
        """
        if line == 1:
            return column - 1 + self.text.startswith("\ufeff")
        self._reaches(line)
        stretch = bisect_left(self._counts, line - 1) - 1
        return self._starts(stretch)[line - 2 - self._counts[stretch]] + column - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1) of the character at *offset*."""
        offset = min(max(offset, self.offset(1)), len(self.text))
        stretch = min(bisect_right(self._bounds, offset), len(self._bounds) - 1)
        starts = self._starts(stretch)
        before = bisect_right(starts, offset)
        line = self._before(stretch) + before + 1
        return line, offset - (starts[before - 1] if before else self.offset(line)) + 1

    def span(self, start: int, end: int | None = None) -> Span:
        """The span from *start* to *end* (exclusive); without *end*, the empty stretch at *start*."""
        line, column = self.place(start)
        end_line, end_column = self.place(start if end is None else max(start, end))
        return Span(self.path, line, column, end_line, end_column)

    def line(self, number: int) -> str:
        """The text of line *number* (from 1) without its line break; empty beyond the file."""
        if number < 1 or not self._reaches(number):
            return ""
        start = self.offset(number)
        match = _LINE_BREAK.search(self.text, start)
        return self.text[start : match.start() if match else len(self.text)]
