"""Outcomes: every answer of the contract as a fact, with what the client does next."""

from __future__ import annotations

from idempact.contract.answering import Given, alike, failure_words, given_answers
from idempact.contract.model.answers import VARIES, ClientAction, Verb
from idempact.contract.model.contract import Settings
from idempact.contract.units import Documented, Duration, NotDocumented
from idempact.facts.loop import RetryClass
from idempact.text.dataclass import dataclass

__all__ = ["Outcome", "failure_words", "indistinguishable", "outcomes"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer that a client can get.

    ``status`` is empty where there is none; ``code`` is None where the answer has none. ``retry_after_s`` is the
    seconds that the answer asks to wait; ``waits`` is true also where that differs from answer to answer.
    """

    name: str
    verb: Documented[Verb]
    status: Documented[tuple[int, ...]]
    code: Documented[str | None]
    code_at: str | None
    retry_after_s: int | None
    waits: bool
    action: ClientAction
    retry_class: RetryClass
    grpc: str | None = None
    resource_at: str | None = None
    status_url: str | None = None
    at_most: Duration | None = None

    @property
    def statuses(self) -> tuple[int, ...]:
        """The known statuses."""
        return () if isinstance(self.status, NotDocumented) else self.status

    @property
    def known_code(self) -> str | None:
        """The machine code, where one is known."""
        return None if isinstance(self.code, NotDocumented) else self.code


def outcomes(settings: Settings) -> tuple[Outcome, ...]:
    """The answers of :func:`idempact.contract.answering.given_answers` as facts, in the order of checking."""
    code_at = None if isinstance(settings.errors.code_at, NotDocumented) else settings.errors.code_at
    return tuple(_outcome(given, code_at) for given in given_answers(settings))


def _outcome(given: Given, code_at: str | None) -> Outcome:
    answer = given.answer
    wait = answer.retry_after
    seconds = wait.ms // 1000 if isinstance(wait, Duration) else None
    return Outcome(
        name=given.name,
        verb=answer.answer,
        status=answer.status if isinstance(answer.status, NotDocumented) else given.statuses,
        code=answer.code,
        code_at=answer.code_at or code_at,
        retry_after_s=seconds,
        waits=seconds is not None or wait is VARIES,
        action=given.action,
        retry_class=_class_of(given.name, given.action),
        grpc=answer.grpc,
        resource_at=answer.resource_at,
        status_url=answer.status_url,
        at_most=answer.at_most,
    )


def _class_of(name: str, action: ClientAction) -> RetryClass:
    if name == "mismatch":
        return RetryClass.MISMATCH
    if name == "in_flight" and action is ClientAction.WAIT_SAME_KEY:
        return RetryClass.IN_FLIGHT
    if name == "unknown_outcome":
        return RetryClass.UNKNOWN_OUTCOME
    return RetryClass.TRANSIENT if action is ClientAction.WAIT_SAME_KEY else RetryClass.FINAL


def indistinguishable(settings: Settings) -> tuple[tuple[Outcome, Outcome], ...]:
    """Pairs of outcomes that a client can't tell apart (status and code are equal) though it acts differently."""
    found = {outcome.name: outcome for outcome in outcomes(settings)}
    return tuple((found[one.name], found[other.name]) for one, other in alike(settings))
