"""The implementer's phrases: what a failure leaves behind, recovery points, and each known fault with its answer."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.contract import Settings
from idempact.contract.model.operations import ExternalEffect
from idempact.contract.model.replay import StoredFailure
from idempact.contract.units import Documented, Duration
from idempact.facts.derive import Facts, Profile
from idempact.facts.implementer import Implementer, failure_state, implementer
from idempact.facts.messages import Message, message
from idempact.facts.phrases import Glance, failure, gathered, verdict
from idempact.facts.promises import result, window
from idempact.facts.verdicts import State, Verdict, verdicts_of_record
from idempact.facts.window_phrases import UNKNOWN, chains
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RecoveryPoint:
    """One call of an operation that can't be rolled back."""

    operation: str
    effect: ExternalEffect


def recovery_points(facts: Facts) -> tuple[RecoveryPoint, ...]:
    """Every call that can't be rolled back, in order."""
    return tuple(RecoveryPoint(op.name, effect) for op in facts.operations for effect in op.operation.external_effects)


def record_rows(settings: Settings) -> tuple[Verdict, ...]:
    """The decision table for who keeps the record."""
    return verdicts_of_record(settings)


def row_after(value: Documented[StoredFailure]) -> Message:
    """The record's state after a failure of a class."""
    state = failure_state(value)
    if state is None:
        return failure(value) if not isinstance(value, StoredFailure) else message("implementers.row-removed")
    return message("implementers.row-state", state=state)


def checklist(facts: Facts) -> tuple[Glance, ...]:
    """The faults that experience knows, each with what this contract has against it.

    Sources: the eleven anti-patterns that rules of the contract look for, from ``contract/new-key-per-attempt`` to
    ``contract/overclaim``.
    """
    record = implementer(facts)

    def told(profile: Profile) -> Iterator[tuple[Message, Message]]:
        return ((message(f"implementers.fault.{name}"), value) for name, value in _answers(profile, record))

    return gathered(facts, told)


def _answers(profile: Profile, record: Implementer | None) -> Iterator[tuple[str, Message]]:
    settings, loop = profile.settings, profile.loop
    states = {row.state: row for row in profile.verdicts}
    late = chains(settings.windows)
    stored = settings.stored_failures
    failures = (stored.business_rejection, stored.server_error.before_effects, stored.server_error.after_effects)
    yield "unused-key", message("implementers.has.replay", result=result(settings.replay.fidelity))
    yield "key-per-attempt", message("implementers.has.key")
    yield "lookup-then-insert", message(f"implementers.has.claim.{record.claim}") if record else UNKNOWN
    yield "no-in-progress", verdict(states[State.IN_PROGRESS].same[0])
    yield "silent-mismatch", verdict(states[State.COMPLETED].other[0])
    yield "short-window", _sized(window(settings.windows.replay), late[0].lasts if late else None)
    yield "bare-setnx", message("implementers.has.lease")
    yield "undecided-failures", message("implementers.has.failures", words=tuple(dict.fromkeys(map(failure, failures))))
    yield "deadline-per-attempt", message("implementers.has.deadline", time=Duration(loop.deadline_ms))
    yield "no-jitter", message(f"implementers.has.jitter.{loop.jitter}")
    yield "overclaim", profile.promise[0]


def _sized(length: Message, longest: Duration | None) -> Message:
    if longest is None:
        return length
    return message("implementers.has.window", window=length, longest=longest)
