"""grpcio, given ``export grpc``, against a server on this machine: the attempts are those of the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest

from idempact.contract.read import read
from idempact.exports.grpc import render
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
retry:
  max_attempts: {attempts}
  deadline: 30s
  backoff: {{jitter: full, base: 10ms, factor: 2, cap: 40ms}}
  grpc: {{codes: [UNAVAILABLE], max_tokens: {tokens}, token_ratio: 0.1}}
operations:
  operation pay.v1.Payments/Create: keyed
  operation pay.v1.Payments/Count: {{safety: unsafe, because: counts, instead: nothing}}
"""


def config(attempts: int, tokens: int = 100) -> str:
    found = read(compose(Document("contract.yaml", CONTRACT.format(attempts=attempts, tokens=tokens))).value)  # type: ignore[arg-type]
    assert found.value is not None, found.diagnostics
    return render(found.value.contract)


class Failing(grpc.GenericRpcHandler):
    """Fails so many calls of each method with a code, and counts them with the keys that they carried."""

    def __init__(self, code: grpc.StatusCode, failures: int) -> None:
        self.code, self.failures = code, failures
        self.calls: Counter[str] = Counter()
        self.keys: list[object] = []

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
            self.calls[details.method] += 1
            self.keys.append(dict(context.invocation_metadata()).get("idempotency-key"))
            if self.calls[details.method] <= self.failures:
                context.abort(self.code, "as the test asks")
            return b"done"

        return grpc.unary_unary_rpc_method_handler(answer)


@contextmanager
def served(handler: Failing, service_config: str) -> Iterator[grpc.Channel]:
    server = grpc.server(ThreadPoolExecutor(max_workers=2), handlers=(handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    options = (("grpc.service_config", service_config), ("grpc.enable_http_proxy", 0))
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            yield channel
    finally:
        server.stop(None).wait()


def call(channel: grpc.Channel, method: str) -> grpc.StatusCode:
    stub = channel.unary_unary(f"/pay.v1.Payments/{method}")
    try:
        stub(b"", timeout=30, metadata=(("idempotency-key", "k1"),), wait_for_ready=True)
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        return code
    return grpc.StatusCode.OK


@pytest.mark.parametrize(("attempts", "made"), [(1, 1), (2, 2), (4, 4), (5, 5), (9, 5)])
def test_a_call_is_attempted_as_often_as_scheduled_and_never_above_grpcs_five(attempts: int, made: int) -> None:
    handler = Failing(grpc.StatusCode.UNAVAILABLE, failures=99)
    with served(handler, config(attempts)) as channel:
        assert call(channel, "Create") is grpc.StatusCode.UNAVAILABLE
    assert handler.calls["/pay.v1.Payments/Create"] == made
    assert handler.keys == ["k1"] * made


def test_it_ends_with_the_first_success() -> None:
    handler = Failing(grpc.StatusCode.UNAVAILABLE, failures=2)
    with served(handler, config(4)) as channel:
        assert call(channel, "Create") is grpc.StatusCode.OK
    assert handler.calls["/pay.v1.Payments/Create"] == 3


def test_an_unsafe_operation_and_another_code_are_attempted_once() -> None:
    handler = Failing(grpc.StatusCode.UNAVAILABLE, failures=99)
    with served(handler, config(4)) as channel:
        call(channel, "Count")
    other = Failing(grpc.StatusCode.FAILED_PRECONDITION, failures=99)
    with served(other, config(4)) as channel:
        call(channel, "Create")
    assert (handler.calls["/pay.v1.Payments/Count"], other.calls["/pay.v1.Payments/Create"]) == (1, 1)


def test_the_throttle_stops_retries_once_half_of_its_tokens_are_gone() -> None:
    handler = Failing(grpc.StatusCode.UNAVAILABLE, failures=99)
    with served(handler, config(5, tokens=4)) as channel:
        call(channel, "Create")
        assert handler.calls["/pay.v1.Payments/Create"] == 2
        call(channel, "Create")
        assert handler.calls["/pay.v1.Payments/Create"] == 3
