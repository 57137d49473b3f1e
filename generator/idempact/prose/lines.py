"""Plain lines gathered into blocks: what the kinds of text that have no inline markup of their own share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from idempact.prose.blocks import Block, Scope
from idempact.prose.inline import passage

LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")

Line = tuple[int, str]
"""A line's place in the file, and its text without the line break."""


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text; a byte-order mark is none of the first one's characters."""
    for found in LINE.finditer(text, text.startswith("\ufeff")):
        if found.start() < len(text):
            yield found.start(1), found.group(1)


def stripped(line: Line) -> Line:
    """The line without the space around it."""
    place, text = line
    body = text.lstrip(" \t\ufeff")
    return place + len(text) - len(body), body.rstrip()


def block(scope: Scope, lines: Iterable[Line]) -> Block:
    """One block of the lines, of which there must be one at least."""
    held = tuple(lines)
    last_place, last = held[-1]
    return Block(scope, passage(held)[0], held[0][0], last_place + len(last), held)


def paragraphs(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    """The lines in groups, parted by blank ones; each without the space around it."""
    held: list[Line] = []
    for line in map(stripped, lines):
        if line[1]:
            held.append(line)
        elif held:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)
