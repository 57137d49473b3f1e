"""The events of a YAML text as plain marks: what the proof of an edit compares, and where block scalars truly end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from idempact.text.span import Document
from idempact.text.yaml_nodes import events

_OPENING = ("MappingStart", "SequenceStart")


@dataclass(frozen=True, slots=True)
class Mark:
    """One event: its kind, where it lies, and for a scalar, alias or collection everything that gives it meaning."""

    kind: str
    start: int
    end: int
    meaning: tuple[object, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether a collection begins here."""
        return self.kind in _OPENING

    @property
    def closes(self) -> bool:
        """Whether a collection ends here."""
        return self.kind in ("MappingEnd", "SequenceEnd")

    @property
    def opens_block(self) -> bool:
        """Whether a block collection begins here: its place is that of its first key or dash, whichever that is."""
        return self.opens and not self.meaning[-2]

    @property
    def empty(self) -> bool:
        """Whether this is a value with no text of its own, whose place may be that of another token."""
        return self.kind == "Scalar" and self.start == self.end


def marks(document: Document) -> tuple[Mark, ...]:
    """The events of *document* in order; offsets count characters, a byte-order mark included.

    For a text that :func:`idempact.text.nodes.compose` has read; raises the reader's own error for any other.
    """
    shift = 1 if document.text.startswith("\ufeff") else 0
    found: list[Mark] = []
    for event in events(document):
        kind = type(event).__name__.removesuffix("Event")
        meaning = tuple(getattr(event, name, None) for name in _MEANING)
        start, end = event.start_mark, event.end_mark
        if start is not None and end is not None:
            found.append(Mark(kind, start.index + shift, end.index + shift, meaning))
    return tuple(found)


def true_ends(text: str, found: tuple[Mark, ...]) -> dict[int, int]:
    """Block scalars after whose last text nothing may be put at once: that place, and where they truly end.

    These keep the blank lines behind them (``+``, or lines of blanks that a literal one may count), or end the file
    without a line break, which clipping would add to them.
    """
    ends: dict[int, int] = {}
    for mark in found:
        if mark.kind != "Scalar" or mark.meaning[-1] not in _BLOCK_STYLES:
            continue
        written = text[mark.start : mark.end]
        header = _HEADER.search(written)
        chomping = header.group() if header else ""
        last = max(mark.start + 1, mark.start + len(written.rstrip()))
        unended = mark.end >= len(text) and text[-1:] not in ("\r", "\n") and "-" not in chomping
        if "+" in chomping or text[last : mark.end].strip("\r\n") or unended:
            ends[last] = mark.end
    return ends


_BLOCK_STYLES = ("|", ">")
_MEANING = ("anchor", "tag", "implicit", "value", "flow_style", "style")
_HEADER = re.compile(r"[|>][0-9+-]*")
