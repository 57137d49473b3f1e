"""Puts a server through scenarios, and judges each answer by what the contract says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Contract, Operation, Settings
from idempact.contract.model.operations import Safety
from idempact.contract.model.replay import Fidelity, Indicator, IndicatorCarrier
from idempact.contract.units import NotDocumented
from idempact.resources.typed import Protocol
from idempact.scenarios.model import Scenario, Step
from idempact.scenarios.requests import Call, Caller, of_safety, path
from idempact.scenarios.terms import Expected, expected, moments, terms
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain

CONTENTS: Mapping[str, dict[str, Plain]] = {
    "a": {"amount": 100, "currency": "EUR"},
    "b": {"amount": 250, "currency": "EUR"},
    "a-reordered": {"currency": "EUR", "amount": 100},
    "a-respaced": {"amount": 100, "currency": "EUR"},
    "a-equal": {"amount": 100.0, "currency": "EUR"},
}
OUTCOMES = ("done", "replayed", "failed", "nothing")
"""What a step may get beside one of the contract's answers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: header names in lower case; a status of 0 where the connection ended without an answer."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def effects(self) -> int | None:
        """How many effects the server says to have made, where it says so."""
        told = self.headers.get("sandbox-effects", "")
        return int(told) if told.isdigit() else None


class Target(Protocol):
    """A server under test. ``controls`` says whether it can be told what to do, by the sandbox's own addresses."""

    controls: bool

    def send(self, call: Call) -> Answer:
        """The answer to a request."""

    def begin(self, call: Call) -> Callable[[], Answer]:
        """Sends a request that is held; what is returned waits for its answer."""

    def control(self, place: str, asked: Mapping[str, Plain]) -> None:
        """Tells the server what to do."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one scenario: faults where it failed, a reason where it was left out."""

    scenario: Scenario
    faults: tuple[str, ...] = ()
    left_out: str = ""


def run_scenarios(
    scenarios: Sequence[Scenario],
    contract: Contract,
    target: Target,
    run: str,
    *,
    contents: Mapping[str, dict[str, Plain]] = CONTENTS,
    headers: Mapping[str, str] | None = None,
    at: str | None = None,
) -> tuple[Verdict, ...]:
    """One verdict for each scenario, on the first operation that takes a key. *at* is its path, where filled in."""
    operation = of_safety(contract, Safety.KEYED)
    found = []
    for scenario in scenarios:
        reason = _reason(scenario, contract, operation, target)
        if reason or operation is None:
            found.append(Verdict(scenario, left_out=reason))
            continue
        caller = Caller(operation, f"{run}-{scenario.id}", at or path(operation), contents, headers or {})
        found.append(Verdict(scenario, tuple(_Play(scenario, contract, caller, target).faults())))
    return tuple(found)


def _reason(scenario: Scenario, contract: Contract, operation: Operation | None, target: Target) -> str:
    if operation is None:
        return "no operation that a request can call takes a key"
    said = terms(operation)
    for term, words in scenario.needs:
        if not set(words) & set(said.get(term, ())):
            return f"the contract does not say {term}: {' or '.join(words)}"
    for step in scenario.steps:
        safety = (step.send or {}).get("safety")
        if safety is not None and of_safety(contract, Safety(str(safety))) is None:
            return f"the contract has no operation that is {safety}"
    unsaid = _unsaid(scenario, operation.settings)
    if not unsaid and scenario.controlled and not target.controls:
        return "it needs faults or a clock that moves, which only the sandbox can be told"
    return unsaid


def _unsaid(scenario: Scenario, settings: Settings) -> str:
    """What a step waits for or expects that the contract leaves open, as a reason; empty where it leaves nothing."""
    at, answers = moments(settings), expected(settings)
    for step in scenario.steps:
        if step.advance is not None and at[step.advance] is None:
            return f"the contract does not say when this comes: {step.advance}"
        if step.get is not None and step.get not in OUTCOMES and step.get not in answers:
            return f"the contract has no answer {step.get}"
    return ""


class _Play:
    """One scenario being played."""

    def __init__(self, scenario: Scenario, contract: Contract, caller: Caller, target: Target) -> None:
        self.scenario, self.contract, self.caller, self.target = scenario, contract, caller, target
        self.settings: Settings = caller.operation.settings
        self.expected, self.said = expected(self.settings), terms(caller.operation)
        self.first: dict[str, Answer] = {}
        self.begun: dict[str, tuple[str, Callable[[], Answer]]] = {}
        self.latest = ""

    def faults(self) -> Iterator[str]:
        if self.target.controls:
            self.target.control("reset", {})
        for number, step in enumerate(self.scenario.steps, 1):
            yield from (f"step {number}: {fault}" for fault in self._step(step))

    def _step(self, step: Step) -> Iterator[str]:
        self._told(step)
        if step.finish is not None:
            key, wait = self.begun.pop(step.finish)
            yield from self._judged(step, key, wait())
        if step.send is None:
            return
        call, key = self._call(step.send), self._identity(step.send)
        if step.begin is not None:
            self.begun[step.begin] = (key, self.target.begin(call))
            return
        yield from self._judged(step, key, self.target.send(call))

    def _identity(self, send: Mapping[str, Plain]) -> str:
        """What the answer to a repeat is compared by: key and account, and the content where that is part of it."""
        together = self.said["mismatch"] == (Verb.EXECUTE.value,)
        content = send.get("content", "a") if together else None
        return json.dumps([send.get("key", "a"), send.get("account"), content])

    def _told(self, step: Step) -> None:
        if step.advance is not None:
            ms = moments(self.settings)[step.advance]
            assert ms is not None, "a scenario needs what it waits for"
            self.target.control("clock", {"advance": f"{ms}ms"})
        if step.release:
            self.target.control("release", {})
        if step.recover is not None:
            self.target.control("recover", {"key": self.caller.key("a"), "outcome": step.recover})
        if step.store is not None:
            self.target.control("store", {"available": step.store == "up"})
        if step.change is not None:
            self.target.control(f"resources/{self.latest}", {"status": step.change})

    def _call(self, send: dict[str, Plain]) -> Call:
        caller = self.caller
        if "safety" in send:
            operation = of_safety(self.contract, Safety(str(send["safety"])))
            assert operation is not None, "looked at before"
            caller = Caller(operation, caller.run, path(operation), caller.contents, caller.headers)
        call = caller.call(send)
        fault = {name: send[name] for name in ("hold", "fail", "during", "crash", "reset") if name in send}
        told = (("Sandbox-Fault", json.dumps(fault)),) if fault else ()
        return Call(call.method, call.target, (*call.headers, *told), call.body)

    def _judged(self, step: Step, key: str, answer: Answer) -> Iterator[str]:
        if step.get is not None:
            yield from self._got(step.get, key, answer)
        if step.status is not None and answer.status != step.status:
            yield f"wanted the status {step.status}, got {answer.status}"
        if step.effects is not None and answer.effects is not None and answer.effects != step.effects:
            yield f"wanted {step.effects} effects, got {answer.effects}"
        if 200 <= answer.status < 300 and step.get in ("done", None):
            self.first[key] = answer
            found = _json(answer.body)
            self.latest = str(found.get("id", "")) if isinstance(found, dict) else ""

    def _got(self, wanted: str, key: str, answer: Answer) -> Iterator[str]:
        if wanted in self.expected:
            yield from self._refused(wanted, self.expected[wanted], answer)
            return
        match wanted:
            case "nothing":
                if answer.status != 0:
                    yield f"wanted no answer, got {answer.status}"
            case "failed":
                if answer.status < 400:
                    yield f"wanted a failure, got {answer.status}"
            case "done":
                if not 200 <= answer.status < 300:
                    yield f"wanted a success, got {answer.status} {answer.body[:200]!r}"
                elif self._marked(answer):
                    yield "wanted a first answer, and it says that it is a replay"
            case "replayed":
                yield from self._replayed(key, answer)
            case _:
                yield f"the contract has no answer {wanted!r}"

    def _refused(self, name: str, wanted: Expected, answer: Answer) -> Iterator[str]:
        if wanted.statuses and answer.status not in wanted.statuses:
            statuses = " or ".join(map(str, wanted.statuses))
            yield f"wanted {name} with {statuses}, got {answer.status} {answer.body[:200]!r}"
        elif wanted.code is not None and json.dumps(wanted.code)[1:-1].encode() not in answer.body:
            yield f"wanted {name} with the code {wanted.code}, got {answer.body[:200]!r}"
        if wanted.wait is not None and answer.headers.get(self._wait_header()) != wanted.wait:
            yield f"wanted {name} with a wait of {wanted.wait}, got {answer.headers.get(self._wait_header())}"

    def _wait_header(self) -> str:
        place = self.settings.retry.retry_after
        return place.name.lower() if place is not None else ""

    def _marked(self, answer: Answer) -> bool:
        mark = self.settings.replay.indicator
        if not isinstance(mark, Indicator):
            return False
        if mark.carrier is IndicatorCarrier.HEADER:
            return answer.headers.get(mark.name.lower()) == mark.value
        return str(_at(_json(answer.body), mark.name)).lower() == mark.value

    def _replayed(self, key: str, answer: Answer) -> Iterator[str]:
        replay = self.settings.replay
        if "completed" in self.expected and replay.fidelity is Fidelity.ERROR:
            yield from self._refused("completed", self.expected["completed"], answer)
            return
        first = self.first.get(key)
        status = replay.status if isinstance(replay.status, int) else first.status if first is not None else None
        if status is not None and answer.status != status:
            yield f"wanted a replay with {status}, got {answer.status} {answer.body[:200]!r}"
            return
        if isinstance(replay.indicator, Indicator) and not self._marked(answer):
            yield "wanted a replay that says so, and it does not"
        if first is not None and replay.fidelity in (Fidelity.STORED_RESPONSE, Fidelity.EQUIVALENT):
            yield from self._like(first, answer, exactly=replay.fidelity is Fidelity.STORED_RESPONSE)

    def _like(self, first: Answer, answer: Answer, exactly: bool) -> Iterator[str]:
        replay = self.settings.replay
        omits = () if isinstance(replay.omits, NotDocumented) else replay.omits
        in_body = isinstance(replay.indicator, Indicator) and replay.indicator.carrier is IndicatorCarrier.BODY
        one, other = _json(first.body), _json(answer.body)
        for name in (*omits, *([replay.indicator.name] if in_body and isinstance(replay.indicator, Indicator) else [])):
            if name in omits and _at(other, name) is not None:
                yield f"the replay holds {name}, which is never stored"
            one, other = _less(one, name), _less(other, name)
        if one != other or (exactly and not omits and not in_body and first.body != answer.body):
            yield f"wanted the first answer {first.body[:200]!r}, got {answer.body[:200]!r}"
        for name in () if isinstance(replay.headers, NotDocumented) else replay.headers:
            if first.headers.get(name.lower()) != answer.headers.get(name.lower()):
                yield f"the replay's {name} differs from the first answer's"


def _json(body: bytes) -> Plain:
    try:
        value: Plain = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value


def _at(value: Plain, name: str) -> Plain:
    for part in name.strip("/").split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _less(value: Plain, name: str) -> Plain:
    first, _, rest = name.strip("/").partition("/")
    if not isinstance(value, dict) or first not in value:
        return value
    if rest:
        return {key: _less(item, rest) if key == first else item for key, item in value.items()}
    return {key: item for key, item in value.items() if key != first}
