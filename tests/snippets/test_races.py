"""Faults of the transport, many times in one process: how a client tells of one may hang on how its threads run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from idempact.vectors.client import read_report
from idempact.vectors.model import Fault, Step, Target, Vector
from idempact.vectors.run import Result, run_vectors

SERVED = Step(Fault.SERVE)
AT_ONCE = 5


@dataclass(frozen=True)
class Race:
    """Calls, one after the other, that meet the same fault; all but a slow answer cost next to no time."""

    name: str
    fault: Step
    calls: int = 42

    def keyed(self) -> tuple[Vector, tuple[str, ...]]:
        """Each call meets the fault once, and has to come through; and the kinds of outcome that must be told."""
        steps = (self.fault, SERVED) * self.calls
        return vector(f"{self.name}-keyed", self.calls, steps, True), ("success",) * self.calls

    def keyless(self) -> tuple[Vector, tuple[str, ...]]:
        """Each call may be made once: on a new connection, and on one that has just served another call."""
        rounds = self.calls // 3
        steps, kinds = (self.fault, SERVED, self.fault) * rounds, ("unknown", "success", "unknown") * rounds
        return vector(f"{self.name}-keyless", len(steps), steps, False), kinds


def vector(name: str, calls: int, steps: tuple[Step, ...], keyed: bool) -> Vector:
    happened = sum(step.fault is not Fault.RESET_BEFORE for step in steps)
    return Vector(
        id=name,
        profile="jitter",
        steps=steps,
        repeat_last=False,
        keyed=keyed,
        warm=False,
        target=Target.SERVER,
        attempts=(len(steps), len(steps)),
        effects=calls if keyed else happened,
        ok=keyed,
        status=201 if keyed else None,
        kinds=(),
        min_ms=0,
        max_ms=60_000,
        retries=None,
        calls=calls,
    )


RACES = (
    Race("slow", Step(Fault.SLOW, wait_ms=1600), calls=6),
    Race("cut-off", Step(Fault.TRUNCATE)),
    Race("reset-before", Step(Fault.RESET_BEFORE)),
    Race("reset-after", Step(Fault.RESET_AFTER)),
    Race("closed", Step(Fault.CLOSE)),
)
# nobody listens: a call never gets out, with or without a key
UNHEARD = replace(vector("unheard", 12, (), False), target=Target.CLOSED, retries=12 * 3)
ASKED = [*(case for race in RACES for case in (race.keyed(), race.keyless())), (UNHEARD, ("not-sent",) * 12)]


@pytest.fixture(scope="session")
def raced(played: Any) -> Sequence[Result]:
    return run_vectors([vector for vector, _ in ASKED], played.made.client("{profile}"), at_once=AT_ONCE)


@pytest.mark.parametrize("number", range(len(ASKED)), ids=[vector.id for vector, _ in ASKED])
def test_each_of_many_calls_is_judged_alike(raced: Sequence[Result], number: int) -> None:
    result, kinds = raced[number], ASKED[number][1]
    assert result.passed, ([str(complaint) for complaint in result.complaints], result.report)
    assert result.report.kinds == kinds


def called_off(steps: tuple[Step, ...], after_ms: int) -> Vector:
    """Calls that end by their answer, or by the caller about when it comes."""
    name = f"called-off-{after_ms}-{steps[0].fault}-{steps[0].wait_ms}"
    return replace(
        vector(name, 25, steps * 25, True),
        attempts=(0, 99),
        effects=None,
        status=None,
        cancel_ms=after_ms,
        retries=None,
    )


LATE = (Step(Fault.SLOW, wait_ms=60),)
REFUSED_FIRST = (Step(Fault.ANSWER, 429), SERVED)
CALLED_OFF = [*(called_off(LATE, ms) for ms in (60, 64, 70, 76, 82, 90)), called_off(REFUSED_FIRST, 30)]


def test_a_call_that_is_called_off_is_told_as_it_stands(played: Any) -> None:
    """Whenever that is: a success has happened, and what had no effect for sure has had none."""
    wrong = []
    for result in run_vectors(CALLED_OFF, played.made.client("{profile}"), at_once=AT_ONCE):
        done = {exchange.key for exchange in result.seen.exchanges if exchange.status == 201}
        assert len(result.report.kinds) == 25, result.report
        for number, kind in enumerate(result.report.kinds, 1):
            happened = f"key-{result.vector.id}-0123456789-{number}" in done
            if kind != "unknown" and (kind == "success") != happened:
                wrong.append((result.vector.id, number, kind, happened))
    assert wrong == []


def test_a_report_holds_what_was_told_of_each_call() -> None:
    told = '{"ok": true, "kind": "success"}\nwarming up\n{"ok": false}\n\n{"ok": false, "kind": "unknown"}\n'
    assert read_report(told, "").kinds == ("success", "", "unknown")
