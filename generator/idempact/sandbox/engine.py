"""The rules of a key's life, as the domain tells them, for one request at a time: no sockets, no clock, no waiting.

A request is checked in the contract's order: a key where none is supported, a malformed one, a missing one, the store,
the window, then another request under the same key (a mismatch wins over everything that follows), then what the
record says. Only a request that gets a claim runs.
"""

from __future__ import annotations

from enum import StrEnum

from idempact.contract.model.answers import Answer, Verb
from idempact.contract.model.contract import Contract, Operation, Settings
from idempact.contract.model.key import RequiredWhen
from idempact.contract.model.operations import Safety
from idempact.contract.model.replay import Fidelity, StoredFailure
from idempact.contract.model.windows import AtMost, CountedFrom, Forever
from idempact.contract.units import Duration, NotDocumented, overlap
from idempact.sandbox import answers
from idempact.sandbox.carried import Carried, carried
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.faults import During
from idempact.sandbox.identity import fingerprint_of, scope_of
from idempact.sandbox.store import Claim, Identity, Phase, Record, Store
from idempact.text.dataclass import dataclass


class State(StrEnum):
    """The nine states in which a request can find its key."""

    NONE = "none"
    IN_PROGRESS = "in-progress"
    STALE = "stale"
    COMPLETED = "completed"
    FAILED_KEPT = "failed-kept"
    FAILED_RE_EXECUTED = "failed-re-executed"
    UNKNOWN_OUTCOME = "unknown-outcome"
    EXPIRED = "expired"
    REMOVED = "removed"


_PHASES = {
    Phase.COMPLETED: State.COMPLETED,
    Phase.FAILED: State.FAILED_KEPT,
    Phase.SPENT: State.FAILED_KEPT,
    Phase.PAUSED: State.FAILED_RE_EXECUTED,
    Phase.UNKNOWN: State.UNKNOWN_OUTCOME,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The request has its answer."""

    response: Response


@dataclass(frozen=True, slots=True)
class Run:
    """The request runs, under a claim or (without a key, or without a store) under none."""

    record: Record | None
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """The request waits for the first one, at most so long; then it has ``otherwise``."""

    record: Record
    at_most_ms: int
    otherwise: Response


Decision = Reply | Run | Wait


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request that was matched to its operation: ``path`` is below the API's own."""

    request: Request
    operation: Operation
    path: str
    now: int
    store_available: bool = True
    key_required: bool = False


class Engine:
    """The rules over one store. Other engines may get parts of it wrong on purpose: the scenarios must catch them."""

    def __init__(self, contract: Contract, store: Store) -> None:
        self.contract = contract
        self.store = store

    def arrive(self, arrival: Arrival) -> Decision:
        """What happens to a request that has just come."""
        settings, safety = arrival.operation.settings, arrival.operation.safety
        brought = carried(arrival.request, settings.key)
        if safety is not Safety.KEYED:
            refused = brought.key is not None and _verb(settings.answers.unsupported_key) is Verb.REJECT
            return self.answer("unsupported_key", settings) if refused else Run(None)
        if brought.fault:
            return self.answer("malformed_key", settings, detail=f"The key can't be accepted: {brought.fault}.")
        if brought.key is None:
            required = settings.key.required is True
            required |= isinstance(settings.key.required, RequiredWhen) and arrival.key_required
            return self.answer("missing_key", settings) if required else Run(None)
        if not arrival.store_available:
            fails_open = _verb(settings.answers.store_unavailable) is Verb.EXECUTE
            return Run(None) if fails_open else self.answer("store_unavailable", settings)
        return self._keyed(arrival, brought, brought.key)

    def _keyed(self, arrival: Arrival, brought: Carried, key: str) -> Decision:
        settings = arrival.operation.settings
        print_ = fingerprint_of(arrival.request, arrival.operation, arrival.path)
        together = settings.fingerprint is not None and _verb(settings.answers.mismatch) is Verb.EXECUTE
        identity = Identity(scope_of(arrival.request, arrival.operation, arrival.path), key, print_ if together else "")
        claim = Claim(
            identity,
            str(arrival.operation.key),
            print_,
            arrival.now + _lease(settings),
            self._window_begins(settings, arrival.now, brought.first_sent_ms),
        )
        if self._late(settings, claim.window_from, arrival.now):
            # The client's own time says that the key is too old: rejected even where its record is gone, or begun anew.
            if self.store.find(identity) is None and _verb(settings.answers.expired_key) is Verb.REJECT:
                return self.answer("expired_key", settings)
            claim = Claim(identity, claim.operation, print_, claim.lease_ends, arrival.now)
        return self.claimed(arrival, claim)

    def claimed(self, arrival: Arrival, claim: Claim) -> Decision:
        """The key claimed, or what the record says that another request left."""
        while True:
            record = self.store.claim(claim)
            if record is not None:
                return Run(record)
            record = self.store.find(claim.identity)
            decision = self._found(record, arrival, claim) if record is not None else None
            if decision is not None:
                return decision

    def _found(self, record: Record, arrival: Arrival, claim: Claim) -> Decision | None:
        """What a record means for this request; None where it changed meanwhile, and is to be looked at again."""
        settings = arrival.operation.settings
        state = self.state(record, settings, arrival.now)
        if state is State.REMOVED:
            return self._renewed(record, claim)
        if state is State.EXPIRED:
            if _verb(settings.answers.expired_key) is Verb.REJECT:
                return self.answer("expired_key", settings)
            return self._renewed(record, claim)
        if self.differs(record, claim):
            return self.answer("mismatch", settings)
        match state:
            case State.COMPLETED:
                return self._completed(record, settings)
            case State.FAILED_KEPT if record.phase is Phase.SPENT:
                return self.answer("previous_failure", settings)
            case State.FAILED_KEPT:
                stored = self.store.stored(record)
                return Reply(answers.replayed(stored, settings, None, "replayed-failure"))
            case State.FAILED_RE_EXECUTED:
                return self._resumed(record, claim)
            case State.UNKNOWN_OUTCOME:
                return self.answer("unknown_outcome", settings, record)
            case State.STALE:
                return self._stale(record, settings, claim)
            case _:
                return self._in_flight(record, settings)

    def differs(self, record: Record, claim: Claim) -> bool:
        """Whether the request is another one than the key's first."""
        return record.fingerprint != claim.fingerprint

    def _renewed(self, record: Record, claim: Claim) -> Decision | None:
        renewed = self.store.renew(record, claim)
        return Run(renewed) if renewed is not None else None

    def _resumed(self, record: Record, claim: Claim) -> Decision | None:
        taken = self.store.take_over(record, claim.lease_ends)
        return Run(taken, resumed=True) if taken is not None else None

    def _completed(self, record: Record, settings: Settings) -> Decision:
        if settings.replay.fidelity is Fidelity.ERROR:
            return self.answer("completed", settings, record)
        found = self.store.resource(record.resource) if record.resource is not None else None
        current = found[1] if found is not None else None
        return Reply(answers.replayed(self.store.stored(record), settings, current, "replayed"))

    def _in_flight(self, record: Record, settings: Settings) -> Decision:
        answer = _stated(settings.answers.in_flight)
        refused = answers.error("in_flight", answer, settings, resource=record.resource)
        if answer.answer is Verb.WAIT:
            return Wait(record, answer.at_most.ms if answer.at_most is not None else 0, refused)
        if answer.answer is Verb.ACCEPT and answer.status_url is not None:
            address = answer.status_url.replace("{id}", str(record.id))
            accepted = answers.plain(refused.status, {"status": "in-progress", "status_url": address}, "accepted")
            named = Response(accepted.status, (*accepted.headers, ("Location", address)), accepted.body, "accepted")
            return Reply(named)
        return Reply(refused)

    def _stale(self, record: Record, settings: Settings, claim: Claim) -> Decision | None:
        answer = _stated(settings.answers.stale)
        if answer.answer is Verb.REJECT:
            if answer.status:
                return self.answer("stale", settings, record)
            refused = _stated(settings.answers.in_flight)
            return Reply(answers.error("in_flight", refused, settings, resource=record.resource))
        return self._renewed(record, claim) if answer.answer is Verb.EXECUTE else self._resumed(record, claim)

    def answer(self, name: str, settings: Settings, record: Record | None = None, detail: str = "") -> Reply:
        """The contract's answer called *name*."""
        answer = _stated(getattr(settings.answers, name))
        resource = record.resource if record is not None else None
        return Reply(answers.error(name, answer, settings, resource=resource, detail=detail))

    # Time

    def state(self, record: Record, settings: Settings, now: int) -> State:
        """The state in which a request at *now* finds the record. A claim in its lease is never too old."""
        if record.phase is Phase.IN_PROGRESS and now < record.lease_ends:
            return State.IN_PROGRESS
        begins = self._began(record)
        cleanup = settings.windows.cleanup
        if self._late(settings, begins, now):
            removed = begins is not None and isinstance(cleanup, Duration) and now >= begins + cleanup.ms
            return State.REMOVED if removed else State.EXPIRED
        return _PHASES.get(record.phase, State.STALE)

    def _began(self, record: Record) -> int | None:
        if record.resource is not None and record.window_from is None:
            found = self.store.resource(record.resource)
            return found[2] if found is not None else None
        return record.window_from

    def _late(self, settings: Settings, begins: int | None, now: int) -> bool:
        window = self.window_ms(settings)
        return begins is not None and window is not None and now >= begins + window

    def window_ms(self, settings: Settings) -> int | None:
        """How long this sandbox recognises a repeat: no longer than is promised. None is forever.

        Where nothing is promised (at most so long) it goes to the end, since no repeat would be recognised else.
        """
        window = settings.windows.replay
        if isinstance(window, NotDocumented | Forever):
            return None
        bound = window.value if isinstance(window, AtMost) else window.least
        return bound.ms if bound is not None else None

    def _window_begins(self, settings: Settings, now: int, first_sent_ms: int | None) -> int | None:
        match settings.windows.counted_from:
            case CountedFrom.FIRST_SENT if first_sent_ms is not None:
                return first_sent_ms
            case CountedFrom.COMPLETION | CountedFrom.RESOURCE_END:
                return None
            case _:
                return now

    # How a run ends

    def effect(self, run: Run, arrival: Arrival, point: str) -> str | None:
        """Makes an effect of the run; the resource's id, or None where the claim was lost to another request."""
        return self.store.effect(run.record, str(arrival.operation.key), point, arrival.path)

    def complete(self, run: Run, response: Response, settings: Settings, now: int) -> bool:
        """Keeps the result of a run; False where its claim was lost."""
        if run.record is None:
            return True
        begins = now if settings.windows.counted_from is CountedFrom.COMPLETION else run.record.window_from
        return self.store.end(run.record, Phase.COMPLETED, begins, answers.kept(response, settings))

    def fail(self, run: Run, response: Response, during: During, settings: Settings, now: int) -> bool:
        """Keeps of a failed run what the contract keeps; False where its claim was lost."""
        if run.record is None:
            return True
        word = stored_word(settings, response.status, during)
        if word is StoredFailure.RELEASE:
            return self.store.remove(run.record)
        begins = now if settings.windows.counted_from is CountedFrom.COMPLETION else run.record.window_from
        phase = {
            StoredFailure.REPLAY: Phase.FAILED,
            StoredFailure.REJECT: Phase.SPENT,
            StoredFailure.RE_EXECUTE: Phase.PAUSED,
            StoredFailure.RECOVER: Phase.UNKNOWN,
        }[word]
        return self.store.end(run.record, phase, begins, answers.kept(response, settings))


def stored_word(settings: Settings, status: int, during: During) -> StoredFailure:
    """What the contract keeps of such a failure: an exception by status first (a status before its class)."""
    failures = settings.stored_failures
    exceptions = () if isinstance(failures.statuses, NotDocumented) else failures.statuses
    for exact in (True, False):
        for wanted, word in exceptions:
            if isinstance(wanted, int) is exact and overlap(wanted, status):
                return word
    by_class = {
        During.BEFORE_EXECUTION: failures.before_execution,
        During.EXECUTION: failures.business_rejection,
        During.BEFORE_EFFECTS: failures.server_error.before_effects,
        During.AFTER_EFFECTS: failures.server_error.after_effects,
    }
    kept = by_class[during]
    return StoredFailure.RELEASE if isinstance(kept, NotDocumented) else kept


def _lease(settings: Settings) -> int:
    lease = settings.windows.lease
    assert isinstance(lease, Duration), "a contract that is served has no fact left open"
    return lease.ms


def _stated(answer: Answer | NotDocumented | None) -> Answer:
    assert isinstance(answer, Answer), "a contract that is served has no answer left open"
    return answer


def _verb(answer: Answer | NotDocumented | None) -> Verb | None:
    return answer.answer if isinstance(answer, Answer) and isinstance(answer.answer, Verb) else None
