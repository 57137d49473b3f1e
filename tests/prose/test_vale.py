"""The rule for Vale, read by an independent reader; its patterns find what ours find."""

from __future__ import annotations

import re

import pytest
from ruamel.yaml import YAML

from idempact.exports.vale import render
from idempact.wording.fold import fold
from idempact.wording.phrasebook import phrases


@pytest.fixture(scope="module")
def rule() -> dict[str, object]:
    loaded = YAML(typ="safe").load(render())
    assert isinstance(loaded, dict)
    return loaded


def test_the_rule_has_what_vale_wants(rule: dict[str, object]) -> None:
    assert rule["extends"] == "existence"
    assert rule["level"] == "warning"
    assert "%s" in str(rule["message"])


def test_its_patterns_are_ours_between_two_looks_for_a_denial(rule: dict[str, object]) -> None:
    tokens = rule["tokens"]
    assert isinstance(tokens, list)
    ours = [w for phrase in phrases() for w in phrase.wordings if w.language in ("en", "zh")]
    assert len(tokens) == len(ours)
    bodies = {re.sub(r"\A\(\?<!.*?\]\{0,80\}\)", "", token, count=1) for token in tokens}
    for wording in ours:
        (body,) = (b for b in bodies if b.startswith(f"(?:{wording.pattern.pattern})(?!"))
        # Python can't look behind by any length, so the part behind that look is tried.
        found = re.compile(body, re.ASCII)
        assert any(found.search(fold(sentence).text) for sentence in wording.fails), wording.fails
