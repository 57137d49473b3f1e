"""Every loop against every vector, and its waits against their distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Vector
from idempact.vectors.run import Result

QUICK_MS = 40


@pytest.fixture(scope="session")
def built(loop_id: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> Any:
    """The workshop of one language with the loop of every profile, built in one go."""
    made = workshop(loop_id)
    loops = {**scaled, "quick": replace(scaled["fast"], base_ms=QUICK_MS)}
    for name, loop in loops.items():
        made.render(name, loop)
    made.build(tuple(loops))
    return made


def test_all_vectors_pass(built: Any, vectors: Sequence[Vector], finish: Callable[..., tuple[Result, ...]]) -> None:
    results = finish(vectors, built.client("{profile}"))
    assert len(results) >= 37
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in results if not r.passed}
    assert not failed


def test_waits_have_full_jitter(
    built: Any, vectors: Sequence[Vector], finish: Callable[..., tuple[Result, ...]]
) -> None:
    endless = next(vector for vector in vectors if vector.id == "v16-endless-503-attempt-cap")
    results = finish([endless] * 20, built.client("quick"))
    assert all(result.passed for result in results)
    windows = (QUICK_MS, 2 * QUICK_MS, 4 * QUICK_MS)
    shares = [wait / windows[attempt - 1] for result in results for attempt, wait in result.report.waits_ms]
    assert len(shares) == 60
    assert max(shares) <= 1
    assert min(shares) < 0.2
    assert 0.33 <= sum(shares) / len(shares) <= 0.67
