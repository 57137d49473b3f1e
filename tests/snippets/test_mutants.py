"""Rules broken on purpose: each mutant of the rendered Python loop must be noticed by a vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Vector
from idempact.vectors.run import Result, run_vector


@dataclass(frozen=True)
class Mutant:
    """One rule broken in the rendered Python loop, and the vector that notices."""

    rule: str
    old: str
    new: str
    vector: str
    about: str


SEND = "client.send(request, stream=True, follow_redirects=False)"
MUTANTS = (
    Mutant(
        "1 one key",
        "        limit = max(",
        '        headers["Idempotency-Key"] += "x"\n        limit = max(',
        "v02",
        "key on each attempt",
    ),
    Mutant("1 one body", "content=body", 'content=body + b" " * len(verdicts)', "v02", "bytes on each attempt"),
    Mutant("1 whole key", '"] = key\n', '"] = key[:255]\n', "v34", "key on each attempt"),
    Mutant("2 accepted", '    202: "in-flight",\n', "", "v35", "attempts"),
    Mutant("2 accepted alone", "STATUSES.get(", '{202: "in-flight", **STATUSES}.get(', "v37", "attempts"),
    Mutant("2 mismatch", '_reused": "mismatch"', '_reused": "transient"', "v11", "attempts"),
    Mutant(
        "2 in flight by its code",
        '    429: "throttled"',
        '    409: "in-flight",\n    429: "throttled"',
        "v10",
        "attempts",
    ),
    Mutant("3 slow without key", "key is not None and verdicts", "verdicts", "v15", "attempts"),
    Mutant("3 reset without key", "key is not None and verdicts", "verdicts", "v21", "effects"),
    Mutant("5 Retry-After", ", _retry_after(_error(state)))", ")", "v04", "time"),
    Mutant("5 what does not fit", " | stop_before_delay(DEADLINE)", "", "v06", "report"),
    Mutant("6 deadline", "min(ATTEMPT_TIMEOUT, ends - time.monotonic())", "4 * ATTEMPT_TIMEOUT", "v17", "attempts"),
    Mutant("6 dripping body", "if time.monotonic() > ends:", "if False:", "v19", "report"),
    Mutant("7 cautious", "CAUTIOUS_RETRIES = 1", "CAUTIOUS_RETRIES = 9", "v13", "attempts"),
    Mutant("7 attempts", "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 9", "v16", "attempts"),
    Mutant("8 budget", "if cost > self._tokens:", "if False:", "v18", "attempts"),
    Mutant("9 log", "        before_sleep=note,\n", "", "v02", "retries logged"),
    Mutant(
        "10 hidden retry",
        f"    response = {SEND}\n",
        f"    try:\n        response = {SEND}\n    except httpx.TransportError:\n        response = {SEND}\n",
        "v22",
        "retries logged",
    ),
    Mutant(
        "11 cut off",
        "    finally:\n        response.close()\n",
        "    except httpx.RemoteProtocolError:\n        pass\n    finally:\n        response.close()\n",
        "v31",
        "attempts",
    ),
    Mutant("11 HTML page", "except (ValueError, LookupError", "except (LookupError", "v32", "report"),
    Mutant("12 unknown", "OPEN.isdisjoint(verdicts):", "True:", "v21", "kind"),
)


@pytest.fixture(scope="session")
def mutated(
    workshop: Callable[[str], Any],
    scaled: Mapping[str, LoopFacts],
    vectors: Sequence[Vector],
    pool: ThreadPoolExecutor,
) -> Mapping[str, Result]:
    made = workshop("python-tenacity")

    def run(mutant: Mutant) -> Result:
        vector = next(vector for vector in vectors if vector.id.startswith(mutant.vector))

        def broken(code: str) -> str:
            assert mutant.old in code
            return code.replace(mutant.old, mutant.new)

        made.render(mutant.rule, scaled[vector.profile], broken)
        return run_vector(vector, made.client(mutant.rule, timeout=6))

    return dict(zip((mutant.rule for mutant in MUTANTS), pool.map(run, MUTANTS), strict=True))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.rule)
def test_a_broken_rule_is_noticed(mutant: Mutant, mutated: Mapping[str, Result]) -> None:
    complaints = mutated[mutant.rule].complaints
    assert mutant.about in {complaint.about for complaint in complaints}
