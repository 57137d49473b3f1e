"""Every loop against every vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Vector


def test_all_vectors_pass(played: Any, vectors: Sequence[Vector]) -> None:
    """All that the loop can be asked for: where its calls share no budget, three are left out."""
    assert len(played.results) >= len(vectors) - 3 >= 44
    failed = {r.vector.id: [str(c) for c in r.complaints] + [r.report.log] for r in played.results if not r.passed}
    assert not failed


def test_the_windows_of_the_vectors_are_their_contracts_own(
    vectors: Sequence[Vector], scaled: Mapping[str, LoopFacts]
) -> None:
    for vector in vectors:
        loop = scaled[vector.profile]
        assert vector.windows_ms in ((), loop.windows_ms), vector.id
        assert vector.decorrelated_ms in (None, (loop.base_ms, loop.cap_ms)), vector.id
