"""The statements of one store: a template for each, found by scanning ``templates/statements/``.

What every store writes alike lies in ``common/``, what one writes in its own way in the folder of its name. A store
without a folder has no statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from idempact.facts.implementer import Implementer
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.text.dataclass import dataclass

FOLDER, COMMON = "statements", "common"
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
    own, shared = (_names(f"{FOLDER}/{name}", templates_dirs) for name in (record.store.value, COMMON))
    if not own:
        return ()
    env = environment(templates_dirs)
    found = []
    for name in sorted(own | shared):
        match = _NAME.match(name.removesuffix(SUFFIX))
        folder = record.store.value if name in own else COMMON
        text = env.get_template(f"{FOLDER}/{folder}/{name}").render(record=record).strip()
        if match and text:
            found.append(Statement(match["name"], text + "\n"))
    return tuple(found)


def _names(folder: str, templates_dirs: Sequence[Path]) -> frozenset[str]:
    roots = template_roots(templates_dirs)
    return frozenset(path.name for root in roots for path in (root / folder).glob(f"*.sql{SUFFIX}"))
