"""Rules broken on purpose (``mutants.yml`` beside a language): each must be noticed by a vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from idempact.facts.loop import LoopFacts
from idempact.render.environment import template_roots
from idempact.vectors.model import Vector
from idempact.vectors.profiles import wires
from idempact.vectors.run import Result, run_vector

RULES = frozenset(map(str, range(1, 13)))


@dataclass(frozen=True)
class Mutant:
    """One rule broken in a rendered loop, the vector that notices, and what it then complains about."""

    rule: str
    old: str
    new: str
    vector: str
    about: str
    seconds: int = 8
    """How long to wait for a client that the broken rule may keep for ever."""
    loops: Sequence[str] = ()
    """The loops that hold the text, where not all of the language's do."""


def read_mutants(path: Path) -> dict[str, tuple[Mutant, ...]]:
    """The ways in which each loop of a language is broken."""
    data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    mutants = [Mutant(**mutant) for mutant in data["mutants"]]
    assert {loop for mutant in mutants for loop in mutant.loops} <= set(data["loops"])
    return {
        f"{path.parent.name}-{loop}": tuple(mutant for mutant in mutants if not mutant.loops or loop in mutant.loops)
        for loop in data["loops"]
    }


FILES = [path for root in template_roots() for path in sorted((root / "snippets").glob("*/mutants.yml"))]
MUTANTS = {loop: mutants for path in FILES for loop, mutants in read_mutants(path).items()}


def broken(mutant: Mutant) -> Callable[[str], str]:
    def change(code: str) -> str:
        assert mutant.old in code, f"{mutant.rule}: the loop holds no {mutant.old!r}"
        return code.replace(mutant.old, mutant.new)

    return change


@pytest.fixture(scope="session")
def mutated(
    workshop: Callable[[str], Any],
    scaled: Mapping[str, LoopFacts],
    vectors: Sequence[Vector],
    pool: Callable[[str], ThreadPoolExecutor],
) -> Callable[[str], Mapping[str, Result]]:
    """What each mutant of a loop did; all of them are built in one go, on the first question."""
    found: dict[str, Mapping[str, Result]] = {}
    known = wires()

    def results(loop_id: str) -> Mapping[str, Result]:
        if loop_id not in found:
            made = workshop(loop_id)
            chosen = {m.rule: next(v for v in vectors if v.id.startswith(m.vector)) for m in MUTANTS[loop_id]}
            for mutant in MUTANTS[loop_id]:
                made.render(mutant.rule, scaled[chosen[mutant.rule].profile], broken(mutant))
            made.build(list(chosen))

            def run(mutant: Mutant) -> Result:
                vector = chosen[mutant.rule]
                return run_vector(vector, made.client(mutant.rule, timeout=mutant.seconds), known[vector.profile])

            found[loop_id] = dict(zip(chosen, pool(loop_id).map(run, MUTANTS[loop_id]), strict=True))
        return found[loop_id]

    return results


@pytest.mark.parametrize(
    ("loop", "mutant"),
    [pytest.param(loop, mutant, id=f"{loop} {mutant.rule}") for loop in MUTANTS for mutant in MUTANTS[loop]],
)
def test_a_broken_rule_is_noticed(loop: str, mutant: Mutant, mutated: Callable[[str], Mapping[str, Result]]) -> None:
    result = mutated(loop)[mutant.rule]
    assert mutant.about in {complaint.about for complaint in result.complaints}, result.report


@pytest.mark.parametrize("loop", MUTANTS)
def test_every_rule_is_broken_once(loop: str) -> None:
    names = [mutant.rule for mutant in MUTANTS[loop]]
    assert len(set(names)) == len(names)
    assert {name.split()[0] for name in names} == RULES


def test_loops_of_several_languages_are_broken() -> None:
    assert {path.parent.name for path in FILES} >= {"python", "typescript", "go"}
