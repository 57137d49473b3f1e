"""Every loop against every vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Vector
from idempact.vectors.run import Result


@pytest.fixture(scope="session")
def built(loop_id: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> Any:
    """The workshop of one loop with its rendering for every profile, built in one go."""
    made = workshop(loop_id)
    for name, loop in scaled.items():
        made.render(name, loop)
    made.build(tuple(scaled))
    return made


def test_all_vectors_pass(built: Any, vectors: Sequence[Vector], finish: Callable[..., tuple[Result, ...]]) -> None:
    """All, but those that ask for a shared budget where the loop says that its calls share none."""
    chosen = [vector for vector in vectors if not (vector.shares_budget and built.variant.budget == "call")]
    results = finish(chosen, built.client("{profile}"))
    assert len(results) >= len(vectors) - 3 >= 44
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in results if not r.passed}
    assert not failed


def test_the_windows_of_the_vectors_are_their_contracts_own(
    vectors: Sequence[Vector], scaled: Mapping[str, LoopFacts]
) -> None:
    for vector in vectors:
        loop = scaled[vector.profile]
        assert vector.windows_ms in ((), loop.windows_ms), vector.id
        assert vector.decorrelated_ms in (None, (loop.base_ms, loop.cap_ms)), vector.id
