"""The nine states, each reached by what a caller can do, and held against the decision table of the pages.

The sandbox's rules and the table were written apart from one another. Where they differ, one of them is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Contract, Operation
from idempact.contract.model.operations import Safety
from idempact.facts.outcomes import Outcome
from idempact.facts.verdicts import Result, ResultKind, State, verdicts
from idempact.sandbox.exchange import Request, Response
from idempact.scenarios.requests import Caller, of_safety, path
from idempact.scenarios.run import CONTENTS
from idempact.scenarios.terms import moments

VENDORS = Path(__file__).resolve().parents[2] / "contract" / "vendors"
SOURCES = ["contract.yaml", "minimal.yaml", *(f"vendors/{p.name}" for p in sorted(VENDORS.glob("*.yaml")))]
SOURCES.remove("vendors/shopify-graphql.yaml")  # its key travels in a directive, which no plain HTTP request carries
FAULTS: tuple[Mapping[str, object], ...] = (
    {"fail": 400, "during": "before-execution"},
    {"fail": 402, "during": "execution"},
    {"fail": 500, "during": "before-effects"},
    {"fail": 500, "during": "after-effects"},
    {"fail": 503, "during": "before-effects"},
    {"fail": 408, "during": "execution"},
)
KINDS = {
    "done": ResultKind.EXECUTE,
    "resumed": ResultKind.RESUME,
    "replayed": ResultKind.REPLAY,
    "replayed-failure": ResultKind.REPLAY_FAILURE,
}


class Stage:
    """One contract's sandbox, and the ways to bring its key into each state."""

    def __init__(self, drive: Callable[..., object], contract: Contract) -> None:
        self.drive, self.contract = drive, contract
        found = of_safety(contract, Safety.KEYED)
        assert found is not None
        self.operation: Operation = found
        self.caller = Caller(found, "run", path(found), CONTENTS)
        self.times = moments(found.settings)

    def request(self, content: str = "a", fault: Mapping[str, object] | None = None) -> Request:
        call = self.caller.call({"content": content})
        told = (("sandbox-fault", json.dumps(fault)),) if fault is not None else ()
        return Request(call.method, call.target, (*((n.lower(), v) for n, v in call.headers), *told), call.body)

    def reached(self, state: State) -> Iterator[object]:
        """Sandboxes whose key is in that state, as many ways as there are to it."""
        for way in WAYS[state](self):
            if [found.value for found in self.now(way)] == ([] if state is State.NONE else [state.value]):
                yield way

    def now(self, sandbox) -> list[State]:  # type: ignore[no-untyped-def]
        return [State(state.value) for _, state in sandbox.app.states()]

    def fresh(self):  # type: ignore[no-untyped-def]
        return self.drive(self.contract)

    def after(self, fault: Mapping[str, object] | None, *waits: str):  # type: ignore[no-untyped-def]
        sandbox = self.fresh()
        sandbox.run(sandbox.app.handle(self.request(fault=fault)))
        for wait in waits:
            sandbox.advance(self.times[wait])
        if "window" in waits or "cleanup" in waits:
            for resource in ("res_1",):
                if str(self.operation.settings.windows.counted_from) == "resource-end":
                    sandbox.control(f"resources/{resource}", ended=True)
                    sandbox.advance(self.times[waits[-1]])
        return sandbox

    def held(self):  # type: ignore[no-untyped-def]
        sandbox = self.fresh()
        sandbox.begin(self.request(fault={"hold": True}))
        return sandbox


def _waited(wait: str) -> Callable[[Stage], Iterator[object]]:
    def ways(stage: Stage) -> Iterator[object]:
        if stage.times[wait] is not None:
            yield stage.after(None, wait)

    return ways


def _failures(stage: Stage) -> Iterator[object]:
    for fault in FAULTS:
        yield stage.after(fault)


WAYS: Mapping[State, Callable[[Stage], Iterator[object]]] = {
    State.NONE: lambda stage: iter([stage.fresh()]),
    State.IN_PROGRESS: lambda stage: iter([stage.held()]),
    State.STALE: lambda stage: iter(
        [stage.after({"crash": "before"}, "lease"), stage.after({"crash": "after"}, "lease")]
    ),
    State.COMPLETED: lambda stage: iter([stage.after(None)]),
    State.FAILED_KEPT: _failures,
    State.FAILED_RE_EXECUTED: _failures,
    State.UNKNOWN_OUTCOME: _failures,
    State.EXPIRED: _waited("window"),
    State.REMOVED: _waited("cleanup"),
}


def seen(sandbox, stage: Stage, content: str) -> Response:  # type: ignore[no-untyped-def]
    """What a request then gets; one that waits for a run has its answer once the waiting ends."""
    answer = stage.operation.settings.answers.in_flight
    request = stage.request(content)
    if getattr(answer, "answer", None) is not Verb.WAIT:
        return sandbox.send(request)
    task = sandbox.begin(request)
    if not task.done():
        sandbox.advance(answer.at_most.ms if answer.at_most is not None else 0)  # type: ignore[union-attr]
    return sandbox.finish(task)


def agrees(response: Response, result: Result) -> bool:
    """Whether what was seen is what the table says."""
    if result.kind in (ResultKind.ANSWER, ResultKind.WAIT):
        return result.outcome is not None and _as_told(response, result.outcome)
    return KINDS.get(response.outcome) is result.kind


def _as_told(response: Response, outcome: Outcome) -> bool:
    accepted = outcome.verb is Verb.ACCEPT and response.outcome == "accepted"
    named = response.outcome == outcome.name or accepted
    status = not outcome.statuses or response.status in outcome.statuses
    code = accepted or outcome.known_code is None or outcome.code_at is None
    waits = {name.lower(): value for name, value in response.headers}.get("retry-after")
    wait = accepted or outcome.retry_after_s is None or waits in (None, str(outcome.retry_after_s))
    return named and status and wait and (code or json.dumps(outcome.known_code)[1:-1].encode() in response.body)


@pytest.mark.parametrize("source", SOURCES)
def test_each_state_gets_what_the_table_says(source: str, drive, contract) -> None:  # type: ignore[no-untyped-def]
    stage = Stage(drive, contract(source))
    differ: list[str] = []
    for verdict in verdicts(stage.operation.settings):
        for cell, content in ((verdict.same, "a"), (verdict.other, "b")):
            ways = list(stage.reached(verdict.state))
            responses = [seen(way, stage, content) for way in ways]
            if not verdict.occurs:
                differ += [f"{verdict.state} is reached, and the table says that it does not occur"] * bool(ways)
                continue
            for response in responses:
                if not any(agrees(response, result) for result in cell):
                    differ.append(f"{verdict.state}/{content}: {response.outcome} {response.status}, not {cell}")
    assert differ == []


def test_all_nine_states_are_reached_on_the_example(drive, contract) -> None:  # type: ignore[no-untyped-def]
    stage = Stage(drive, contract())
    assert {state for state in State if list(stage.reached(state))} == set(State)


def test_the_table_would_be_caught_if_it_differed(drive, contract) -> None:  # type: ignore[no-untyped-def]
    stage = Stage(drive, contract())
    way = next(iter(stage.reached(State.COMPLETED)))
    response = seen(way, stage, "b")
    for kind in ResultKind:
        assert not agrees(response, Result(kind))


def test_the_sandbox_reads_the_contracts_model_and_none_of_the_facts() -> None:
    package = VENDORS.parents[1] / "generator" / "idempact"
    imports = re.compile(r"^\s*(?:from|import) idempact\.([\w.]+)", re.M)
    found = {name for path in (package / "sandbox").glob("*.py") for name in imports.findall(path.read_text("utf-8"))}
    # What stands for `typing` says nothing.
    rooms = {name.split(".")[0] for name in found - {"resources.typed"}}
    assert rooms == {"contract", "sandbox", "text"}
    assert not {name for name in found if name.startswith("contract.answering")}
