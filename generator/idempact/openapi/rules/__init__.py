"""What may be found when the contract is held against an API's files: a module for each rule, found by scanning.

A module's docstring says what the rule finds, why that matters, and what to do instead. ``RULE`` is its id,
``SEVERITY`` what it weighs as a rule; some findings weigh less where nothing needs to be done.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from idempact.text.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, its severity and its text."""

    id: str
    severity: Severity
    text: str


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule module here, sorted by id. Raises TypeError for one that isn't whole."""
    return tuple(_rule(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))


def _rule(name: str) -> Rule:
    module = vars(import_module(f"{__name__}.{name}"))
    rule, text, severity = f"openapi/{name.replace('_', '-')}", str(module.get("__doc__") or ""), module.get("SEVERITY")
    if module.get("RULE") != rule or not isinstance(severity, Severity):
        raise TypeError(f"the rule {name} needs RULE = {rule!r} and SEVERITY")
    if any(f"\n{part}: " not in text for part in ("Why", "Instead", "Source")):
        raise TypeError(f"the rule {name} needs a docstring with Why:, Instead: and Source:")
    return Rule(rule, severity, text)
