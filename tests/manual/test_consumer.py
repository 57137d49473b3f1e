"""The page that reads an injection's diff as a caller does: it tells everything that is new, or refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact import load
from idempact.cli import main
from idempact.cli.inject import words_of
from idempact.facts.derive import Facts
from idempact.manual.consumer import reading
from idempact.openapi.extension import plan_of
from idempact.openapi.plan import Plan
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
API = ROOT / "site_src" / "project" / "openapi" / "payments.yaml"
PAGE = "openapi/consumer.md"


@pytest.fixture(scope="module")
def plan() -> Plan:
    contract = load(ROOT / "contract" / "contract.yaml").value
    assert contract is not None
    return plan_of(Facts.of(contract.contract), contract.source, words_of(contract))


def test_the_page_shows_what_the_command_does(staged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every line that the command adds stands in the page's diff."""
    copy = tmp_path / "payments.yaml"
    copy.write_bytes(API.read_bytes())
    assert main(["inject", str(copy), "--contract", str(ROOT / "contract" / "contract.yaml"), "--diff"]) == 0
    added = [line for line in capsys.readouterr().out.splitlines() if line.startswith("+") and line[:3] != "+++"]
    page = (staged / PAGE).read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if line.startswith("+") and line[:3] != "+++"]
    assert shown == added
    assert f"{len(added)} lines are new or have grown" in page
    assert API.read_text(encoding="utf-8").rstrip("\n") in page


def test_each_addition_is_told(staged: Path, plan: Plan, tmp_path: Path) -> None:
    """An independent reader counts the new statuses, parameters and headers of each operation."""
    copy = tmp_path / "payments.yaml"
    copy.write_bytes(API.read_bytes())
    assert main(["inject", str(copy), "--quiet", "--contract", str(ROOT / "contract" / "contract.yaml")]) == 0
    old, new = (YAML(typ="safe").load(path.read_text(encoding="utf-8"))["paths"] for path in (API, copy))
    found = reading(Document("payments.yaml", API.read_text(encoding="utf-8")), plan)
    for change in found.changes:
        method, path = change.operation.split()
        before, after = (item[path][method.lower()] for item in (old, new))
        statuses = [s for s in after["responses"] if s not in before["responses"]]
        assert [answer.partition(":")[0] for answer in change.answers] == list(map(str, statuses))
        more = len(after.get("parameters", ())) - len(before.get("parameters", ()))
        assert len(change.parameters) == more
        headers = {
            (name, str(status))
            for status, answer in before["responses"].items()
            for name in after["responses"][status].get("headers", {})
            if name not in answer.get("headers", {})
        }
        told = {(h.split(" on ")[0], s) for h in change.headers for s in h.split(" on ")[1].split(", ")}
        assert told == headers
    assert {change.operation for change in found.changes if change.parameters} == set(found.demands)
    assert any(not change.seen for change in found.changes)
    assert any(change.told for change in found.changes)


def test_what_is_demanded_is_what_the_contract_requires(tmp_path: Path) -> None:
    text = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
    path = tmp_path / "contract.yaml"
    path.write_text(text.replace("  required: true ", "  required: false", 1), encoding="utf-8")
    contract = load(path).value
    assert contract is not None
    optional = plan_of(Facts.of(contract.contract), contract.source, words_of(contract))
    found = reading(Document("payments.yaml", API.read_text(encoding="utf-8")), optional)
    assert found.demands == ()
    assert any("optional" in told for change in found.changes for told in change.parameters)


def test_nothing_is_told_of_a_file_that_nothing_is_put_into(plan: Plan) -> None:
    with pytest.raises(ValueError, match="nothing is injected"):
        reading(Document("a.json", json.dumps({"openapi": "3.1.0", "paths": {}})), plan)
    with pytest.raises(ValueError, match="nothing is injected"):
        reading(Document("a.json", "{"), plan)
