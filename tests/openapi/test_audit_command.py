"""``idempact audit`` as a user runs it: the inventory, and what the file's own texts claim."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from idempact.cli import main

CONTRACT = Path(__file__).parent / "contracts" / "every-write.yaml"
CLAIM = "Each payment is executed exactly once."
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'


@pytest.fixture
def audited(tmp_path, monkeypatch, capsys):
    """A function that writes files, audits the first one, and gives the exit code with the findings."""
    shutil.copy(CONTRACT, tmp_path / "contract.yaml")
    monkeypatch.chdir(tmp_path)

    def run(files, *more):
        for name, text in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text)
        code = main(["audit", next(iter(files)), "--contract", "contract.yaml", "--format", "json", *more])
        return code, json.loads(capsys.readouterr().out)["findings"]

    return run


def _claims(findings):
    return [(one["place"]["path"], one["place"]["line"]) for one in findings if one["rule"].startswith("prose/")]


OPERATION = "    post:\n      {key}: '{said}'\n      responses: {{'200': {{description: ok}}}}\n"


@pytest.mark.parametrize("key", ["description", "summary"])
@pytest.mark.parametrize("name", ["api.yaml", "api.json"])
def test_a_text_that_overclaims_is_told_where_it_stands(key, name, audited):
    text = HEAD + "  /payments:\n" + OPERATION.format(key=key, said=CLAIM)
    line = 6
    if name.endswith("json"):
        item = {"post": {key: CLAIM, "responses": {"200": {"description": "ok"}}}}
        text = json.dumps({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": item}}, indent=1)
        line = 1 + next(number for number, one in enumerate(text.splitlines()) if CLAIM in one)
    code, findings = audited({name: text})
    assert _claims(findings) == [(name, line)]
    assert code == (1 if any(one["severity"] == "error" for one in findings) else 0)
    assert _claims(audited({name: text.replace("exactly once", "by our staff")})[1]) == []


FILES = {
    "api.yaml": HEAD + "  /payments: {$ref: 'paths/payments.yaml'}\n",
    "paths/payments.yaml": (
        "post:\n  responses:\n    '200': {$ref: '../answers.yaml#/Ok'}\n"
        "  requestBody: {content: {application/json: {schema: {$ref: 'deep/schemas.yml#/Payment'}}}}\n"
    ),
    "answers.yaml": f"Ok:\n  description: {CLAIM}\n",
    "paths/deep/schemas.yml": (
        f"Payment:\n  type: object\n  description: {CLAIM}\n  properties: {{note: {{$ref: 'note.json#/a'}}}}\n"
    ),
    "paths/deep/note.json": json.dumps({"a": {"description": CLAIM, "example": CLAIM}}),
}


def test_every_file_that_the_document_leads_to_is_read(audited):
    _, findings = audited(FILES)
    assert sorted(_claims(findings)) == [
        ("answers.yaml", 2),
        ("paths/deep/note.json", 1),
        ("paths/deep/schemas.yml", 3),
    ]


def test_none_is_read_without_leave_and_none_over_the_network(audited):
    assert _claims(audited(FILES, "--no-follow")[1]) == []
    far = FILES["answers.yaml"] + "  content: {a/b: {schema: {$ref: 'https://orders.example/note.json#/a'}}}\n"
    lost = FILES | {"answers.yaml": far, "paths/deep/schemas.yml": "Payment: {$ref: 'gone.yaml#/a'}\n"}
    assert _claims(audited(lost)[1]) == [("answers.yaml", 2)]


def test_what_contradicts_the_contract_is_told_as_well(audited):
    text = HEAD + "  /payments:\n" + OPERATION.format(key="description", said="A key is kept for 30 days.")
    told = [one for one in audited({"api.yaml": text})[1] if one["rule"].startswith("prose/drift")]
    assert [one["place"]["line"] for one in told] == [6]
