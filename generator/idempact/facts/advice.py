"""Advice: the retry rules of a loop as messages: what to retry, how long to wait, when to stop; answers' statuses."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.contract.units import Duration, NotDocumented
from idempact.facts.loop import Budget, LoopFacts, RetryClass, ServerHint
from idempact.facts.messages import Message, message
from idempact.facts.outcomes import Outcome
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RetryRow:
    """One line of the retry table: what the caller sees, whether to retry with the same key, and why."""

    seen: Message
    retry: bool
    note: Message


def retry_table(loop: LoopFacts) -> tuple[RetryRow, ...]:
    """What a keyed request retries and what it doesn't: codes first, then statuses, then faults without an answer."""
    rows = [
        RetryRow(
            message("seen.code", code=rule.code, statuses=_texts(rule.statuses)),
            _again(rule.retry_class, loop),
            _why(rule.retry_class, loop),
        )
        for rule in loop.codes
    ]
    for retry_class in (
        RetryClass.MISMATCH,
        RetryClass.UNKNOWN_OUTCOME,
        RetryClass.IN_FLIGHT,
        RetryClass.THROTTLED,
        RetryClass.TRANSIENT,
        RetryClass.CAUTIOUS,
    ):
        statuses = loop.of_class(retry_class)
        if statuses:
            rows.append(
                RetryRow(
                    message("seen.statuses", statuses=status_ranges(statuses)),
                    _again(retry_class, loop),
                    _why(retry_class, loop),
                )
            )
        if grpc := loop.grpc_of(retry_class):
            rows.append(RetryRow(message("seen.grpc", codes=grpc), _again(retry_class, loop), _why(retry_class, loop)))
    rows.append(
        RetryRow(
            message("seen.not-sent"),
            loop.retry_not_sent,
            message("why.not-sent" if loop.retry_not_sent else "why.final"),
        )
    )
    rows.append(
        RetryRow(
            message("seen.no-answer"),
            loop.retry_no_answer,
            message("why.no-answer" if loop.retry_no_answer else "why.final"),
        )
    )
    rows.append(RetryRow(message("seen.other"), False, message("why.final")))
    return tuple(rows)


def _texts(statuses: Iterable[int]) -> tuple[str, ...]:
    return tuple(str(status) for status in statuses)


def status_ranges(statuses: tuple[int, ...]) -> tuple[str, ...]:
    """Statuses as texts, a whole class as 5xx."""
    out: list[str] = []
    for digit in range(1, 6):
        members = [status for status in statuses if status // 100 == digit]
        out += [f"{digit}xx"] if len(members) == 100 else _texts(members)
    return tuple(out)


def told_statuses(found: Iterable[Outcome]) -> tuple[Message, ...]:
    """Every status with which some answers come; "none" only where it is documented that they have none."""
    answers = tuple(found)
    statuses = dict.fromkeys(status for outcome in answers for status in outcome.statuses)
    grpc = dict.fromkeys(outcome.grpc for outcome in answers if outcome.grpc)
    said_ = (*(message("status.http", n=n) for n in statuses), *(message("status.grpc", code=code) for code in grpc))
    if said_:
        return said_
    return (
        message("not-documented")
        if any(isinstance(o.status, NotDocumented) for o in answers)
        else message("status.none"),
    )


def _again(retry_class: RetryClass, loop: LoopFacts) -> bool:
    if retry_class is RetryClass.CAUTIOUS:
        return loop.cautious_retries > 0
    return retry_class in (RetryClass.THROTTLED, RetryClass.TRANSIENT, RetryClass.IN_FLIGHT)


def _why(retry_class: RetryClass, loop: LoopFacts) -> Message:
    if retry_class is RetryClass.CAUTIOUS:
        return (
            message("why.cautious", n=loop.cautious_retries) if loop.cautious_retries else message("why.cautious-none")
        )
    return message(f"why.{retry_class.value}")


def budget(value: Budget | None) -> Message:
    """How a process limits its retries."""
    if value is None:
        return message("budget.none")
    if value.kind == "ratio":
        return message(
            "budget.ratio", share=f"{value.share:.0%}", within=Duration(value.within_ms), least=value.min_per_second
        )
    return message(
        "budget.token-bucket",
        capacity=value.capacity,
        transient=value.cost_transient,
        throttled=value.cost_throttled,
        refund=value.refund,
    )


def server_hint(hint: ServerHint) -> Message:
    """Where the server says whether to retry."""
    return message(f"hint.{hint.carrier}", name=hint.name, retry=hint.retry, stop=hint.stop)


def retry_after(loop: LoopFacts) -> Message:
    """Where the server says how long to wait."""
    if loop.retry_after_carrier is None:
        return message("retry-after.none")
    unit = message(f"retry-after.unit.{loop.retry_after_unit}")
    carrier = "metadata" if loop.retry_after_carrier == "header" and not loop.http else loop.retry_after_carrier
    return message(f"retry-after.{carrier}", name=loop.retry_after_name, unit=unit)
