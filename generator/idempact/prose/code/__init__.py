"""Code that breaks the promise that the prose around it makes. One module per rule, found by a scan."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from idempact.prose.fragment import Code, Fault

__all__ = ["Code", "CodeRule", "Fault", "code_rules"]


@dataclass(frozen=True, slots=True)
class CodeRule:
    """A rule: ``find`` gives what is wrong with code. ``passes`` and ``fails`` are Markdown texts with fences."""

    id: str
    text: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    find: Callable[[Code], Iterator[Fault]]


@cache
def code_rules() -> tuple[CodeRule, ...]:
    """Every code rule, sorted by id. Raises TypeError for a module that isn't whole."""
    return tuple(_rule(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))


def _rule(name: str) -> CodeRule:
    module = vars(import_module(f"{__name__}.{name}"))
    rule = f"prose/code-{name.replace('_', '-')}"
    text = str(module.get("__doc__") or "")
    lists = [module.get("PASSES"), module.get("FAILS")]
    if module.get("RULE") != rule or not all(isinstance(part, tuple) and part for part in lists):
        raise TypeError(f"the code rule {name} needs RULE = {rule!r}, PASSES and FAILS")
    if not callable(module.get("find")) or "\nWhy: " not in text or "\nInstead: " not in text:
        raise TypeError(f"the code rule {name} needs find() and a docstring with Why: and Instead:")
    passes, fails = (cast("tuple[str, ...]", part) for part in lists)
    find = cast("Callable[[Code], Iterator[Fault]]", module["find"])
    return CodeRule(rule, text, passes, fails, find)
