"""Where the block scalars of a YAML text truly end, by its events."""

from __future__ import annotations

import re
from collections.abc import Iterable

from idempact.text.nodes import Mark


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
