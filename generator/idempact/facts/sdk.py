"""What an SDK should default to, as rows for a page: the same facts as ``export sdk-defaults``, in words."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.contract import Contract, Settings
from idempact.contract.units import Duration
from idempact.facts.advice import budget, retry_after, server_hint, status_ranges
from idempact.facts.derive import Facts, LoopGroup
from idempact.facts.loop import LoopFacts, RetryClass
from idempact.facts.messages import Message, message
from idempact.facts.phrases import carrier, key_format, length, quoted
from idempact.text.dataclass import dataclass

_RETRIED = (RetryClass.THROTTLED, RetryClass.TRANSIENT, RetryClass.CAUTIOUS, RetryClass.IN_FLIGHT)


@dataclass(frozen=True, slots=True)
class Default:
    """One setting: its name, and the value that the contract gives it."""

    name: Message
    value: Message


def sdk_defaults(group: LoopGroup, facts: Facts) -> tuple[Default, ...]:
    """The settings of an SDK for the operations of one loop, in the order in which they are looked for."""
    settings = next(
        (profile.settings for profile in facts.profiles if set(profile.operations) & set(group.operations)),
        facts.contract.settings,
    )
    return (
        *_pace(group.loop, facts.contract),
        *_answers(group.loop, settings),
        *_key(settings, facts.contract),
        Default(message("retries.budget"), budget(group.loop.budget)),
    )


def _pace(loop: LoopFacts, contract: Contract) -> Iterator[Default]:
    own = contract.sdk.max_attempts if contract.sdk is not None else None
    yield Default(message("retries.attempts"), message("count", n=own if own is not None else loop.max_attempts))
    drawn = message(
        f"sdk.backoff.{loop.jitter.value}", base=Duration(loop.base_ms), cap=Duration(loop.cap_ms), factor=loop.factor
    )
    yield Default(message("sdk.backoff"), drawn)
    yield _time("retries.deadline", loop.deadline_ms)
    yield _time("retries.attempt-timeout", loop.attempt_timeout_ms)
    yield _time("retries.connect-timeout", loop.connect_timeout_ms)
    if loop.least_wait_ms:
        yield _time("retries.least-wait", loop.least_wait_ms)


def _time(name: str, ms: int) -> Default:
    return Default(message(name), message("sdk.time", time=Duration(ms)))


def _answers(loop: LoopFacts, settings: Settings) -> Iterator[Default]:
    for retried in _RETRIED:
        grpc = tuple(f"gRPC {code}" for code in loop.grpc_of(retried))
        statuses, codes = (*status_ranges(loop.of_class(retried)), *grpc), loop.codes_of(retried)
        if retried is RetryClass.CAUTIOUS and not loop.cautious_retries:
            continue
        name = message(f"sdk.class.{retried.value}", n=loop.cautious_retries)
        if statuses and codes:
            yield Default(name, message("sdk.statuses-and-codes", statuses=statuses, codes=codes))
        elif statuses:
            yield Default(name, message("sdk.statuses", statuses=statuses))
        elif codes:
            yield Default(name, message("sdk.codes", codes=codes))
    yield Default(message("retries.retry-after"), retry_after(loop))
    if loop.hint is not None:
        yield Default(message("sdk.hint"), server_hint(loop.hint))


def _key(settings: Settings, contract: Contract) -> Iterator[Default]:
    key = settings.key
    yield Default(message("glance.key"), carrier(key))
    yield Default(message("sdk.format"), message("sdk.form", format=key_format(key), length=length(key)))
    yield Default(message("sdk.quoted"), quoted(key))
    generates = "unknown" if contract.sdk is None else "yes" if contract.sdk.generates_keys else "no"
    yield Default(message("sdk.generates"), message(f"sdk.generates.{generates}"))
