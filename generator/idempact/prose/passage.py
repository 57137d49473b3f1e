"""A paragraph as its reader sees it, and where each of its characters stands in the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from idempact.text.dataclass import dataclass, field

OPAQUE = "\x1a"
"""Stands for what is not prose: a code span, an address. It is no letter, so no phrase reaches across it.

SUBSTITUTE of ASCII (ECMA-48, 8.3.148), so that English text with code in it stays ASCII, which is searched faster.
"""

STOP = "\u3002"
"""Stands for what ends a sentence without a mark of its own: the end of an element, a line's end in a table's cell.

The one full stop that ends a sentence in every of our languages, whatever stands behind it.
"""


@dataclass(frozen=True, slots=True)
class Passage:
    """The prose of one block.

    Piece *n* of ``text`` begins at ``at[n]`` and comes from ``source[n]``; its characters stand one to one, unless
    ``width[n]`` says that the piece is one character that takes that many in the source.
    """

    text: str
    at: Sequence[int]
    source: Sequence[int]
    width: Sequence[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that holds the characters from *start* to *end* (exclusive, at least one)."""
        return self._edge(start)[0], self._edge(end - 1)[1]

    def _edge(self, offset: int) -> tuple[int, int]:
        n = bisect_right(self.at, offset) - 1
        if self.width[n]:
            return self.source[n], self.source[n] + self.width[n]
        place = self.source[n] + offset - self.at[n]
        return place, place + 1


@dataclass(slots=True)
class Builder:
    """Collects the pieces of a passage."""

    parts: list[str] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    width: list[int] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, source: int, width: int = 0) -> None:
        """Add *text* that stands at *source*; with *width*, one character that stands for that many there."""
        if text:
            self.parts.append(text)
            self.at.append(self.length)
            self.source.append(source)
            self.width.append(width)
            self.length += len(text)

    def passage(self) -> Passage:
        """What was collected."""
        return Passage("".join(self.parts), self.at, self.source, self.width)
