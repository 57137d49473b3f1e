"""Heads under which a text tells what is not so: "What we don't promise", "Myths", "Not guaranteed"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.text.nodes import load, plain
from idempact.wording.fold import fold
from idempact.wording.phrasebook import Incomplete, compiled

_HERE = Path(__file__).parent / "disclaimers"
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Disclaimer:
    """How one language heads what is not so, with heads that do and heads that don't."""

    heads: re.Pattern[str]
    disclaims: tuple[str, ...]
    claims: tuple[str, ...]


def disclaims(head: str) -> bool:
    """Whether what stands under *head*, a heading or the head of a column, is denied by it, in any of our languages."""
    folded = fold(head[:_LONGEST]).text.strip()
    return bool(folded) and any(one.heads.search(folded) for one in disclaimers().values())


@cache
def disclaimers() -> Mapping[str, Disclaimer]:
    """Every language's heads, by language. Raises Incomplete for a file that isn't whole."""
    return {path.stem: _read(path) for path in sorted(_HERE.glob("*.yml"))}


def _read(path: Path) -> Disclaimer:
    checked = load(path, path.name)
    fields = plain(checked.value.root) if checked.value is not None else None
    lists = {}
    for name in ("heads", "disclaims", "claims"):
        texts = fields.get(name) if isinstance(fields, dict) else None
        if not isinstance(texts, list) or not texts:
            raise Incomplete(f"{path.name}: {name} wants a list")
        lists[name] = tuple(str(text) for text in texts)
    return Disclaimer(compiled(path.name, lists["heads"]), lists["disclaims"], lists["claims"])
