"""Drift: hand-written prose that names another value than the contract. One module per rule, found by a scan."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from idempact.prose.statement import Disagreement, Statement


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
    return tuple(_rule(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))


def _rule(name: str) -> DriftRule:
    module = vars(import_module(f"{__name__}.{name}"))
    rule = f"prose/drift-{name.replace('_', '-')}"
    text = str(module.get("__doc__") or "")
    lists = [module.get("PASSES"), module.get("FAILS")]
    if module.get("RULE") != rule or not all(isinstance(part, tuple) and part for part in lists):
        raise TypeError(f"the drift rule {name} needs RULE = {rule!r}, PASSES and FAILS")
    if not callable(module.get("find")) or "\nWhy: " not in text or "\nInstead: " not in text:
        raise TypeError(f"the drift rule {name} needs find() and a docstring with Why: and Instead:")
    passes, fails = (cast("tuple[str, ...]", part) for part in lists)
    find = cast("Callable[[Statement], Iterator[Disagreement]]", module["find"])
    return DriftRule(rule, text, passes, fails, find)
