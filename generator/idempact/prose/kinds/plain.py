"""Plain text: paragraphs parted by blank lines."""

from __future__ import annotations

from idempact.prose.blocks import Outline, Scope
from idempact.prose.lines import block, lines_of, paragraphs

SUFFIXES = (".txt", ".text")


def outline(text: str, name: str) -> Outline:
    """The paragraphs; addresses and what stands between backticks are no prose."""
    return Outline(tuple(block(Scope.TEXT, lines) for lines in paragraphs(lines_of(text))), ())
