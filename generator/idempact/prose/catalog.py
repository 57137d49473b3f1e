"""Every prose rule with what it says, why, what to do instead, and its cases."""

from __future__ import annotations

from functools import cache

from idempact.prose.code import CodeRule, code_rules
from idempact.prose.drift import DriftRule, drift_rules
from idempact.prose.rules import CheckedRule, checked_rules
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Severity
from idempact.wording.phrasebook import Phrase, phrase_files, phrases, rule_id


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is listed and explained; ``passes`` and ``fails`` are Markdown texts."""

    id: str
    severity: Severity
    what: str
    why: str
    instead: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of the family, sorted by id. Raises TypeError where two share an id."""
    rules = sorted((*map(_of_phrase, phrases()), *map(of_module, _modules())), key=lambda rule: rule.id)
    if len({rule.id for rule in rules}) != len(rules):
        raise TypeError("two prose rules share an id")
    return tuple(rules)


@cache
def rule_ids() -> frozenset[str]:
    """The ids of all rules; no phrase is read for it."""
    return frozenset((*map(rule_id, phrase_files()), *(rule.id for rule in _modules())))


def _modules() -> tuple[CheckedRule | DriftRule | CodeRule, ...]:
    return (*checked_rules(), *drift_rules(), *code_rules())


def _of_phrase(phrase: Phrase) -> Rule:
    passes = tuple(sentence for wording in phrase.wordings for sentence in wording.passes)
    fails = tuple(sentence for wording in phrase.wordings for sentence in wording.fails)
    return Rule(phrase.id, phrase.severity, phrase.title, phrase.why, phrase.instead, passes, fails)


@cache
def of_module(rule: CheckedRule | DriftRule | CodeRule) -> Rule:
    """A rule that is a module, as it is listed."""
    what, rest = rule.text.split("\nWhy: ", 1)
    why, instead = rest.split("\nInstead: ", 1)
    what, why, instead = (" ".join(part.split()) for part in (what, why, instead))
    return Rule(rule.id, Severity.WARNING, what, why, instead, rule.passes, rule.fails)
