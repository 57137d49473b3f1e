"""SARIF as others read it: held against the schema of the standard and against the rules of Microsoft's validator.

The schema is the one that the validator's package brings along, rewritten by Microsoft in a newer draft of JSON Schema.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for

from idempact.cli import main
from idempact.text.present import RuleText, present

TEXT = """# A promise

Payments are processed *exactly* once, guaranteed. Keys last 12 hours. The `X-Idempotency-Key` header is required.

重试不会重复扣款。 An address with a brace: {id}, and a [link](https://a.example).
"""


def verdicts(log: Path, validator: Path) -> list[str]:
    """What is wrong with *log*: by the schema of the standard, then by the rules of the validator."""
    schema = json.loads((validator / "sarif-2.1.0.json").read_text(encoding="utf-8-sig"))
    assert "Version 2.1.0" in schema["title"]
    faults = [
        fault.json_path for fault in validator_for(schema)(schema).iter_errors(json.loads(log.read_text("utf-8")))
    ]
    told = log.with_suffix(".told")
    command = [
        str(validator / "Sarif.Multitool"),
        "validate",
        str(log),
        "--output",
        str(told),
        "--level",
        "Error;Warning",
    ]
    run = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
    )
    assert told.is_file(), run.stdout + run.stderr
    (judged,) = json.loads(told.read_text(encoding="utf-8-sig"))["runs"]
    return faults + sorted({result["ruleId"] for result in judged.get("results", [])})


def test_what_lint_and_check_tell_is_sarif(
    tmp_path: Path, sarif_multitool: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a b.md").write_text(TEXT, encoding="utf-8")
    contract = (
        next(p for p in Path(__file__).parents if (p / "pyproject.toml").is_file()) / "contract" / "contract.yaml"
    )
    broken = contract.read_text(encoding="utf-8").replace("  replay: 24h ", "  replay: 2h ")
    Path("contract.yaml").write_text(broken, encoding="utf-8")
    commands = (["lint", "a b.md", "--contract", str(contract)], ["check", "contract.yaml"])
    for number, command in enumerate(commands):
        main([*command, "--format", "sarif"])
        log = Path(f"{number}.sarif")
        log.write_text(capsys.readouterr().out, encoding="utf-8")
        (run,) = json.loads(log.read_text(encoding="utf-8"))["runs"]
        assert run["results"]
        assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in run["tool"]["driver"]["rules"])
        assert verdicts(log, sarif_multitool) == []


def test_hostile_findings_and_none_are_sarif(tmp_path: Path, sarif_multitool: Path, hostile: Any, plain: Any) -> None:
    log = tmp_path / "a.sarif"
    for told in (hostile, plain):
        text = RuleText("A {title}.", "Why, [so](x)?", "Do\nthat.")
        rules = {diagnostic.rule: text for diagnostic in told.diagnostics}
        log.write_text(present("sarif", told.diagnostics, told.documents, rules=rules), encoding="utf-8")
        assert verdicts(log, sarif_multitool) == []
    log.write_text(present("sarif", (), {}), encoding="utf-8")
    assert verdicts(log, sarif_multitool) == []


def test_the_validator_finds_what_is_wrong(tmp_path: Path, sarif_multitool: Path, plain: Any) -> None:
    log = tmp_path / "a.sarif"
    told = present("sarif", plain.diagnostics, plain.documents)
    for good, bad in (('"level": "error"', '"level": "fatal"'), ('"startLine": 2', '"startLine": 0')):
        assert good in told
        log.write_text(told.replace(good, bad), encoding="utf-8")
        assert any(fault.startswith("$.runs[0].results") for fault in verdicts(log, sarif_multitool))
