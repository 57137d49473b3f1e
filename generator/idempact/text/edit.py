"""Splices: text put into a text, and the proof that nothing else moved."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Insertion:
    """*text* to be put in at *offset* (characters from 0) of the original."""

    offset: int
    text: str


def insert(text: str, insertions: Iterable[Insertion]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text with all *insertions* made, and the range that each takes in the result.

    Insertions at one offset keep their order. Raises ValueError for an offset outside the text.
    """
    out: list[str] = []
    ranges: list[tuple[int, int]] = []
    at = length = 0
    for insertion in sorted(insertions, key=lambda i: i.offset):
        if not 0 <= insertion.offset <= len(text):
            raise ValueError(f"insertion at {insertion.offset} lies outside a text of {len(text)} characters")
        out.append(text[at : insertion.offset])
        length += insertion.offset - at
        ranges.append((length, length + len(insertion.text)))
        out.append(insertion.text)
        length += len(insertion.text)
        at = insertion.offset
    out.append(text[at:])
    return "".join(out), tuple(ranges)


def remove(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """The text without the *ranges*, which may touch but not overlap. Inverts :func:`insert`."""
    out: list[str] = []
    at = 0
    for start, end in sorted(ranges):
        if start < at or end < start or end > len(text):
            raise ValueError(f"range {start}-{end} overlaps another or lies outside the text")
        out.append(text[at:start])
        at = end
    out.append(text[at:])
    return "".join(out)
