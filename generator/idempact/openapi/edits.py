"""Edits of a text: what is put in and what is put in another's place, and the way back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Diagnostic
from idempact.text.span import Document, Span

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """*text* in place of what stands from *start* to *end* (characters from 0); an insertion where these are equal."""

    start: int
    end: int
    text: str

    @property
    def inserts(self) -> bool:
        """Whether nothing is replaced."""
        return self.start == self.end


def apply(text: str, edits: Iterable[Edit]) -> tuple[str, Ranges]:
    """The text with all *edits* made, and the range that each takes in the result, in order of place.

    Insertions at one offset keep their order. Raises ValueError where edits overlap or lie outside the text.
    """
    out: list[str] = []
    ranges: list[tuple[int, int]] = []
    at = length = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not at <= edit.start <= edit.end <= len(text):
            raise ValueError(f"an edit at {edit.start} overlaps another or lies outside the text")
        out += (text[at : edit.start], edit.text)
        length += edit.start - at
        ranges.append((length, length + len(edit.text)))
        length += len(edit.text)
        at = edit.end
    out.append(text[at:])
    return "".join(out), tuple(ranges)


def undo(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits of the result of ``apply(text, edits)`` that give *text* back."""
    shift = 0
    back: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = edit.start + shift
        back.append(Edit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return tuple(back)


def relocated(
    diagnostics: Iterable[Diagnostic], there: Document, here: Document, edits: Iterable[Edit]
) -> tuple[Diagnostic, ...]:
    """Findings about *there* as findings about *here*, which *edits* make of it."""
    changes = sorted(edits, key=lambda e: (e.start, e.end))
    return moved(diagnostics, there, here, [(edit.start, edit.end, len(edit.text)) for edit in changes])


Change = tuple[int, int, int]
"""An edit without its text: from where to where something is replaced, and how long what comes instead is."""


def moved(
    diagnostics: Iterable[Diagnostic], there: Document, here: Document, changes: Sequence[Change]
) -> tuple[Diagnostic, ...]:
    """The same for *changes* in order of place."""
    offsets = [end for _, end, _ in changes]
    shifts = [0, *accumulate(length - (end - start) for start, end, length in changes)]

    def away(line: int, column: int, *, end: bool = False) -> int:
        offset = there.offset(min(line, there.lines), column)
        before = bisect_right(offsets, offset)
        # What is put in where a stretch ends stands behind it.
        while end and before and changes[before - 1][0] == offset == offsets[before - 1]:
            before -= 1
        return offset + shifts[before]

    def place(span: Span) -> Span:
        if span.path != there.path:
            return span
        return here.span(away(span.line, span.column), away(span.end_line, span.end_column, end=True))

    return tuple(
        replace(
            finding,
            span=place(finding.span) if finding.span else None,
            related=tuple(replace(one, span=place(one.span)) for one in finding.related),
        )
        for finding in diagnostics
    )
