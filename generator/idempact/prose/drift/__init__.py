"""Drift: hand-written prose that names another value than the contract. One module per rule, found by a scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from idempact.prose.modules import rule_modules
from idempact.prose.statement import Disagreement, Statement
from idempact.resources.typed import cast
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DriftRule:
    """A rule: ``find`` gives what disagrees in a statement. The cases are told of contract/contract.yaml."""

    id: str
    text: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    find: Callable[[Statement], Iterator[Disagreement]]


@cache
def drift_rules() -> tuple[DriftRule, ...]:
    """Every drift rule, sorted by id. Raises TypeError for a module that isn't whole."""
    found = rule_modules(__name__, __path__, "prose/drift-", "find")
    return tuple(
        DriftRule(m.id, m.text, m.passes, m.fails, cast("Callable[[Statement], Iterator[Disagreement]]", m.call))
        for m in found
    )
