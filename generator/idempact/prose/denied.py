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
            return self._in_row(block, place)
        if block.scope is not Scope.TEXT or not self._is_item(block):
            return False
        return self._under_heading(block) or self._after_colon(block)

    def _in_row(self, block: Block, place: int) -> bool:
        column = _column(block.passage.text, place)
        first = _cells(block.passage.text)[0]
        if column > 0 and disclaims(first):
            return True
        heads = _cells(block.head.passage.text) if block.head is not None else ()
        if any(map(disclaims, heads)):
            return column < len(heads) and disclaims(heads[column])
        return column == 0 and self._under_heading(block)

    def _is_item(self, block: Block) -> bool:
        line = max(self.text.rfind("\n", 0, block.start), self.text.rfind("\r", 0, block.start)) + 1
        if _BULLET.match(self.text[max(line, block.start - _BEFORE) : block.start]):
            return True
        return bool(_LI.search(self.text, max(block.start - _BEFORE, 0), block.start))

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return markdown(self.text).blocks if self.outline.partial else self.outline.blocks

    def _under_heading(self, block: Block) -> bool:
        """Whether the nearest heading above, or one that it stands under, denies."""
        lowest = 7
        for other in reversed(self._blocks[: self._index(block)]):
            if other.scope is Scope.HEADING and (level := level_of(self.text, other.start)) < lowest:
                lowest = level
                if disclaims(other.with_code().text):
                    return True
                if level == 1:
                    return False
        return False

    def _after_colon(self, block: Block) -> bool:
        """Whether the sentence that leads in the list denies it: "We don't promise:"."""
        for other in reversed(self._blocks[: self._index(block)]):
            if other.scope is not Scope.TEXT:
                return False
            if not self._is_item(other):
                found = _LAST_SENTENCE.search(other.passage.text)
                return found is not None and disclaims(found.group(1))
        return False

    def _index(self, block: Block) -> int:
        return bisect_left(self._blocks, block.start, key=lambda one: one.start)


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
