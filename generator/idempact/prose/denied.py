"""What a text denies by where it stands: under a column's head, beside a row's, or in a list under such a heading."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from idempact.prose.blocks import Block, Outline, Scope, markdown
from idempact.text.dataclass import dataclass
from idempact.wording.disclaimer import disclaims

_BULLET = re.compile(r"[ \t>]*(?:[-+\u2022]|\*{1,5}|\.{1,5}|(?:[0-9]{1,9}|#)[.)])[ \t]+\Z")
_LI = re.compile(r"<li(?:\s[^<>]{0,300})?>\s{0,80}(?:<[a-z]{1,10}(?:\s[^<>]{0,100})?>\s{0,20}){0,3}\Z", re.IGNORECASE)
_LEVEL = re.compile(r"<h([1-6])[\s>]", re.IGNORECASE)
_BEFORE = 400
_LAST_SENTENCE = re.compile(r"(?:\A|[.!?。！？]\s{0,2})([^.!?。！？]{1,300}[:：])\s*\Z")


@dataclass(frozen=True)
class Denials:
    """Which stretches of the blocks of a *text* are denied by a head; ``outline`` may hold only some of the blocks."""

    text: str
    outline: Outline

    def denies(self, block: Block, place: int) -> bool:
        """Whether what stands at *place* of the block's passage is denied by a head above it or beside it."""
        if block.scope is Scope.TABLE_ROW:
            columns = self._columns(block)
            return columns[min(_column(block.passage.text, place), len(columns) - 1)]
        return block.scope is Scope.TEXT and self._is_item(block) and self._under(block)

    def _columns(self, block: Block) -> tuple[bool, ...]:
        """For each column of a row whether what stands in it is denied, and last for any beyond them."""
        known = self._rows.get(block.start)
        if known is None:
            known = self._rows[block.start] = self._judged(block)
        return known

    @cached_property
    def _rows(self) -> dict[int, tuple[bool, ...]]:
        return {}

    def _judged(self, block: Block) -> tuple[bool, ...]:
        cells = _cells(block.passage.text)
        beside = disclaims(cells[0])
        heads = [disclaims(head) for head in _cells(block.head.passage.text)] if block.head is not None else []
        if any(heads):
            above = [*heads, *[False] * (len(cells) - len(heads)), False]
        else:
            above = [self._under(block), *[False] * len(cells)]
        return tuple(one or (n > 0 and beside) for n, one in enumerate(above))

    def _is_item(self, block: Block) -> bool:
        line = max(self.text.rfind("\n", 0, block.start), self.text.rfind("\r", 0, block.start)) + 1
        if _BULLET.match(self.text[max(line, block.start - _BEFORE) : block.start]):
            return True
        return bool(_LI.search(self.text, max(block.start - _BEFORE, 0), block.start))

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return markdown(self.text).blocks if self.outline.partial else self.outline.blocks

    @cached_property
    def _denied(self) -> tuple[bool, ...]:
        """For each block whether a heading above it denies it, or, of an item, the sentence that leads in its list.

        In one pass over the blocks, for a text of findings alone.
        """
        out: list[bool] = []
        headings: list[tuple[int, bool]] = [(0, False)]
        led = False
        for block in self._blocks:
            if block.scope is Scope.TEXT and not self._is_item(block):
                found = _LAST_SENTENCE.search(block.passage.text)
                led = found is not None and disclaims(found.group(1))
            elif block.scope is not Scope.TEXT:
                led = False
            out.append(headings[-1][1] or led)
            if block.scope is Scope.HEADING:
                level = level_of(self.text, block.start)
                while headings[-1][0] >= level:
                    headings.pop()
                headings.append((level, headings[-1][1] or disclaims(block.with_code().text)))
        return tuple(out)

    def _under(self, block: Block) -> bool:
        at = bisect_left(self._blocks, block.start, key=lambda one: one.start)
        return at < len(self._denied) and self._denied[at]


def level_of(text: str, place: int) -> int:
    """The level of the heading whose words begin at *place*: by its element or number signs; one where it has none."""
    before = text[max(place - _BEFORE, 0) : place]
    mark = before[-8:].rstrip(" \t")
    signs = len(mark) - len(mark.rstrip("#="))
    elements = _LEVEL.findall(before) if not signs else ()
    return signs or int(elements[-1] if elements else 1)


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|"))


def _column(row: str, place: int) -> int:
    begin = len(row) - len(row.lstrip())
    return row.count("|", 0, place) - row.startswith("|", begin)
