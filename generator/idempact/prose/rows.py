"""A table's row read as its reader does: each cell under the head of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from idempact.prose.blocks import Block, Scope
from idempact.prose.inline import copied
from idempact.prose.passage import Builder, Passage
from idempact.text.dataclass import dataclass
from idempact.wording.fold import fold
from idempact.wording.measure import measures

# A head of one word, as "Key", names the cells and says nothing of them.
_SAYS = re.compile(r"\S+ \S+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{3}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as a sentence that its head begins; what stands before ``begin`` is the head's."""

    passage: Passage
    begin: int


def cells(block: Block, row: Passage) -> Iterator[Cell]:
    """The cells of a table's *row* behind heads that say something, with the words of code in both."""
    if block.scope is not Scope.TABLE_ROW or block.head is None:
        return
    heads = [cell.strip() for cell in _inner(block.head.with_code().text).split("|")]
    column = -1 if row.text.startswith("|") else 0
    for found in re.finditer(r"\||[^|]+", row.text):
        if found.group() == "|":
            column += 1
        elif 0 <= column < len(heads) and found.group().strip() and _introduces(heads[column]):
            out = Builder()
            head = f"{heads[column]}: "
            out.add(head, row.origin(found.start(), found.start() + 1)[0], 1)
            copied(out, row, *found.span())
            yield Cell(out.passage(), len(head))


@lru_cache(1024)
def _introduces(head: str) -> bool:
    """Whether a head says what its cells hold; where it says when they hold, cells have conditions of their own."""
    if not _SAYS.search(head):
        return False
    folded = fold(head).text
    return not any(words.search(folded) for tongue in measures() for words in tongue.outcomes.values())


def _inner(row: str) -> str:
    return row.strip().removeprefix("|").removesuffix("|")
