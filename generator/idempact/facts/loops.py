"""A profile's retry advice as the facts that a loop is rendered from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http import HTTPStatus

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Contract, Operation, Protocol
from idempact.contract.model.errors import Errors
from idempact.contract.model.key import FirstSent, Quoted
from idempact.contract.model.operations import OperationKey, OperationKind, Safety
from idempact.contract.model.replay import StoredFailure
from idempact.contract.model.retry import Grpc, Ratio, Retry, TokenBucket, Transport
from idempact.contract.units import Documented, NotDocumented, Status, StatusClass, overlap
from idempact.facts.keys import key_example, key_template
from idempact.facts.loop import (
    CAREFUL_FIRST,
    Budget,
    CodeRule,
    GrpcRule,
    Jitter,
    LoopFacts,
    RetryClass,
    ServerHint,
    StatusRule,
)
from idempact.facts.outcomes import Outcome, outcomes
from idempact.text.dataclass import replace

_BODY = '{"reference": "the content of your request"}'
_NOWHERE = "https://api.example.com"


def loop(contract: Contract, operation: Operation) -> LoopFacts:
    """The facts of the loop that calls *operation*."""
    settings, retry = operation.settings, operation.settings.retry
    found = tuple(_as_read(outcome, settings.errors) for outcome in outcomes(settings))
    key = settings.key
    hint, wait = retry.server_hint, retry.retry_after
    url, url_is_example = _address(contract.api.base_url, operation.key)
    first_sent = key.first_sent if isinstance(key.first_sent, FirstSent) else None
    return LoopFacts(
        api_name="API" if isinstance(contract.api.name, NotDocumented) else str(contract.api.name),
        contact="" if isinstance(contract.api.contact, NotDocumented) else contract.api.contact,
        method=operation.key.method if operation.key.method not in ("", "ANY") else "POST",
        url=url,
        key_carrier=key.carrier.value,
        key_name=key.name if isinstance(key.name, str) else "",
        key_example=key_example(key) or "",
        key_quoted=key.quoted is Quoted.YES,
        body_example=_BODY,
        media_type="" if isinstance(settings.errors.media_type, NotDocumented) else settings.errors.media_type,
        statuses=status_rules(retry, found) if speaks_http(contract) else (),
        codes=code_rules(retry, found, _code_at(settings.errors)),
        retry_not_sent=Transport.NOT_SENT in retry.transient.transport,
        retry_no_answer=Transport.NO_ANSWER in retry.transient.transport,
        cautious_retries=cautious_retries(operation),
        jitter=Jitter(retry.backoff.jitter.value),
        base_ms=retry.backoff.base.ms,
        factor=retry.backoff.factor,
        cap_ms=retry.backoff.cap.ms,
        max_attempts=retry.max_attempts,
        deadline_ms=retry.deadline.ms,
        attempt_timeout_ms=retry.attempt_timeout.ms,
        connect_timeout_ms=retry.connect_timeout.ms,
        least_wait_ms=retry.least_wait.ms,
        retry_after_carrier=wait.carrier.value if wait else None,
        retry_after_name=wait.name if wait else "",
        retry_after_unit=wait.unit.value if wait else "s",
        hint=ServerHint(hint.carrier.value, hint.name, hint.retry, hint.stop) if hint else None,
        budget=_budget(retry),
        deadline_header=retry.deadline_header.name if retry.deadline_header else None,
        deadline_header_format=retry.deadline_header.format.value if retry.deadline_header else "",
        key_template=key_template(key),
        natural=operation.safety is Safety.NATURAL,
        repeat_status=_repeat_status(operation),
        first_sent_carrier=first_sent.carrier.value if first_sent else None,
        first_sent_name=first_sent.name if first_sent else "",
        http=speaks_http(contract),
        grpc=grpc_rules(retry, found) if Protocol.GRPC in contract.api.protocols else (),
        url_is_example=url_is_example,
    )


def speaks_http(contract: Contract) -> bool:
    """Whether the API speaks HTTP in any form (GraphQL, too), and not gRPC alone."""
    return set(contract.api.protocols) != {Protocol.GRPC}


def grpc_rules(retry: Retry, found: Iterable[Outcome]) -> tuple[GrpcRule, ...]:
    """The class of each gRPC status, used where no code decides; of two classes for one status the careful one."""
    classes: dict[str, list[RetryClass]] = {}
    for code in (retry.grpc or Grpc()).codes:
        classes.setdefault(code, []).append(RetryClass.TRANSIENT)
    for outcome in found:
        if outcome.known_code is None and outcome.grpc is not None:
            classes.setdefault(outcome.grpc, []).append(outcome.retry_class)
    rules = (GrpcRule(code, min(shared, key=CAREFUL_FIRST.index)) for code, shared in classes.items())
    return tuple(rule for rule in rules if rule.retry_class is not RetryClass.FINAL)


def _address(base_url: Documented[str | None], key: OperationKey) -> tuple[str, bool]:
    """The address that a loop calls, and whether a part of it is only an example."""
    path = key.name if key.kind is OperationKind.PATH else "/"
    url = (base_url if isinstance(base_url, str) else _NOWHERE) + path
    known = isinstance(base_url, str) and key.kind is OperationKind.PATH and not set(url) & set("{*")
    return url.replace("/**", "/resource").replace("*", "resource"), not known


def _repeat_status(operation: Operation) -> int | None:
    """What a natural operation's repeat answers, where a loop must be told that it is no failure."""
    status = operation.repeat_status
    natural = operation.safety is Safety.NATURAL
    return status if natural and status is not None and not 200 <= status < 300 else None


def _code_at(errors: Errors) -> str | None:
    return errors.code_at if isinstance(errors.code_at, str) and _codes_readable(errors) else None


def _codes_readable(errors: Errors) -> bool:
    """Whether a loop can find the machine code: it reads JSON, and where the body is XML it decides by status."""
    return isinstance(errors.media_type, NotDocumented) or "json" in errors.media_type


def _as_read(outcome: Outcome, errors: Errors) -> Outcome:
    """The outcome as a loop can tell it: without a code that it can't read or find, so that the status must tell."""
    return outcome if outcome.code_at is not None and _codes_readable(errors) else replace(outcome, code=None)


def _budget(retry: Retry) -> Budget | None:
    match retry.budget:
        case TokenBucket() as bucket:
            return Budget(
                bucket.kind.value,
                capacity=bucket.capacity,
                cost_transient=bucket.cost.transient,
                cost_throttled=bucket.cost.throttled,
                refund=bucket.refund,
            )
        case Ratio() as ratio:
            return Budget(
                ratio.kind.value,
                share=ratio.share.percent / 100,
                within_ms=ratio.within.ms,
                min_per_second=ratio.min_per_second,
            )
        case None:
            return None


def cautious_retries(operation: Operation) -> int:
    """How often a cautious status is retried: never where its failure is replayed, since the same answer comes back."""
    retry, failures = operation.settings.retry, operation.settings.stored_failures
    if operation.safety is not Safety.KEYED:
        return retry.cautious.retries
    policies = [failures.server_error.before_effects, failures.server_error.after_effects]
    if not isinstance(failures.statuses, NotDocumented):
        special = [p for s, p in failures.statuses if any(overlap(s, c) for c in retry.cautious.statuses)]
        policies = list(special) or policies
    kept = (StoredFailure.REPLAY, StoredFailure.REJECT)
    return 0 if policies and any(p in kept for p in policies) else retry.cautious.retries


def _numbers(statuses: Iterable[Status]) -> tuple[int, ...]:
    """Each status as a number; a class stands for all of its hundred."""
    found: list[int] = []
    for status in statuses:
        found += (
            range(status.first_digit * 100, status.first_digit * 100 + 100)
            if isinstance(status, StatusClass)
            else [status]
        )
    return tuple(dict.fromkeys(found))


def status_rules(retry: Retry, found: Iterable[Outcome]) -> tuple[StatusRule, ...]:
    """The class of each status, used where no code decides. What no rule names is final.

    An answer without a known code is told by its status; where two answers then share one, the careful class holds.
    An explicit status beats a class of statuses.
    """
    by_status: dict[int, RetryClass] = {}
    classes = (
        (RetryClass.CAUTIOUS, retry.cautious.statuses),
        (RetryClass.TRANSIENT, retry.transient.statuses),
        (RetryClass.THROTTLED, retry.throttled.statuses),
    )
    for wide in (True, False):
        for retry_class, statuses in classes:
            for status in _numbers(s for s in statuses if isinstance(s, StatusClass) is wide):
                by_status[status] = retry_class
    silent: dict[int, list[RetryClass]] = {}
    for outcome in found:
        if outcome.known_code is None and outcome.verb in (Verb.REJECT, Verb.WAIT, Verb.ACCEPT):
            # A success stays one: only a 202 that answers for a request in flight is told by its status.
            for status in (s for s in outcome.statuses if s >= 300 or outcome.verb is Verb.ACCEPT):
                silent.setdefault(status, []).append(_by_status_alone(outcome.retry_class, status))
    for status, shared in silent.items():
        by_status[status] = min(shared, key=CAREFUL_FIRST.index)
    rules = (StatusRule(status, retry_class) for status, retry_class in sorted(by_status.items()))
    return tuple(rule for rule in rules if rule.retry_class is not RetryClass.FINAL)


def _by_status_alone(retry_class: RetryClass, status: int) -> RetryClass:
    """The class of an answer that only its status tells: any malformed request gets a 400, so it proves no mismatch."""
    return RetryClass.FINAL if retry_class is RetryClass.MISMATCH and status == HTTPStatus.BAD_REQUEST else retry_class


def _advised(retry: Retry) -> Iterator[tuple[RetryClass, str]]:
    yield from ((RetryClass.THROTTLED, code) for code in retry.throttled.codes)
    yield from ((RetryClass.TRANSIENT, code) for code in retry.transient.codes)
    yield from ((RetryClass.CAUTIOUS, code) for code in retry.cautious.codes)
    yield from ((RetryClass.FINAL, code) for code in retry.final.codes)


def code_rules(retry: Retry, found: Iterable[Outcome], code_at: str | None) -> tuple[CodeRule, ...]:
    """The class of each machine code, which decides before its status; of two classes for one code the careful one.

    An outcome's code is looked for where that outcome says, and the retry advice's codes at *code_at*: not at all
    where that is None.
    """
    classes: dict[tuple[str, str], list[RetryClass]] = {}
    statuses: dict[tuple[str, str], list[int]] = {}
    for outcome in found:
        if outcome.known_code is not None and outcome.code_at is not None:
            place = (outcome.code_at, outcome.known_code)
            classes.setdefault(place, []).append(outcome.retry_class)
            statuses.setdefault(place, []).extend(outcome.statuses)
    for retry_class, code in _advised(retry):
        if code_at is not None:
            classes.setdefault((code_at, code), []).append(retry_class)
    return tuple(
        CodeRule(code, tuple(dict.fromkeys(statuses.get((at, code), ()))), min(shared, key=CAREFUL_FIRST.index), at)
        for (at, code), shared in classes.items()
    )
