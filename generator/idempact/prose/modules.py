"""Rule modules: what each kind of prose rule has in common, read from one module per rule."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module

from idempact.resources.typed import cast
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RuleModule:
    """A rule as its module states it: its docstring is ``text``, and ``call`` is the function that does the work."""

    id: str
    text: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    call: object


def rule_modules(package: str, folders: Iterable[str], prefix: str, verb: str) -> tuple[RuleModule, ...]:
    """Every module of a package, sorted by name; its id is *prefix* and the file's name, its function is *verb*.

    Raises TypeError for a module without RULE, PASSES, FAILS, the function, or a docstring with Why and Instead.
    """
    names = sorted(info.name for info in pkgutil.iter_modules(folders))
    return tuple(_module(package, name, f"{prefix}{name.replace('_', '-')}", verb) for name in names)


def _module(package: str, name: str, rule: str, verb: str) -> RuleModule:
    module = vars(import_module(f"{package}.{name}"))
    text = str(module.get("__doc__") or "")
    lists = [module.get("PASSES"), module.get("FAILS")]
    if module.get("RULE") != rule or not all(isinstance(part, tuple) and part for part in lists):
        raise TypeError(f"the rule module {name} needs RULE = {rule!r}, PASSES and FAILS")
    if not callable(module.get(verb)) or "\nWhy: " not in text or "\nInstead: " not in text:
        raise TypeError(f"the rule module {name} needs {verb}() and a docstring with Why: and Instead:")
    passes, fails = (cast("tuple[str, ...]", part) for part in lists)
    return RuleModule(rule, text, passes, fails, module[verb])
