"""Contracts on disk: the valid ones have no finding, the invalid ones exactly those that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.contract.rules import all_rules
from idempact.text.diagnostic import Checked, Diagnostic

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "generator" / "idempact" / "contract"
VALID = sorted((HERE / "valid").iterdir())
INVALID = sorted(path for path in (HERE / "invalid").rglob("*") if path.suffix in (".yaml", ".json"))
Check = Callable[..., Checked[Read]]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _line(diagnostic: Diagnostic) -> str:
    assert diagnostic.span is not None
    place = f"{diagnostic.span.line}:{diagnostic.span.column}"
    return f"{place} {diagnostic.severity.value} {diagnostic.rule} {diagnostic.message}"


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_a_valid_contract_has_no_finding(path: Path, check_text: Check) -> None:
    found = check_text(path.read_bytes(), path.name)
    assert [_line(diagnostic) for diagnostic in found.diagnostics] == []
    assert found.value is not None


@pytest.mark.parametrize("path", INVALID, ids=_name)
def test_an_invalid_contract_has_exactly_the_findings_beside_it(path: Path, check_text: Check) -> None:
    """Each line beside it is a finding's place, severity and rule, and how its message begins."""
    expected = path.with_suffix(".errors").read_text(encoding="utf-8").splitlines()
    found = [_line(diagnostic) for diagnostic in check_text(path.read_bytes(), path.name).diagnostics]
    unmatched = [line for line in expected if not any(f.startswith(line) for f in found)]
    unexpected = [line for line in found if not any(line.startswith(e) for e in expected)]
    assert not unmatched, "expected, but not found:\n" + "\n".join(unmatched)
    assert not unexpected, "found, but not expected:\n" + "\n".join(unexpected)
    assert len(found) == len(expected), "a finding was told twice, or two lines expect the same one"


@pytest.mark.parametrize("path", INVALID, ids=_name)
def test_every_finding_says_what_to_do_and_lies_in_the_file(path: Path, check_text: Check) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for diagnostic in check_text(path.read_bytes(), path.name).diagnostics:
        assert diagnostic.hint or "must be" in diagnostic.message, _line(diagnostic)
        assert not diagnostic.message.endswith(".") or diagnostic.rule.endswith("-decision"), _line(diagnostic)
        for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
            assert span is not None
            assert span.line <= len(lines)
            assert span.column <= len(lines[span.line - 1]) + 1


@pytest.mark.parametrize("path", INVALID, ids=_name)
def test_an_invalid_contract_breaks_its_own_rule(path: Path) -> None:
    expected = path.with_suffix(".errors").read_text(encoding="utf-8")
    assert f" contract/{path.parent.name} " in expected


def test_no_findings_stand_without_a_contract() -> None:
    stems = {path.with_suffix("") for path in INVALID}
    assert [path for path in (HERE / "invalid").rglob("*.errors") if path.with_suffix("") not in stems] == []


def _told_by_the_reader() -> Iterator[str]:
    """The rule ids that the sources outside the rules' folder name."""
    for path in (*SOURCES.glob("*.py"), *SOURCES.glob("model/*.py")):
        source = path.read_text(encoding="utf-8")
        yield from re.findall(r'"contract/([a-z-]+)"', source)
        yield from re.findall(r'(?:reading\.tell|refuse)\(\s*"([a-z-]+)"', source)
        yield from re.findall(r'"(refused-[a-z-]+|wrong-unit)"', source)


def test_every_rule_has_an_invalid_contract() -> None:
    cases = {path.parent.name for path in INVALID}
    rules = {rule.id.removeprefix("contract/") for rule in all_rules()} | set(_told_by_the_reader())
    assert len(rules) > 60
    assert rules - cases == set(), "rules without an invalid contract"
    assert cases - rules == set(), "folders that are named after no rule"


def test_every_rule_has_a_contract_that_breaks_it_alone() -> None:
    alone: set[str] = set()
    for path in INVALID:
        broken = {line.split(" ")[2] for line in path.with_suffix(".errors").read_text(encoding="utf-8").splitlines()}
        alone |= broken if len(broken) == 1 else set()
    assert {rule.id for rule in all_rules()} - alone == set()


def test_every_rule_explains_itself() -> None:
    """The scan itself refuses a rule without Why, Instead and Source; a title line must come first."""
    for rule in all_rules():
        title = rule.text.splitlines()[0]
        assert title.endswith("."), rule.id
        assert len(title) <= 120, rule.id
        for part in ("Why", "Instead", "Source"):
            said = re.search(rf"^{part}: (.+)", rule.text, re.MULTILINE)
            assert said is not None, rule.id
            assert len(said[1]) > 10, rule.id
