"""Code that breaks the promise that the prose around it makes. One module per rule, found by a scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from idempact.prose.fragment import Code, Fault
from idempact.prose.modules import rule_modules
from idempact.resources.typed import cast
from idempact.text.dataclass import dataclass

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
    found = rule_modules(__name__, __path__, "prose/code-", "find")
    return tuple(
        CodeRule(m.id, m.text, m.passes, m.fails, cast("Callable[[Code], Iterator[Fault]]", m.call)) for m in found
    )
