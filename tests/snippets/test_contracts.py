"""Contracts that differ from the scaled ones in one thing, and what every loop must then do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from idempact.facts.loop import CodeRule, LoopFacts, RetryClass, ServerHint, StatusRule
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.run import run_vector


@pytest.fixture(scope="session")
def built(
    loop_id: str,
    workshop: Callable[[str], Any],
    scaled: Mapping[str, LoopFacts],
    changed: Callable[[str, Mapping[str, object]], LoopFacts],
) -> Any:
    """The workshop of one language with the loop of every case, built in one go."""
    made = workshop(loop_id)
    for case in CASES:
        loop = changed(case.source, case.contract) if case.contract else scaled["fast"]
        made.render(case.name, replace(loop, **case.changes))
    made.build([case.name for case in CASES])
    return made


@dataclass(frozen=True)
class Case:
    """A contract that differs from the scaled one, and what a loop must then do.

    ``changes`` are those of the facts; ``contract`` is merged into the contract's text, which is below ``contract/``.
    """

    name: str
    changes: Mapping[str, Any]
    steps: tuple[Step, ...]
    wire: Wire = Wire()
    attempts: int = 2
    ok: bool = True
    status: int | None = 201
    kinds: tuple[str, ...] = ("success",)
    min_ms: int = 0
    keyed: bool = True
    effects: int = 1
    contract: Mapping[str, Any] = field(default_factory=dict)
    source: str = "vectors/fast.yaml"

    def vector(self) -> Vector:
        return Vector(
            id=self.name,
            profile=self.name,
            steps=self.steps,
            repeat_last=not self.ok,
            keyed=self.keyed,
            warm=False,
            target=Target.SERVER,
            attempts=(self.attempts, self.attempts),
            effects=self.effects if self.ok else None,
            ok=self.ok,
            status=self.status,
            kinds=self.kinds,
            min_ms=self.min_ms,
            max_ms=3000,
            retries=None,
        )


def answer(status: int, code: str = "", raw: str | None = None, **headers: str) -> Step:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Step(Fault.ANSWER, status, pairs, code, raw)


def refused(status: int | None, kind: str = "refused") -> dict[str, Any]:
    return {"attempts": 1, "ok": False, "status": status, "kinds": (kind,)}


THROTTLED = StatusRule(429, RetryClass.THROTTLED)
IN_FLIGHT = StatusRule(409, RetryClass.IN_FLIGHT)
MISMATCH = StatusRule(422, RetryClass.MISMATCH)
ACCEPTED = StatusRule(202, RetryClass.IN_FLIGHT)
RUN = (THROTTLED, *(StatusRule(status, RetryClass.TRANSIENT) for status in range(500, 600)))
NO_CODE = {"codes": ()}
IN_LIST = CodeRule("busy", (409,), RetryClass.IN_FLIGHT, "/errors/*/code")
HEADER_HINT = {"hint": ServerHint("header", "Should-Retry", ("true", "yes"), ("false",))}
BODY_HINT = {"hint": ServerHint("body", "/error/recovery", ("transient",), ("terminal",))}
BUSY = answer(503)
STRIPE = {"retry": {"backoff": {"base": "10ms", "cap": "40ms"}}}
TWO_PLACES = {
    "errors": {"code_at": "/error/code"},
    "answers": {"mismatch": {"status": 409, "code": "reused", "code_at": "/error/type"}},
    "retry": {"transient": {"statuses": [409, 503], "codes": ["lagging"]}},
}
IN_XML = {
    "errors": {"media_type": "application/xml", "code_at": "/Error/Code"},
    "answers": {"unknown_outcome": {"status": 410, "code": "Unknown"}},
}
IN_SUCCESS = {"answers": {"mismatch": {"status": 200, "code": "REUSED", "code_at": "/errors/*/code"}}}
CODE_CASES = (
    Case(
        "stripe-mismatch",
        {},
        (answer(400, raw='{"error": {"type": "idempotency_error"}}', Stripe_Should_Retry="true"),),
        **refused(400, "mismatch"),
        contract=STRIPE,
        source="vendors/stripe-v1.yaml",
    ),
    Case(
        "stripe-in-flight",
        {},
        (answer(409, raw='{"error": {"type": "invalid_request_error", "code": "idempotency_key_in_use"}}'),),
        contract=STRIPE,
        source="vendors/stripe-v1.yaml",
    ),
    Case(
        "stripe-code-in-the-other-place",
        {},
        (answer(402, raw='{"error": {"type": "card_error", "code": "idempotency_error"}}'),),
        **refused(402),
        contract=STRIPE,
        source="vendors/stripe-v1.yaml",
    ),
    Case(
        "mismatch-elsewhere",
        {},
        (answer(409, raw='{"error": {"type": "reused"}}'),),
        **refused(409, "mismatch"),
        contract=TWO_PLACES,
    ),
    Case(
        "mismatch-beside-another-code",
        {},
        (answer(409, raw='{"error": {"code": "lagging", "type": "reused"}}'),),
        **refused(409, "mismatch"),
        contract=TWO_PLACES,
    ),
    Case("no-mismatch-elsewhere", {}, (answer(418, raw='{"error": {"code": "lagging"}}'),), contract=TWO_PLACES),
    Case("html-with-two-places", {}, (answer(503, raw="<html>"),), contract=TWO_PLACES),
    Case("xml-in-flight", {}, (answer(409, raw="<Error/>", Content_Type="application/xml"),), contract=IN_XML),
    Case("xml-mismatch", {}, (answer(422, raw="<Error/>"),), **refused(422, "mismatch"), contract=IN_XML),
    Case(
        "code-nowhere",
        {},
        (answer(422, "idempotency_key_reused"),),
        **refused(422, "mismatch"),
        contract={"errors": {"code_at": "none"}},
    ),
    Case(
        "mismatch-in-a-200",
        {},
        (answer(200, raw='{"errors": [{"code": "REUSED"}]}'),),
        **refused(200, "mismatch"),
        contract=IN_SUCCESS,
    ),
    Case("success-beside-it", {}, (answer(200),), attempts=1, effects=0, status=200, contract=IN_SUCCESS),
    Case("code-in-a-success", {}, (answer(200, "idempotency_key_reused"),), attempts=1, effects=0, status=200),
)
PENDING = {
    "answers": {
        "in_flight": {
            "answer": "accept",
            "status": 202,
            "code": "pending",
            "code_at": "/status",
            "status_url": "/operations/{id}",
        }
    }
}
ACCEPT_CASES = (
    Case(
        "accepted-by-its-code",
        {},
        (answer(202, raw='{"status": "pending"}', Location="/operations/1"),) * 2,
        attempts=3,
        contract=PENDING,
    ),
    Case("accepted-is-done", {}, (answer(202),), attempts=1, effects=0, status=202, contract=PENDING),
)
GONE = {
    "operations": {"DELETE /sessions/{id}": {"safety": "natural", "because": "gone stays gone", "repeat_status": 404}}
}
REPEAT_CASES = (
    Case("gone-by-a-lost-attempt", {}, (Step(Fault.RESET_AFTER), answer(404)), keyed=False, status=404, contract=GONE),
    Case("gone-after-busy", {}, (BUSY, answer(404)), keyed=False, status=404, effects=0, contract=GONE),
    Case("never-there", {}, (answer(404),), keyed=False, **refused(404), contract=GONE),
    Case(
        "not-there-after-throttling",
        {},
        (answer(429), answer(404)),
        keyed=False,
        **{**refused(404), "attempts": 2},
        contract=GONE,
    ),
)
LATER = (answer(429, Retry_After="2"),)
FIRST_SENT_CASES = tuple(
    Case(f"first-sent-in-{carrier}", {}, LATER, contract={"key": {"first_sent": {"in": carrier, "name": name}}})
    for carrier, name in (("header", "First-Sent"), ("query", "first sent"), ("body", "/meta/first"))
)
CASES = (
    Case("least-wait", {"least_wait_ms": 700}, (BUSY,), min_ms=700),
    Case(
        "wait-in-body",
        {"retry_after_carrier": "body", "retry_after_name": "/error/wait"},
        (answer(429, raw='{"error": {"wait": 1}}'),),
        min_ms=1000,
    ),
    Case(
        "wait-in-ms",
        {"retry_after_name": "Wait-Ms", "retry_after_unit": "ms"},
        (answer(429, Wait_Ms="600"),),
        min_ms=600,
    ),
    Case("wait-nowhere", {"retry_after_carrier": None}, (answer(429, Retry_After="60"),)),
    Case("wait-huge", {}, (answer(429, Retry_After="9" * 400),), **refused(429)),
    Case("wait-with-zeros", {}, (answer(429, Retry_After="0001"),), min_ms=1000),
    Case("wait-until-past", {}, (answer(429, Retry_After="Sun, 06 Nov 1994 08:49:37 GMT"),)),
    Case("hint-stops", HEADER_HINT, (answer(503, Should_Retry="false"),), **refused(503, "unknown")),
    Case("hint-stops-throttled", HEADER_HINT, (answer(429, Should_Retry="false"),), **refused(429)),
    Case("hint-retries", HEADER_HINT, (answer(409, "conflict", Should_Retry="yes"),)),
    Case("hint-without-key", HEADER_HINT, (answer(409, Should_Retry="yes"),), keyed=False, **refused(409, "unknown")),
    Case(
        "hint-against-mismatch",
        HEADER_HINT,
        (answer(422, "idempotency_key_reused", Should_Retry="true"),),
        **refused(422, "mismatch"),
    ),
    Case(
        "hint-in-body",
        BODY_HINT,
        (answer(503, raw='{"error": {"recovery": "terminal"}}'),),
        **refused(503, "unknown"),
    ),
    Case(
        "code-in-list",
        {"codes": (IN_LIST,)},
        (answer(409, "busy"),),
        Wire(code_path=("errors", "*", "code")),
    ),
    Case("no-code-known", {**NO_CODE, "statuses": (THROTTLED, IN_FLIGHT)}, (answer(409, "whatever"),)),
    Case("no-code-mismatch", {**NO_CODE, "statuses": (MISMATCH,)}, (answer(422),), **refused(422, "mismatch")),
    Case("server-says-unknown", {}, (answer(409, "idempotency_outcome_unknown"),), **refused(409, "unknown")),
    Case("natural-without-key", {"natural": True}, (BUSY,), keyed=False),
    Case("no-answer-is-final", {"retry_no_answer": False}, (Step(Fault.RESET_AFTER),), **refused(None, "unknown")),
    Case("refused-after-silence", {}, (Step(Fault.RESET_BEFORE), answer(400)), **{**refused(400), "attempts": 2}),
    Case(
        "throttled-after-silence",
        {},
        (Step(Fault.RESET_BEFORE), answer(429, Retry_After="60")),
        **{**refused(429, "unknown"), "attempts": 2},
    ),
    Case("accepted-in-flight", {"statuses": (ACCEPTED,)}, (answer(202),)),
    Case(
        "headers-that-drip",
        {"deadline_ms": 1500},
        (Step(Fault.DRIP_HEAD, wait_ms=300, size=60),) * 5,
        **{**refused(None, "unknown"), "attempts": 2},
    ),
    Case("run-of-statuses", {"statuses": RUN}, (answer(599), answer(500)), attempts=3),
    Case("deadline-header", {"deadline_header": "X-Left", "deadline_header_format": "ms-left"}, (BUSY,)),
    *CODE_CASES,
    *ACCEPT_CASES,
    *REPEAT_CASES,
    *FIRST_SENT_CASES,
)


def test_other_contracts(built: Any, loop_id: str, pool: Callable[[str], ThreadPoolExecutor]) -> None:
    results = pool(loop_id).map(lambda case: run_vector(case.vector(), built.client(case.name), case.wire), CASES)
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in results if not r.passed}
    assert not failed


def test_the_first_attempts_time_is_repeated(
    built: Any, loop_id: str, pool: Callable[[str], ThreadPoolExecutor]
) -> None:
    """Two seconds lie between the attempts, so a time that is made anew would differ."""
    before = int(time.time())
    cases = FIRST_SENT_CASES
    results = list(pool(loop_id).map(lambda case: run_vector(case.vector(), built.client(case.name), case.wire), cases))
    assert [list(map(str, result.complaints)) for result in results if not result.passed] == []
    in_header, in_query, in_body = [result.seen.exchanges for result in results]
    times = {exchange.headers["first-sent"] for exchange in in_header}
    times |= {parse_qs(urlsplit(exchange.target).query)["first sent"][0] for exchange in in_query}
    times |= {json.loads(exchange.body)["meta"]["first"] for exchange in in_body}
    assert all(before <= parsedate_to_datetime(sent).timestamp() <= time.time() for sent in times)
    assert all(sent.endswith(" GMT") for sent in times)
    assert len({exchange.headers["first-sent"] for exchange in in_header}) == 1
    assert len({exchange.target for exchange in in_query}) == 1


def test_without_a_key_no_first_time_is_sent(built: Any) -> None:
    case = replace(FIRST_SENT_CASES[0], steps=(), attempts=1, keyed=False)
    result = run_vector(case.vector(), built.client(case.name), case.wire)
    assert result.passed
    assert "first-sent" not in result.seen.exchanges[0].headers


def test_a_call_that_is_called_off_during_its_attempt_pays_for_no_retry(built: Any) -> None:
    """A loop that can't leave the attempt has its answer in the end; one that can says that nobody knows."""
    case = next(case for case in CASES if case.name == "headers-that-drip")
    vector = replace(case.vector(), steps=(Step(Fault.SLOW, wait_ms=800),), repeat_last=False, cancel_ms=300)
    result = run_vector(vector, built.client(case.name), case.wire)
    assert (len(result.seen.exchanges), result.report.retries) == (1, 0), result.report
    assert result.report.kind in ("success", "unknown"), result.report
