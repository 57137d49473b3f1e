"""Every rule that a finding can carry is explained, and every explained rule can be found."""

from __future__ import annotations

import re
from pathlib import Path

from idempact import openapi
from idempact.manual.rules import all_rules as every_rule
from idempact.openapi.rules import all_rules
from idempact.text.diagnostic import Severity


def _emitted() -> set[str]:
    """The ids that the code names, in literals or by the short form of its own helpers."""
    folder = Path(openapi.__file__).parent
    found: set[str] = set()
    for path in (*folder.glob("*.py"), *(folder.parent / "cli").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.update(re.findall(r'"openapi/([a-z-]+)"', text))
        found.update(re.findall(r'(?:\.say|\b_finding)\(\s*"([a-z]+-[a-z-]+)"', text))
        found.update(re.findall(r'_note\([^"]*?"([a-z]+-[a-z-]+)"', text))
    return found - {"place"}


def test_what_is_emitted_is_explained_and_the_other_way_round():
    assert {rule.id.removeprefix("openapi/") for rule in all_rules()} == _emitted()


def test_the_rules_are_listed_with_the_others():
    listed = {rule.id: rule for rule in every_rule()}
    for rule in all_rules():
        assert listed[rule.id].why
        assert listed[rule.id].instead
        assert listed[rule.id].title.endswith(".")
        assert rule.severity in Severity
