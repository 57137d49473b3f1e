"""Contracts that differ from the scaled ones in one thing, and what every loop must then do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest

from idempact.facts.loop import Budget, Jitter, LoopFacts, RetryClass, ServerHint, StatusRule
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.run import run_vector


@pytest.fixture(scope="session")
def built(language_id: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> Any:
    """The workshop of one language with the loop of every case, built in one go."""
    made = workshop(language_id)
    for case in CASES:
        made.render(case.name, replace(scaled["fast"], **case.changes))
    made.build([case.name for case in CASES])
    return made


@dataclass(frozen=True)
class Case:
    """A contract that differs from the scaled one, and what a loop must then do."""

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
            effects=1 if self.ok else None,
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
NO_CODE = {"code_pointer": None, "codes": ()}
HEADER_HINT = {"hint": ServerHint("header", "Should-Retry", ("true", "yes"), ("false",))}
BODY_HINT = {"hint": ServerHint("body", "/error/recovery", ("transient",), ("terminal",))}
BUSY = answer(503)
CASES = (
    Case("key-in-query", {"key_carrier": "query", "key_name": "client token"}, (BUSY,), Wire("query", "client token")),
    Case(
        "key-in-body",
        {"key_carrier": "body", "key_name": "/meta/request_id"},
        (BUSY,),
        Wire("body", "", ("meta", "request_id")),
    ),
    Case("key-in-quotes", {"key_quoted": True}, (BUSY,), Wire(quoted=True)),
    Case("decorrelated", {"jitter": Jitter.DECORRELATED}, (BUSY, BUSY), attempts=3),
    Case("no-budget", {"budget": None}, (BUSY,)),
    Case("ratio-budget", {"budget": Budget("ratio", share=0.1, within_ms=1000, min_per_second=3)}, (BUSY,)),
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
        {"code_pointer": "/errors/*/code"},
        (answer(409, "idempotency_request_in_progress"),),
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
    Case("run-of-statuses", {"statuses": RUN}, (answer(599), answer(500)), attempts=3),
    Case("deadline-header", {"deadline_header": "X-Left", "deadline_header_format": "ms-left"}, (BUSY,)),
)


def test_other_contracts(built: Any, pool: ThreadPoolExecutor) -> None:
    results = pool.map(lambda case: run_vector(case.vector(), built.client(case.name), case.wire), CASES)
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in results if not r.passed}
    assert not failed


def test_decorrelated_waits_keep_to_their_formula(
    built: Any, pool: ThreadPoolExecutor, scaled: Mapping[str, LoopFacts]
) -> None:
    """``min(cap, random(base, 3 * previous))``, the base before the first."""
    base, cap = scaled["fast"].base_ms, scaled["fast"].cap_ms
    endless = Case("decorrelated", {}, (BUSY,), attempts=4, ok=False, status=503, kinds=("unknown",))
    results = list(pool.map(lambda _: run_vector(endless.vector(), built.client("decorrelated"), Wire()), range(8)))
    assert [list(map(str, result.complaints)) for result in results if not result.passed] == []
    waits = [[wait for _, wait in result.report.waits_ms] for result in results]
    for drawn in waits:
        for previous, wait in zip([base, *drawn], drawn, strict=False):
            assert base <= wait <= min(cap, 3 * previous + 3)
    assert len({wait for drawn in waits for wait in drawn}) > 12
    assert max(wait for drawn in waits for wait in drawn) > 3 * base
