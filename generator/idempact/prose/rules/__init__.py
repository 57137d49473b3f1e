"""Prose rules that need more than a phrase: one module each, found by a scan of this folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from idempact.prose.modules import rule_modules
from idempact.prose.suppress import Suppression
from idempact.resources.typed import cast
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CheckedRule:
    """A rule about allowances; ``fault`` says what is wrong with one, given the ids of all rules, or nothing."""

    id: str
    text: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    fault: Callable[[Suppression, frozenset[str]], str]


@cache
def checked_rules() -> tuple[CheckedRule, ...]:
    """Every rule module here, sorted by id. Raises TypeError for one that isn't whole."""
    found = rule_modules(__name__, __path__, "prose/", "fault")
    return tuple(
        CheckedRule(m.id, m.text, m.passes, m.fails, cast("Callable[[Suppression, frozenset[str]], str]", m.call))
        for m in found
    )
