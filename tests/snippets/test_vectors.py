"""Every loop against every vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector
from idempact.vectors.run import run_vectors


def test_all_vectors_pass(played: Any, vectors: Sequence[Vector]) -> None:
    """All that the loop can be asked for: where its calls share no budget, three are left out."""
    assert len(played.results) >= len(vectors) - 3 >= 44
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in played.results if not r.passed}
    assert not failed


CALLS = 40
MANY = Vector(
    "many", "jitter", (), False, True, False, Target.SERVER, (0, 0), CALLS, True, 201, (), 0, 60_000, None, calls=CALLS
)


def test_every_answer_that_breaks_off_is_tried_again(played: Any) -> None:
    """Of many calls, since a client may tell of it in one way or another, as its threads come to run."""
    steps = (Step(Fault.TRUNCATE), Step(Fault.SERVE)) * CALLS
    cut = replace(MANY, steps=steps, attempts=(len(steps), len(steps)))
    (result,) = run_vectors([cut], played.made.client("{profile}"))
    assert result.passed, ([str(complaint) for complaint in result.complaints], result.report)


def test_the_windows_of_the_vectors_are_their_contracts_own(
    vectors: Sequence[Vector], scaled: Mapping[str, LoopFacts]
) -> None:
    for vector in vectors:
        loop = scaled[vector.profile]
        assert vector.windows_ms in ((), loop.windows_ms), vector.id
        assert vector.decorrelated_ms in (None, (loop.base_ms, loop.cap_ms)), vector.id
