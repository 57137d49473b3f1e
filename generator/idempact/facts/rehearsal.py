"""A rehearsal with the sandbox: what an integrator types, and what they then see, told from the decision table.

The sandbox is not asked: it acts by the contract, this tells by the facts, and a test holds each against the other.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from http import HTTPStatus
from urllib.parse import quote

from idempact.contract.model.contract import Contract, Operation, Settings
from idempact.contract.model.key import Carrier, FirstSent, Quoted
from idempact.contract.model.operations import OperationKind, Safety
from idempact.contract.model.replay import Indicator, IndicatorCarrier, StoredFailure
from idempact.contract.model.retry import RetryAfterCarrier
from idempact.contract.model.windows import AtMost, CountedFrom
from idempact.contract.units import Duration, NotDocumented, StatusClass
from idempact.facts.keys import key_example
from idempact.facts.verdicts import Result, ResultKind, State, Verdict, verdicts
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain

ADDRESS = "http://127.0.0.1:8080"
CONTROL = "$sandbox/_sandbox"
_FAILED = 500


@dataclass(frozen=True, slots=True)
class Exchange:
    """One command, and the lines that it prints. A command that ends with ``&`` goes on while the next one runs."""

    command: str
    output: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """What can go wrong, by name, played from an empty sandbox on."""

    name: str
    exchanges: tuple[Exchange, ...]

    @property
    def transcript(self) -> str:
        """The commands behind a prompt, each with what it prints."""
        lines = ((f"$ {exchange.command}", *exchange.output) for exchange in self.exchanges)
        return "\n".join(line for group in lines for line in group)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The operation that is called, what is typed before the first story, and the stories that the contract allows.

    ``assumes`` says that the contract leaves facts open, which the sandbox must be told to fill in.
    """

    operation: str
    setup: tuple[str, ...]
    stories: tuple[Story, ...]
    assumes: bool


def rehearsal(contract: Contract) -> Rehearsal | None:
    """The rehearsal of the first operation that takes a key; None where curl can't call one, or can't send its key."""
    for operation in contract.operations:
        key = operation.settings.key
        sendable = key.carrier in (Carrier.HEADER, Carrier.QUERY, Carrier.BODY) and isinstance(key.name, str)
        named = operation.key.kind is not OperationKind.TAG
        if operation.safety is Safety.KEYED and sendable and named and key_example(key) is not None:
            stage = _Stage(operation)
            stories = tuple(stage.stories())
            return Rehearsal(str(operation.key), stage.setup(), stories, contract.observed) if stories else None
    return None


class _Untold(Exception):
    """The documents don't say what is seen, so that the story can't be told."""


class _Stage:
    def __init__(self, operation: Operation) -> None:
        self.operation, self.settings = operation, operation.settings
        self.rows: dict[State, Verdict] = {row.state: row for row in verdicts(operation.settings)}
        self.first = 201 if self._method() == "POST" else 200

    # What is typed

    def _method(self) -> str:
        method = self.operation.key.method
        return method if self.operation.key.kind is OperationKind.PATH and method != "ANY" else "POST"

    def setup(self) -> tuple[str, ...]:
        key, path = self.settings.key, self.operation.key.name
        if self.operation.key.kind is OperationKind.PATH:
            path = re.sub(r"\{[^{}]*\}|\*\*|\*", "1", path)
        else:
            path = "/" + quote(path)
        headers = ["-H 'Content-Type: application/json'"]
        value = self._key()
        if key.carrier is Carrier.HEADER:
            headers.insert(0, "-H " + shlex.quote(f"{key.name}: {value}"))
        query = f"?{quote(str(key.name))}={quote(value, safe='')}" if key.carrier is Carrier.QUERY else ""
        timed = isinstance(key.first_sent, FirstSent) and key.first_sent.carrier is Carrier.HEADER
        if timed and isinstance(key.first_sent, FirstSent):
            headers.append(f'-H {shlex.quote(f"{key.first_sent.name}: ")}"$sent"')
        shown = "|".join(re.escape(name).replace(r"\-", "-") for name in self._shown())
        return (
            f"sandbox={ADDRESS}",
            *(["sent=$(LC_ALL=C date -u +'%a, %d %b %Y %H:%M:%S GMT')"] if timed else []),
            "send() {",
            f'  curl -s -D - -o /dev/null -X {self._method()} "$sandbox"{shlex.quote(path + query)} \\',
            f'    {" ".join(headers)} "$@" |',
            f"    tr -d '\\r' | grep -E {shlex.quote(f'^(HTTP/|{shown})')} || echo 'no answer'",
            "}",
        )

    def _key(self) -> str:
        value = key_example(self.settings.key) or ""
        return f'"{value}"' if self.settings.key.quoted is Quoted.YES else value

    def _shown(self) -> tuple[str, ...]:
        indicator = self.settings.replay.indicator
        marks = isinstance(indicator, Indicator) and indicator.carrier is IndicatorCarrier.HEADER
        named = [indicator.name] if marks and isinstance(indicator, Indicator) else []
        return (*([self._wait_header()] if self._wait_header() else []), *named, "Sandbox-")

    def _wait_header(self) -> str:
        place = self.settings.retry.retry_after
        return place.name if place is not None and place.carrier is RetryAfterCarrier.HEADER else ""

    def send(self, fault: dict[str, Plain] | None = None, amount: int = 100, tail: str = "") -> str:
        key, body = self.settings.key, dict[str, Plain](amount=amount)
        if key.carrier is Carrier.BODY:
            way = str(key.name).split("/")[1:] if str(key.name).startswith("/") else [str(key.name)]
            inner: Plain = self._key()
            for name in reversed(way):
                inner = {name: inner}
            assert isinstance(inner, dict)
            body |= inner
        told = f" -H {shlex.quote(f'Sandbox-Fault: {json.dumps(fault)}')}" if fault is not None else ""
        return f"send -d {shlex.quote(json.dumps(body))}{told}{tail}"

    # What is seen

    def answered(self, status: int, outcome: str, effects: int, more: tuple[str, ...] = ()) -> tuple[str, ...]:
        try:
            reason = HTTPStatus(status).phrase
        except ValueError:
            reason = ""
        line = f"HTTP/1.1 {status} {reason}".rstrip()
        return (line, *more, f"Sandbox-Outcome: {outcome}", f"Sandbox-Effects: {effects}")

    def seen(self, result: Result, effects: int) -> tuple[str, ...]:
        """What a request gets that has this result, after *effects* were made before it."""
        replay = self.settings.replay
        match result.kind:
            case ResultKind.EXECUTE:
                return self.answered(self.first, "done", effects + 1)
            case ResultKind.RESUME:
                return self.answered(self.first, "resumed", effects)
            case ResultKind.REPLAY:
                status = replay.status if isinstance(replay.status, int) else self.first
                mark: tuple[str, ...] = ()
                if isinstance(replay.indicator, Indicator) and replay.indicator.carrier is IndicatorCarrier.HEADER:
                    mark = (f"{replay.indicator.name}: {replay.indicator.value}",)
                return self.answered(status, "replayed", effects, mark)
            case ResultKind.ANSWER if result.outcome is not None and result.outcome.statuses:
                outcome = result.outcome
                accepted = outcome.status_url is not None and outcome.name == "in_flight"
                if outcome.waits and outcome.retry_after_s is None:
                    raise _Untold
                wait = f"{self._wait_header()}: {outcome.retry_after_s}"
                more = (wait,) if outcome.waits and self._wait_header() and not accepted else ()
                return self.answered(outcome.statuses[0], "accepted" if accepted else outcome.name, effects, more)
            case _:
                raise _Untold

    def stories(self) -> Iterator[Story]:
        told: dict[str, Callable[[], Iterator[Exchange]]] = {
            "lost": self._lost,
            "in-flight": self._in_flight,
            "mismatch": self._mismatch,
            "expiry": self._expiry,
            "unknown": self._unknown,
        }
        for name, tell in told.items():
            try:
                exchanges = tuple(tell())
            except _Untold:
                continue
            if exchanges:
                yield Story(name, (Exchange(f'curl -s -o /dev/null -X POST "{CONTROL}/reset"'), *exchanges))

    def _done(self) -> Exchange:
        return Exchange(self.send(), self.answered(self.first, "done", 1))

    def _lost(self) -> Iterator[Exchange]:
        yield Exchange(self.send({"reset": "after"}), ("no answer",))
        yield Exchange(self.send(), self.seen(self.rows[State.COMPLETED].same[0], 1))

    def _in_flight(self) -> Iterator[Exchange]:
        yield Exchange(self.send({"hold": True}, tail=" > first.txt &"))
        yield Exchange(self.send(), self.seen(self.rows[State.IN_PROGRESS].same[0], 0))
        yield Exchange(f'curl -s -o /dev/null -X POST "{CONTROL}/release"')
        yield Exchange("wait; cat first.txt", self.answered(self.first, "done", 1))

    def _mismatch(self) -> Iterator[Exchange]:
        yield self._done()
        yield Exchange(self.send(amount=250), self.seen(self.rows[State.COMPLETED].other[0], 1))

    def _expiry(self) -> Iterator[Exchange]:
        windows = self.settings.windows
        if isinstance(windows.replay, NotDocumented) or windows.counted_from is CountedFrom.RESOURCE_END:
            return
        least = windows.replay.value if isinstance(windows.replay, AtMost) else windows.replay.least
        if not isinstance(least, Duration):
            return
        yield self._done()
        moved = shlex.quote(json.dumps({"advance": str(least)}))
        yield Exchange(f'curl -s -o /dev/null -d {moved} "{CONTROL}/clock"')
        yield Exchange(self.send(), self.seen(self.rows[State.EXPIRED].same[-1], 1))

    def _unknown(self) -> Iterator[Exchange]:
        if _word(self.settings) is not StoredFailure.RECOVER:
            return
        fault: dict[str, Plain] = {"fail": _FAILED, "during": "after-effects"}
        yield Exchange(self.send(fault), self.answered(_FAILED, "failed", 1))
        yield Exchange(self.send(), self.seen(self.rows[State.UNKNOWN_OUTCOME].same[0], 1))
        found = shlex.quote(json.dumps({"key": key_example(self.settings.key), "outcome": "done"}))
        yield Exchange(f'curl -s -o /dev/null -d {found} "{CONTROL}/recover"')
        yield Exchange(self.send(), self.seen(self.rows[State.COMPLETED].same[0], 1))


def _word(settings: Settings) -> StoredFailure | NotDocumented:
    """What a repeat gets after a 500 that came once effects began: an exception for the status, then for its class."""
    failures = settings.stored_failures
    exceptions = {} if isinstance(failures.statuses, NotDocumented) else dict(failures.statuses)
    by_class = exceptions.get(StatusClass(_FAILED // 100), failures.server_error.after_effects)
    return exceptions.get(_FAILED, by_class)
