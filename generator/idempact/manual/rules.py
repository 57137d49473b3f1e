"""Every rule as a page: what it finds, why that matters, what to do instead, and where it comes from."""

from __future__ import annotations

import re

from idempact.contract import rules as contract
from idempact.openapi import rules as openapi
from idempact.prose import catalog as prose
from idempact.text.dataclass import dataclass, replace
from idempact.text.faults import Fault, all_faults

_PARTS = re.compile(r"^(Why|Instead|Source): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of any family, in the words of its docstring or phrase file; ``passes`` and ``fails`` are its cases."""

    id: str
    severity: str
    observer: str
    title: str
    why: str
    instead: str
    source: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]

    @property
    def family(self) -> str:
        """Which tool finds it: the part before the slash."""
        return self.id.partition("/")[0]

    @property
    def path(self) -> str:
        """Its page below the rules' folder, without the suffix."""
        return self.id


def all_rules() -> tuple[Rule, ...]:
    """Every rule of every family, sorted by id."""
    told = (*openapi.all_rules(), *all_faults())
    own = (*map(_of_contract, contract.all_rules()), *map(_of_prose, prose.all_rules()))
    return tuple(sorted((*own, *map(_of_text, told)), key=_id))


def _id(rule: Rule) -> str:
    return rule.id


def _of_contract(rule: contract.Rule) -> Rule:
    observer = "" if rule.observer is rule.severity else rule.observer.value
    return replace(_of_text(rule), observer=observer)


def _of_text(rule: contract.Rule | Fault) -> Rule:
    title, *parts = _PARTS.split(rule.text)
    told = {name: _line(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}
    why, instead, source = told["Why"], told["Instead"], told["Source"]
    return Rule(rule.id, rule.severity.value, "", _line(title), why, instead, source, (), ())


def _of_prose(rule: prose.Rule) -> Rule:
    what, why, instead = map(_line, (rule.what, rule.why, rule.instead))
    return Rule(rule.id, rule.severity.value, "", what, why, instead, "", rule.passes, rule.fails)


def _line(text: str) -> str:
    return _plain(" ".join(text.split()))


def _plain(text: str) -> str:
    """A docstring's references to modules as their names."""
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", text)
