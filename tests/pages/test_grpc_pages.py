"""Pages of an API that speaks gRPC, alone or beside HTTP, and statuses that are documented to be none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.contract.read import Read

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


GRPC = """\
idempact: 1
api: {name: Orders, base_url: https://g.example, contact: https://g.example/s, protocols: [grpc]}
key: {name: idempotency-key, required: true}
scope: [account, operation]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: queue, lasts: 20h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: replay}
answers:
  expired_key: {answer: execute}
  mismatch: {grpc: FAILED_PRECONDITION, status: none, code: REUSED}
  in_flight: {status: none, grpc: ABORTED, code: BUSY, retry_after: 1s}
  malformed_key: {status: none, grpc: INVALID_ARGUMENT, code: BAD}
  missing_key: {status: none, grpc: INVALID_ARGUMENT, code: none}
  unknown_outcome: {status: none, grpc: UNKNOWN, code: UNK}
  store_unavailable: {status: none, grpc: UNAVAILABLE, code: UNAV}
retry: {grpc: {codes: [UNAVAILABLE, RESOURCE_EXHAUSTED], max_tokens: 10, token_ratio: 0.1}}
operations:
  operation pkg.Orders/Create: keyed
publish: {provider: true, locales: [en, zh]}
server: {store: mysql, regions: home-region}
"""


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_the_pages_of_a_grpc_api_speak_of_grpc(folder: str, pages_of: Callable[[str], dict[str, str]]) -> None:
    pages = {path.removeprefix(folder): text for path, text in pages_of(GRPC).items() if path.startswith(folder)}
    busy = pages["errors/BUSY.md"]
    assert "gRPC `ABORTED`" in busy
    assert "grpc-status: 10" in busy
    assert "```http" not in busy
    assert "application/problem+json" not in busy + pages["errors/index.md"]
    assert "gRPC `INVALID_ARGUMENT`" in pages["errors/index.md"]
    assert "ABORTED" in pages["retry-outcomes.md"].replace("\\", "")
    table = pages["retries.md"].split("## ")[1]
    assert "gRPC `UNAVAILABLE`" in table
    assert "`RESOURCE_EXHAUSTED`" in table
    assert not re.search(r"\| (4|5)\d\d", table)
    assert "`idempotency-key`" in pages["keys.md"]
    assert "`Location`" not in pages["retry-outcomes.md"]


@pytest.mark.parametrize(
    ("protocols", "written", "carrier"),
    [
        ("[grpc]", "", "metadata"),
        ("[grpc]", "in: body, name: /key, ", "body"),
        ("[http, grpc]", "", "header"),
        ("[http]", "", "header"),
    ],
)
def test_in_grpc_alone_a_key_travels_in_metadata_unless_the_contract_says_where(
    protocols: str, written: str, carrier: str, read: Callable[[str], Read]
) -> None:
    own = written or "name: idempotency-key, "
    text = GRPC.replace("[grpc]", protocols).replace("key: {name: idempotency-key, ", f"key: {{{own}")
    if "grpc" not in protocols:
        text = re.sub("retry:.*\n", "", text)
    found = read(text).contract
    assert found.settings.key.carrier.value == carrier
    assert {op.settings.key.carrier.value for op in found.operations} == {carrier}


def test_http_and_grpc_statuses_stand_side_by_side(pages_of: Callable[[str], dict[str, str]]) -> None:
    text = GRPC.replace("[grpc]", "[http, grpc]").replace("status: none, grpc: ABORTED", "status: 409, grpc: ABORTED")
    pages = pages_of(text)
    assert "| 409, gRPC `ABORTED` |" in pages["errors/BUSY.md"]
    assert "HTTP/1.1 409 Conflict" in pages["errors/BUSY.md"]
    assert "grpc-status: 10" in pages["errors/BUSY.md"]


def test_documented_to_have_no_status_is_not_the_same_as_not_documented(
    pages_of: Callable[[str], dict[str, str]],
) -> None:
    text = re.sub("mismatch:.*", "mismatch: {status: none, code: gone}", MINIMAL)
    text = text.replace("api: {", "api: {protocols: [graphql], ")
    assert "| Status | none |" in pages_of(text)["errors/gone.md"]
