"""The statements of one store: a template for each, found by scanning ``templates/statements/<store>/``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from idempact.facts.implementer import Implementer
from idempact.render.environment import SUFFIX, environment, template_roots

FOLDER = "statements"
_NAME = re.compile(r"\d+-(?P<name>[a-z-]+)\.sql\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: what it is for (``claim``, ``take-over`` …), and its text with named parameters (``:now``)."""

    name: str
    text: str


def render(record: Implementer, templates_dirs: Sequence[Path] = ()) -> tuple[Statement, ...]:
    """The statements in the order of a record's life, without those that the contract has no use for.

    Empty where the store has no templates, and where the contract leaves a field open that a statement needs. Raises
    what a template raises.
    """
    if record.store is None or record.open_fields:
        return ()
    folder = f"{FOLDER}/{record.store.value}"
    names = {path.name for root in template_roots(templates_dirs) for path in (root / folder).glob(f"*.sql{SUFFIX}")}
    env = environment(templates_dirs)
    found = []
    for name in sorted(names):
        match = _NAME.match(name.removesuffix(SUFFIX))
        text = env.get_template(f"{folder}/{name}").render(record=record).strip()
        if match and text:
            found.append(Statement(match["name"], text + "\n"))
    return tuple(found)
