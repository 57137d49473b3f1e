"""Findings, told: one module per format, found by a scan of this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from idempact.resources.modules import module_names
from idempact.resources.typed import TypeAlias, cast
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class RuleText:
    """What a rule says, why, and what to do instead, for formats that list the rules beside the findings."""

    title: str
    why: str
    instead: str


Present: TypeAlias = Callable[[tuple[Diagnostic, ...], Mapping[str, str], bool, Mapping[str, RuleText]], str]


@cache
def formats() -> tuple[str, ...]:
    """The names of the formats there are, sorted. A module is imported only when its format is asked for."""
    return tuple(name for name in module_names(__path__) if not name.startswith("_"))


@cache
def _printer(name: str) -> Present:
    if name not in formats():
        raise KeyError(name)
    module = vars(import_module(f"{__name__}.{name}"))
    if module.get("NAME") != name or not module.get("__doc__") or not callable(module.get("present")):
        raise TypeError(f"the finding format {name} needs a docstring, its file's name as NAME, and present()")
    return cast(Present, module["present"])


def present(
    name: str,
    diagnostics: tuple[Diagnostic, ...],
    documents: Mapping[str, str],
    color: bool = False,
    rules: Mapping[str, RuleText] | None = None,
) -> str:
    """The findings in the format *name*, in the order given; the text ends with a line break unless it is empty.

    *documents* maps a span's path to that file's text, for formats that quote it; a path that is missing there is
    told without a quote. *rules* gives what the rules say, by id, for formats that list them; see :func:`lists_rules`.
    What is returned holds no lone surrogate, so it can be written as UTF-8. Raises KeyError for a format that isn't in
    :func:`formats`.
    """
    return _printer(name)(diagnostics, documents, color, rules or {})


def lists_rules(name: str) -> bool:
    """Whether the format *name* tells what its findings' rules say. Raises KeyError as :func:`present` does."""
    return bool(getattr(import_module(_printer(name).__module__), "LISTS_RULES", False))
