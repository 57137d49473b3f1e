"""Every finding that the code names has a text of its own, and no text stands for nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import idempact
from idempact.manual.rules import all_rules
from idempact.text.faults import all_faults

PACKAGE = Path(idempact.__file__).parent
# What looks like a finding's id and is a path, the beginning of one, or a media type.
PATHS = {"build/docs", "contract/vendors", "prose/code-", "prose/drift-", "openapi/place", "text/plain"}


def named(families: set[str]) -> Iterator[str]:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = re.fullmatch(r"([a-z]+)/[a-z0-9-]+", node.value)
                if match and match[1] in families and path.parents[1].name != "faults":
                    yield node.value


def test_every_named_finding_is_explained() -> None:
    known = {rule.id for rule in all_rules()}
    families = {rule.partition("/")[0] for rule in known}
    assert set(named(families)) - known <= PATHS


def test_every_finding_that_is_made_is_of_a_family_that_is_explained() -> None:
    """A family without any text would be missing above, too."""
    known = {rule.id for rule in all_rules()}
    made = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Diagnostic":
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    made.add(first.value)
    assert len(made) > 20
    assert made - known <= PATHS


def test_every_explained_fault_is_named() -> None:
    families = {fault.id.partition("/")[0] for fault in all_faults()}
    assert {fault.id for fault in all_faults()} <= set(named(families))
