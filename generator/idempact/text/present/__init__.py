"""Findings, told: one module per format, found by a scan of this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TypeAlias, cast

from idempact.resources.modules import module_names
from idempact.text.diagnostic import Diagnostic

Present: TypeAlias = Callable[[tuple[Diagnostic, ...], Mapping[str, str], bool], str]


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


def present(name: str, diagnostics: tuple[Diagnostic, ...], documents: Mapping[str, str], color: bool = False) -> str:
    """The findings in the format *name*, in the order given; the text ends with a line break unless it is empty.

    *documents* maps a span's path to that file's text, for formats that quote it; a path that is missing there is
    told without a quote. What is returned holds no lone surrogate, so it can be written as UTF-8. Raises KeyError
    for a format that isn't in :func:`formats`.
    """
    return _printer(name)(diagnostics, documents, color)
