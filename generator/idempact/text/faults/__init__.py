"""What may be found before any rule can run: a package for each family, a module for each finding, found by scanning.

A module's docstring says what is found, why that matters, and what to do instead. ``RULE`` is its id, ``SEVERITY``
what it weighs.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding that has a text of its own: its id, its severity, and its module's docstring."""

    id: str
    severity: Severity
    text: str


@cache
def all_faults() -> tuple[Fault, ...]:
    """Every module of every family here, sorted by id. Raises TypeError for one that isn't whole."""
    found: list[Fault] = []
    for family in pkgutil.iter_modules(__path__):
        package = import_module(f"{__name__}.{family.name}")
        found += scanned(package.__path__, package.__name__, family.name)
    return tuple(sorted(found, key=lambda fault: fault.id))


def scanned(folders: Iterable[str], package: str, family: str) -> tuple[Fault, ...]:
    """Every module of one *package*, sorted by name. Raises TypeError for one that isn't whole."""
    names = sorted(info.name for info in pkgutil.iter_modules(folders))
    return tuple(_fault(f"{package}.{name}", f"{family}/{name.replace('_', '-')}") for name in names)


def _fault(module_name: str, rule: str) -> Fault:
    module = vars(import_module(module_name))
    text, severity = str(module.get("__doc__") or ""), module.get("SEVERITY")
    if module.get("RULE") != rule or not isinstance(severity, Severity):
        raise TypeError(f"the module {module_name} needs RULE = {rule!r} and SEVERITY")
    if any(f"\n{part}: " not in text for part in ("Why", "Instead", "Source")):
        raise TypeError(f"the module {module_name} needs a docstring with Why:, Instead: and Source:")
    return Fault(rule, severity, text)
