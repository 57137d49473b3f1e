"""The decision table: what a request gets in each of the nine states of its key's record.

Rows and columns come from the domain: a record can be absent, claimed, finished in some way, or past its window; and
the request can be the same as the first one or another. Every cell is filled.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from idempact.contract.model.answers import Answer, ClientAction, Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.replay import Fidelity, StoredFailure
from idempact.contract.model.windows import Exactly, Forever
from idempact.contract.units import NotDocumented
from idempact.facts.outcomes import Outcome, outcomes
from idempact.text.dataclass import dataclass


class State(StrEnum):
    """The record of a key, as a request finds it."""

    NONE = "none"
    IN_PROGRESS = "in-progress"
    STALE = "stale"
    COMPLETED = "completed"
    FAILED_KEPT = "failed-kept"
    FAILED_RE_EXECUTED = "failed-re-executed"
    UNKNOWN_OUTCOME = "unknown-outcome"
    EXPIRED = "expired"
    REMOVED = "removed"


class ResultKind(StrEnum):
    """What then happens."""

    EXECUTE = "execute"
    RESUME = "resume"
    REPLAY = "replay"
    REPLAY_FAILURE = "replay-failure"
    ANSWER = "answer"
    WAIT = "wait"
    NOT_DOCUMENTED = "not-documented"
    DOES_NOT_OCCUR = "does-not-occur"


@dataclass(frozen=True, slots=True)
class Result:
    """One result: ``outcome`` names the answer where one is given (its status, code and action are there)."""

    kind: ResultKind
    outcome: Outcome | None = None
    fidelity: Fidelity | None = None

    @property
    def action(self) -> ClientAction | None:
        """What the client does next; None where it has its result."""
        return self.outcome.action if self.outcome else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row: a state, and the results for the same request and for another one (several where failures differ)."""

    state: State
    same: tuple[Result, ...]
    other: tuple[Result, ...]

    @property
    def occurs(self) -> bool:
        """Whether the contract lets a record be in this state."""
        return self.same[0].kind is not ResultKind.DOES_NOT_OCCUR


EXECUTE = (Result(ResultKind.EXECUTE),)
UNKNOWN = (Result(ResultKind.NOT_DOCUMENTED),)
NEVER = (Result(ResultKind.DOES_NOT_OCCUR),)


def verdicts(settings: Settings) -> tuple[Verdict, ...]:
    """The nine rows, in the order of a record's life."""
    table = _Table(settings)
    rows: dict[State, Callable[[], tuple[Result, ...]]] = {
        State.NONE: lambda: EXECUTE,
        State.IN_PROGRESS: table.in_progress,
        State.STALE: table.stale,
        State.COMPLETED: table.completed,
        State.FAILED_KEPT: table.failed_kept,
        State.FAILED_RE_EXECUTED: table.failed_re_executed,
        State.UNKNOWN_OUTCOME: lambda: table.answer("unknown_outcome"),
        State.EXPIRED: table.expired,
        State.REMOVED: table.removed,
    }
    return tuple(Verdict(state, same := row(), table.other(state, same)) for state, row in rows.items())


def verdicts_of_record(settings: Settings) -> tuple[Verdict, ...]:
    """The same rows as who keeps the record sees them: there, each key's window ends at one instant."""
    ended = _Table(settings).ended()
    return tuple(Verdict(row.state, ended, ended) if row.state is State.EXPIRED else row for row in verdicts(settings))


class _Table:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.outcomes = {outcome.name: outcome for outcome in outcomes(settings)}

    def answer(self, name: str) -> tuple[Result, ...]:
        answer: Answer | NotDocumented | None = getattr(self.settings.answers, name)
        if isinstance(answer, NotDocumented) or answer is None or isinstance(answer.answer, NotDocumented):
            return UNKNOWN
        match answer.answer:
            case Verb.EXECUTE | Verb.IGNORE:
                return EXECUTE
            case Verb.RESUME:
                return (Result(ResultKind.RESUME),)
            case Verb.WAIT:
                return (Result(ResultKind.WAIT, self.outcomes.get(name)),)
            case _:
                outcome = self.outcomes.get(name)
                return (Result(ResultKind.ANSWER, outcome),) if outcome else UNKNOWN

    def in_progress(self) -> tuple[Result, ...]:
        return self.answer("in_flight")

    def stale(self) -> tuple[Result, ...]:
        answer = self.settings.answers.stale
        if not isinstance(answer, NotDocumented) and answer.answer is Verb.REJECT:
            return self.answer("stale") if "stale" in self.outcomes else self.answer("in_flight")
        return self.answer("stale")

    def completed(self) -> tuple[Result, ...]:
        fidelity = self.settings.replay.fidelity
        if isinstance(fidelity, NotDocumented):
            return UNKNOWN
        if fidelity is Fidelity.ERROR:
            return self.answer("completed")
        return (Result(ResultKind.REPLAY, fidelity=fidelity),)

    def _failures(self) -> tuple[StoredFailure | NotDocumented, ...]:
        failures = self.settings.stored_failures
        exceptions = () if isinstance(failures.statuses, NotDocumented) else failures.statuses
        return (
            failures.before_execution,
            failures.business_rejection,
            failures.server_error.before_effects,
            failures.server_error.after_effects,
            *(failure for _, failure in exceptions),
        )

    def failed_kept(self) -> tuple[Result, ...]:
        failures = self._failures()
        results: tuple[Result, ...] = ()
        if StoredFailure.REPLAY in failures:
            results += (Result(ResultKind.REPLAY_FAILURE),)
        if StoredFailure.REJECT in failures:
            results += self.answer("previous_failure")
        return results or self._unless_unknown(failures)

    def failed_re_executed(self) -> tuple[Result, ...]:
        failures = self._failures()
        if StoredFailure.RE_EXECUTE in failures:
            return (Result(ResultKind.RESUME),)
        return self._unless_unknown(failures)

    def _unless_unknown(self, failures: tuple[StoredFailure | NotDocumented, ...]) -> tuple[Result, ...]:
        return UNKNOWN if any(isinstance(f, NotDocumented) for f in failures[1:4]) else NEVER

    def expired(self) -> tuple[Result, ...]:
        """Past the window; where its end is open or between two bounds, the repeat may still be recognised."""
        return self._past_window(self.completed())

    def _past_window(self, recognised: tuple[Result, ...]) -> tuple[Result, ...]:
        """What is answered past the window, after what is *recognised* where that may still be the case."""
        if isinstance(self.settings.windows.replay, Forever):
            return NEVER
        after = self.answer("expired_key")
        if isinstance(self.settings.windows.replay, Exactly) or after == UNKNOWN:
            return after
        return tuple(dict.fromkeys((*recognised, *after)))

    def ended(self) -> tuple[Result, ...]:
        """What a key gets whose own window has ended, as its record tells: nothing is left to be recognised."""
        return NEVER if isinstance(self.settings.windows.replay, Forever) else self.answer("expired_key")

    def removed(self) -> tuple[Result, ...]:
        windows = self.settings.windows
        if isinstance(windows.replay, Forever) or windows.cleanup is None:
            return NEVER
        # Where nobody says what a key past its window gets, nobody says so of a removed one either.
        expired = self.settings.answers.expired_key
        return UNKNOWN if isinstance(expired, NotDocumented) else EXECUTE

    def other(self, state: State, same: tuple[Result, ...]) -> tuple[Result, ...]:
        """What another request under the same key gets. An expired key is looked at before its content."""
        if same == NEVER or self.settings.fingerprint is None or state in (State.NONE, State.REMOVED):
            return same
        mismatch = self.answer("mismatch")
        # As long as the key is recognised, the request that it belongs to is known, too.
        return self._past_window(mismatch) if state is State.EXPIRED else mismatch
