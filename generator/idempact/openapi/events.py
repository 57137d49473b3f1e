"""The events of a YAML text as plain marks: what the proof of an edit compares, and where block scalars truly end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from idempact.text.span import Document
from idempact.text.yaml_nodes import events

_STARTS = ("MappingStart", "SequenceStart")
_MEANINGS = {
    "ScalarEvent": ("Scalar", attrgetter("anchor", "tag", "implicit", "value", "style")),
    "AliasEvent": ("Alias", attrgetter("anchor", "anchor")),
    "MappingStartEvent": ("MappingStart", attrgetter("anchor", "tag", "implicit", "flow_style")),
    "SequenceStartEvent": ("SequenceStart", attrgetter("anchor", "tag", "implicit", "flow_style")),
}


class Mark(NamedTuple):
    """One event: its kind, where it lies, and for a scalar, alias or collection everything that gives it meaning."""

    kind: str
    start: int
    end: int
    meaning: tuple[object, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether a collection begins here."""
        return self.kind in _STARTS

    @property
    def closes(self) -> bool:
        """Whether a collection ends here."""
        return self.kind in ("MappingEnd", "SequenceEnd")

    @property
    def opens_block(self) -> bool:
        """Whether a block collection begins here: its place is that of its first key or dash, whichever that is."""
        return self.opens and not self.meaning[-1]

    @property
    def empty(self) -> bool:
        """Whether this is a value with no text of its own, whose place may be that of another token."""
        return self.kind == "Scalar" and self.start == self.end


def marks(document: Document) -> Iterator[Mark]:
    """The events of *document* in order; offsets count characters, a byte-order mark included.

    For a text that :func:`idempact.text.nodes.compose` has read; raises the reader's own error for any other.
    """
    shift = 1 if document.text.startswith("\ufeff") else 0
    for event in events(document):
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            continue
        name = type(event).__name__
        known = _MEANINGS.get(name)
        if known is None:
            yield Mark(name.removesuffix("Event"), start.index + shift, end.index + shift)
        else:
            yield Mark(known[0], start.index + shift, end.index + shift, known[1](event))


def true_ends(text: str, found: Iterable[Mark]) -> dict[int, int]:
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
_HEADER = re.compile(r"[|>][0-9+-]*")
