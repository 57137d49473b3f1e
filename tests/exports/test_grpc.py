"""The gRPC service config, by the rules of gRFC A6."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from idempact.contract.model.contract import Protocol
from idempact.contract.read import read
from idempact.exports.grpc import remarks, render
from idempact.text.nodes import compose
from idempact.text.span import Document

CONTRACT = """\
idempact: 1
api: {{name: Pay, base_url: none, contact: https://pay.example, protocols: [grpc]}}
key: {{in: metadata, name: idempotency-key, required: true}}
scope: [account]
fingerprint: {{body: parsed}}
windows: {{replay: 24h, retry_chains: [{{name: job, lasts: 6h}}]}}
replay: {{fidelity: stored-response}}
stored_failures: {{business_rejection: replay, server_error: re-execute}}
answers:
  expired_key: {{answer: execute}}
  mismatch: {{status: 422, code: reused}}
  in_flight: {{status: 409, code: running}}
retry: {{max_attempts: {attempts}, deadline: 90s, backoff: {{jitter: full, base: 500ms, factor: 2, cap: 8s}}, {grpc}}}
operations:
  operation pay.v1.Payments/Create: keyed
  operation pay.v1.Payments/Refund: keyed
  operation pay.v1.Payments/Count: {{safety: unsafe, because: counts, instead: nothing}}
  operation Loose: keyed
"""


def _contract(attempts=4, grpc="grpc: {codes: [UNAVAILABLE, ABORTED], max_tokens: 20, token_ratio: 0.2}"):
    text = CONTRACT.format(attempts=attempts, grpc=grpc)
    found = read(compose(Document("contract.yaml", text)).value)
    assert not found.broken, found.diagnostics
    return found.value.contract


def test_methods_with_the_same_advice_share_an_entry():
    config = json.loads(render(_contract()))
    (entry,) = config["methodConfig"]
    assert entry["name"] == [
        {"service": "pay.v1.Payments", "method": "Create"},
        {"service": "pay.v1.Payments", "method": "Refund"},
    ]
    assert entry["timeout"] == "90s"
    assert entry["retryPolicy"] == {
        "maxAttempts": 4,
        "initialBackoff": "0.500s",
        "maxBackoff": "8s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE", "ABORTED"],
    }
    assert config["retryThrottling"] == {"maxTokens": 20, "tokenRatio": 0.2}


def test_no_more_attempts_than_grpc_makes():
    assert json.loads(render(_contract(9)))["methodConfig"][0]["retryPolicy"]["maxAttempts"] == 5
    told = remarks(_contract(9))
    assert sum("at most 5 attempts, not 9" in remark for remark in told) == 3
    assert not any("at most" in remark for remark in remarks(_contract(5)))


def test_one_attempt_has_no_policy():
    assert "retryPolicy" not in json.loads(render(_contract(1)))["methodConfig"][0]


def test_an_operation_without_a_method_is_told():
    assert any(remark.startswith("operation Loose names no gRPC method") for remark in remarks(_contract()))


@pytest.mark.parametrize("attempts", [2, 3, 5])
def test_durations_are_of_protobufs_form(attempts):
    text = render(_contract(attempts))
    for name in ("timeout", "initialBackoff", "maxBackoff"):
        assert re.search(rf'"{name}": "[0-9]+(\.[0-9]{{3}})?s"', text)


def test_a_contract_without_a_method_says_what_it_lacks():
    contract = _contract()
    (loose,) = (op for op in contract.operations if op.key.name == "Loose")
    found = remarks(replace(contract, operations=(loose,)))
    assert [text.split(",")[0] for text in found] == ["the contract names no gRPC method"]
    http = replace(contract, operations=(loose,), api=replace(contract.api, protocols=(Protocol.HTTP,)))
    assert [text.split(",")[0] for text in remarks(http)] == ["the contract has no protocol grpc"]
