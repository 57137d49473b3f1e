"""The Spectral ruleset: its form, and what it selects."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from ruamel.yaml import YAML

from idempact.contract.read import read
from idempact.exports.spectral import remarks, render
from idempact.facts.derive import Facts
from idempact.openapi.extension import plan_of
from idempact.openapi.inject import inject
from idempact.render.environment import template_roots
from idempact.render.words import Words
from idempact.text.nodes import compose
from idempact.text.span import Document

CONTRACT = """\
idempact: 1
api: {name: Pay, base_url: https://pay.example, contact: https://pay.example/help}
key: {name: Pay.Key-1, required: true}
scope: [account]
fingerprint: {body: parsed}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
operations:
  POST /payments: keyed
  PATCH /payments/{id}: keyed
  "POST /a/*/b.c/**": keyed
  "ANY /x": keyed
  operation makeOne: keyed
  tag writes: keyed
  GET /payments: {safety: natural, because: reads}
"""


@pytest.fixture(scope="module")
def contract():
    found = read(compose(Document("contract.yaml", CONTRACT)).value)
    assert not found.broken, found.diagnostics
    return found.value.contract


@pytest.fixture(scope="module")
def rules(contract):
    return YAML(typ="safe").load(render(contract))["rules"]


def test_each_rule_is_whole(rules):
    assert len(rules) >= 8
    for rule in rules.values():
        assert set(rule) == {"description", "severity", "given", "then"}
        assert rule["given"]
        assert all(path.startswith("$.paths") for path in rule["given"])


def test_operations_are_selected_by_every_kind_of_key(rules):
    answers = rules["idempotency-answer-409"]["given"]
    assert "$.paths['/payments'].post.responses" in answers
    assert "$.paths[*][?(@ && @.operationId === 'makeOne')].responses" in answers
    assert r"$.paths[?(@property.match(/^\/a\/[^\/]+\/b\.c\/.*$/))].post.responses" in answers
    assert "$.paths['/x'][?(@property.match(/^(post|put|patch|delete)$/))].responses" in answers
    assert not any("get" in path for path in answers)


def test_a_tag_is_told(contract):
    assert [remark.partition(" is ")[0] for remark in remarks(contract)] == ["tag writes"]


def test_the_header_counts_in_any_case(rules):
    text = json.dumps(rules["idempotency-key-post"])
    pattern = json.loads(re.search(r'"pattern": ("\^\[Pp\][^"]*")', text)[1])
    assert re.fullmatch(pattern, "PAY.key-1")
    assert not re.fullmatch(pattern, "PayxKey-1")


def test_waits_are_asked_where_the_contract_waits(rules):
    assert "idempotency-wait-409" in rules
    assert "idempotency-wait-422" not in rules


WORDS = Words.load("en", template_roots())
WRITES = """\
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /payments:
    get: {responses: {'200': {description: ok}}}
    post: {responses: {'200': {description: ok}, '409': {description: closed}}}
  /payments/{id}:
    patch: {responses: {'200': {description: ok}}}
  /a/1/b.c/d:
    post: {}
  /x:
    put: {responses: {'422': {description: no}}}
    delete: {}
  /made:
    post: {operationId: makeOne, responses: {'200': {description: ok}}}
"""

SPEC = """\
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /payments:
    parameters: [{name: pay.key-1, in: header, schema: {type: string}}]
    post: {responses: {'200': {description: ok}}}
  /payments/{id}:
    patch: {responses: {'200': {description: ok}}}
"""


@pytest.fixture(scope="module")
def found(contract, linters, tmp_path_factory):
    """A function that says what Spectral finds in a text by the contract's ruleset: rule and path."""
    folder = tmp_path_factory.mktemp("ruled")
    (folder / "rules.yaml").write_text(render(contract))

    def find(text):
        (folder / "api.yaml").write_text(text)
        words = [linters / "spectral", "lint", "-r", "rules.yaml", "-f", "json", "api.yaml"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        assert done.stdout.startswith("["), done.stdout[:300] + done.stderr
        return {(one["code"], tuple(one["path"])) for one in json.loads(done.stdout[: done.stdout.rindex("]") + 1])}

    return find


def test_spectral_itself_reads_it(found):
    told = found(SPEC)
    assert ("idempotency-key-patch", ("paths", "/payments/{id}")) in {(code, path[:2]) for code, path in told}
    assert "idempotency-key-post" not in {code for code, _ in told}, "the key at the path counts"
    assert ("idempotency-answer-409", ("paths", "/payments", "post")) in {(code, path[:3]) for code, path in told}


def test_an_injection_leaves_the_ruleset_nothing_to_ask_for(contract, found):
    """What one way out of the contract asks for, the other one gives."""
    plan = plan_of(Facts.of(contract), read(compose(Document("contract.yaml", CONTRACT)).value).value.source, WORDS)
    injected = inject(Document("api.yaml", WRITES), plan)
    assert injected.value is not None, injected.diagnostics
    before, after = found(WRITES), found(injected.value.after)
    assert len({code for code, _ in before}) >= 6
    assert after == set()
