"""Drawings: facts into inline SVG in the theme's colours, one module a drawing, found by scanning."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from idempact.facts import Facts
from idempact.render.words import Words
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing: its name (``timeline-2`` for the second profile), and the SVG element as text."""

    name: str
    svg: str


def drawings(facts: Facts, words: Words) -> tuple[Drawing, ...]:
    """Every drawing of a contract. *words* are for plain text; each drawing escapes what it shows."""
    found: list[Drawing] = []
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda i: i.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        draw = getattr(module, "draw", None)
        if draw is not None:
            made: Iterator[tuple[str, str]] = draw(facts, words)
            found += [Drawing(name, svg) for name, svg in made]
    return tuple(found)
