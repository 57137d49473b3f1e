"""Prose rules that need more than a phrase: one module each, found by a scan of this folder."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from idempact.prose.suppress import Suppression


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
    return tuple(_rule(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))


def _rule(name: str) -> CheckedRule:
    module = vars(import_module(f"{__name__}.{name}"))
    rule = f"prose/{name.replace('_', '-')}"
    text = str(module.get("__doc__") or "")
    lists = [module.get("PASSES"), module.get("FAILS")]
    if module.get("RULE") != rule or not all(isinstance(part, tuple) and part for part in lists):
        raise TypeError(f"the rule {name} needs RULE = {rule!r}, PASSES and FAILS")
    if not callable(module.get("fault")) or "\nWhy: " not in text or "\nInstead: " not in text:
        raise TypeError(f"the rule {name} needs fault() and a docstring with Why: and Instead:")
    passes, fails = (cast("tuple[str, ...]", part) for part in lists)
    fault = cast(Callable[[Suppression, frozenset[str]], str], module["fault"])
    return CheckedRule(rule, text, passes, fails, fault)
