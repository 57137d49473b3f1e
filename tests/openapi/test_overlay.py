"""The overlay: applied by the rules of its specification, it gives what an injection gives, and for its input only."""

from __future__ import annotations

import copy
import io
import json
import re
import shlex
import sys

import pytest
from ruamel.yaml import YAML

from idempact.cli import main
from idempact.openapi.inject import inject
from idempact.openapi.overlay import overlay, stamp, stamped
from idempact.openapi.plan import Wishes
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
TEXT = (
    HEAD
    + """\
  /a's "b":
    post:
      parameters:
        - {name: q, in: query, schema: {type: string}}
      responses:
        '200': {description: ok}
        '409':
          description: no
          content:
            application/problem+json:
              schema: {type: object, properties: {code: {type: string, enum: [closed]}}}
  /b:
    put: {}
    post: {responses: {'400': {$ref: '#/components/responses/R'}}}
components: {responses: {R: {description: r}}}
"""
)
_STEP = re.compile(r"\['((?:[^'\\]|\\.)*)'\]|\[([0-9]+)\]")


def _target(document, path):
    """The node that a normalised path names (RFC 9535, section 2.7)."""
    assert path[0] == "$"
    assert _STEP.sub("", path[1:]) == ""
    for name, index in _STEP.findall(path):
        key = re.sub(r"\\(u[0-9a-f]{4}|.)", lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else m[1], name)
        document = document[int(index)] if index else document[key]
    return document


def _merge(node, update):
    for key, value in update.items():
        if isinstance(value, dict) and isinstance(node.get(key), dict):
            _merge(node[key], value)
        elif isinstance(value, list) and isinstance(node.get(key), list):
            node[key] += copy.deepcopy(value)
        else:
            node[key] = copy.deepcopy(value)


def _applied(value, made):
    """Overlay 1.1, section 4.4: update merges objects, appends to arrays, replaces primitives."""
    result = copy.deepcopy(value)
    for action in made["actions"]:
        assert set(action) == {"target", "update"}
        _merge(_target(result, action["target"]), action["update"])
    return result


def _value(path, text):
    return plain(compose(Document(path, text)).value.root)


@pytest.mark.parametrize("wishes", [Wishes(), Wishes(copy_shared=True, adopt=True)])
def test_applied_it_gives_what_an_injection_gives(wishes, planner):
    plan = planner()
    made = overlay(Document("api.yaml", TEXT), TEXT.encode(), plan, wishes)
    assert made.value is not None, made.diagnostics
    result = _applied(_value("api.yaml", TEXT), made.value.value)
    expected = _value("api.yaml", inject(Document("api.yaml", TEXT), plan, wishes=wishes).value.after)
    del expected["x-idempotency"]["generated_by"]
    assert result == expected
    assert made.value.value["overlay"] == "1.1.0"
    assert made.value.value["extends"] == "api.yaml"


@pytest.mark.parametrize(
    "name", ["resend.yaml", "adyen-checkout-v66.json", "codat-sync-payables.yaml", "lob-bundled.yml"]
)
def test_on_real_files(name, shared, contracted):
    plan = contracted("every-write.yaml")
    data = (shared / "specs" / name).read_bytes()
    document = Document(name, data.decode())
    made = overlay(document, data, plan, Wishes(adopt=True)).value.value
    expected = _value(name, inject(document, plan, wishes=Wishes(adopt=True)).value.after)
    del expected["x-idempotency"]["generated_by"]
    assert _applied(_value(name, document.text), made) == expected


BODY = """\
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {MEMBER: {type: string}}}
"""


@pytest.mark.parametrize("member", ["idempotency_key", "idempotencyKey", "Idempotency-Key", "amount"])
@pytest.mark.parametrize("wishes", [Wishes(), Wishes(copy_shared=True), Wishes(adopt=True)])
def test_a_key_in_the_body_is_seen_as_an_injection_sees_it(member, wishes, planner):
    text = HEAD + "  /a:\n    post:\n" + BODY.replace("MEMBER", member) + "      responses: {}\n"
    made = overlay(Document("api.yaml", text), text.encode(), planner(), wishes)
    found = inject(Document("api.yaml", text), planner(), wishes=wishes)
    expected = _value("api.yaml", found.value.after)
    del expected["x-idempotency"]["generated_by"]
    assert _applied(_value("api.yaml", text), made.value.value) == expected
    assert made.diagnostics == found.diagnostics
    assert ("parameters" in expected["paths"]["/a"]["post"]) is (member == "amount")


def test_an_operation_is_targeted_not_its_lists(planner):
    made = overlay(Document("api.yaml", TEXT), TEXT.encode(), planner(), Wishes()).value.value
    targets = [action["target"] for action in made["actions"]]
    assert """$['paths']['/a\\'s "b"']['post']""" in targets
    assert len(targets) == len(set(targets))


def test_the_input_is_stamped(planner):
    made = overlay(Document("api.yaml", TEXT), TEXT.encode(), planner(), Wishes()).value.value
    assert stamped(made) == stamp(TEXT.encode()) != stamp(TEXT.encode() + b"\n")
    assert stamped({"overlay": "1.1.0"}) is None


def test_a_file_with_the_contract_in_it_needs_none(planner):
    after = inject(Document("api.yaml", TEXT), planner()).value.after
    made = overlay(Document("api.yaml", after), after.encode(), planner(), Wishes())
    assert made.value is None
    assert [d.rule for d in made.diagnostics] == ["openapi/injected-input"]


def test_each_finding_is_made_once(planner):
    made = overlay(Document("api.yaml", TEXT), TEXT.encode(), planner(), Wishes())
    assert made.diagnostics
    assert len(set(made.diagnostics)) == len(made.diagnostics)


def test_the_file_is_named_by_a_uri_reference(planner):
    made = overlay(Document("a folder/our api.yaml", TEXT), TEXT.encode(), planner(), Wishes()).value.value
    assert made["extends"] == "our%20api.yaml"


CONTRACT = "every-write.yaml"


def test_the_command_writes_compares_and_refuses(tmp_path, monkeypatch, capsys):
    import pathlib

    monkeypatch.chdir(tmp_path)
    contract = pathlib.Path(__file__).parent / "contracts" / CONTRACT
    pathlib.Path("api.yaml").write_text(TEXT)
    command = ["overlay", "api.yaml", "--contract", str(contract)]
    assert main([*command, "--out", "o.yaml"]) == 0
    text = pathlib.Path("o.yaml").read_text()
    assert YAML(typ="safe").load(text)["overlay"] == "1.1.0"
    capsys.readouterr()
    assert main([*command, "--check", "o.yaml"]) == 0
    assert main(command) == 0
    assert capsys.readouterr().out.endswith(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["overlay", "-", "--contract", str(contract)]) == 0
    assert capsys.readouterr().out.replace("\n", "") == text.replace("extends: api.yaml", "").replace("\n", "")
    pathlib.Path("api.yaml").write_text(TEXT + "# edited\n")
    assert main([*command, "--check", "o.yaml"]) == 1
    assert "another input" in capsys.readouterr().err
    pathlib.Path("api.yaml").write_text(TEXT)
    wide = [*command, "--with", "fern", "--copy-shared"]
    assert main([*wide, "--check", "o.yaml"]) == 1
    assert main(shlex.split(capsys.readouterr().err.rpartition("; run: ")[2])[1:]) == 0
    assert main([*wide, "--check", "o.yaml"]) == 0, "the command that it names writes what it was asked for"
    assert main([*command, "--check", "gone.yaml"]) == 2
    pathlib.Path("o.json").write_text(json.dumps({"overlay": "1.1.0"}))
    assert main([*command, "--check", "o.json"]) == 1
