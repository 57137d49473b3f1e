"""What a contract says, as the words that scenarios ask for and the answers that they expect."""

from __future__ import annotations

from collections.abc import Mapping

from idempact.contract.model.answers import Answer, Verb
from idempact.contract.model.contract import Operation, Settings
from idempact.contract.model.key import KeyFormat, Quoted, RequiredWhen, ScopeWord, Session
from idempact.contract.model.replay import StoredFailure
from idempact.contract.model.retry import RetryAfterCarrier
from idempact.contract.model.windows import AtMost
from idempact.contract.units import Duration, NotDocumented, StatusClass
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Expected:
    """One answer as it must come: its statuses, its machine code, and the wait that a header tells."""

    statuses: tuple[int, ...]
    code: str | None = None
    wait: str | None = None


def terms(operation: Operation) -> Mapping[str, tuple[str, ...]]:
    """Each term with the words that the contract says for it; empty where it says nothing."""
    settings = operation.settings
    answers, failures = settings.answers, settings.stored_failures
    key, replay = settings.key, settings.replay
    scope = () if isinstance(settings.scope, NotDocumented) else settings.scope
    required = "sometimes" if isinstance(key.required, RequiredWhen) else str(key.required).lower()
    several = isinstance(key.format, KeyFormat)
    return {
        **{name: _verbs(answer) for name, answer in answers.each()},
        "mismatch": _verbs(answers.mismatch) if settings.fingerprint is not None else ("ignored",),
        "required": () if isinstance(key.required, NotDocumented) else (required,),
        "keys": ("several",) if several else ("one",),
        "case": ("kept",) if several and not str(key.format).startswith("uuid") else (),
        "quoted": ("no",) if key.quoted is Quoted.NO else (),
        "carrier": (key.carrier.value,),
        "scope": tuple("session" if isinstance(part, Session) else part.value for part in scope),
        "outside": tuple(f"no-{word.value}" for word in ScopeWord if word not in scope),
        "body": () if settings.fingerprint is None else _word(settings.fingerprint.body),
        "window": _ends(settings),
        "counted_from": _word(settings.windows.counted_from),
        "chain": ("known",) if moments(settings).get("longest-chain") is not None else (),
        "removed": ("later",) if _removed_later(settings) else (),
        "fidelity": _word(replay.fidelity),
        "before_execution": _kept(settings, 400, failures.before_execution),
        "business_rejection": _kept(settings, 402, failures.business_rejection),
        "before_effects": _kept(settings, 500, failures.server_error.before_effects),
        "after_effects": _kept(settings, 500, failures.server_error.after_effects),
    }


def _ends(settings: Settings) -> tuple[str, ...]:
    if isinstance(settings.windows.replay, NotDocumented):
        return ()
    return ("ends",) if moments(settings)["window"] is not None else ("forever",)


def _word(value: object) -> tuple[str, ...]:
    return () if isinstance(value, NotDocumented) else (str(value),)


def _verbs(answer: Answer | NotDocumented | None) -> tuple[str, ...]:
    return (answer.answer.value,) if isinstance(answer, Answer) and isinstance(answer.answer, Verb) else ()


def _kept(settings: Settings, status: int, by_class: StoredFailure | NotDocumented) -> tuple[str, ...]:
    """What is kept of a failure with this status: an exception for the status beats one for its class."""
    failures = settings.stored_failures.statuses
    exceptions = {} if isinstance(failures, NotDocumented) else dict(failures)
    for wanted in (status, StatusClass(status // 100)):
        if wanted in exceptions:
            return (exceptions[wanted].value,)
    return _word(by_class)


def moments(settings: Settings) -> Mapping[str, int | None]:
    """How many milliseconds from now on each moment of a scenario comes; None where it never does.

    A tenth is left before an end, since a server's own clock goes on while a scenario is played.
    """
    windows = settings.windows
    window: Duration | None = None
    if not isinstance(windows.replay, NotDocumented):
        window = windows.replay.value if isinstance(windows.replay, AtMost) else windows.replay.least
    lease = windows.lease if isinstance(windows.lease, Duration) else None
    chains = () if isinstance(windows.retry_chains, NotDocumented) else windows.retry_chains
    cleanup = windows.cleanup if isinstance(windows.cleanup, Duration) else None
    return {
        "lease": lease.ms if lease is not None else None,
        "before-lease": lease.ms - lease.ms // 10 if lease is not None else None,
        "window": window.ms if window is not None else None,
        "before-window": window.ms - window.ms // 10 if window is not None else None,
        "longest-chain": max((chain.lasts.ms for chain in chains), default=None),
        "cleanup": cleanup.ms if cleanup is not None else None,
    }


def _removed_later(settings: Settings) -> bool:
    at = moments(settings)
    window, cleanup = at["window"], at["cleanup"]
    return window is not None and cleanup is not None and cleanup > window


def expected(settings: Settings) -> Mapping[str, Expected]:
    """Each answer that refuses a request, by name."""
    found = {}
    for name, answer in settings.answers.each():
        if isinstance(answer, Answer) and answer.answer in (Verb.REJECT, Verb.WAIT, Verb.ACCEPT):
            found[name] = _expected(answer, settings)
    if not found.get("stale", Expected((0,))).statuses and "in_flight" in found:
        found["stale"] = found["in_flight"]
    return found


def _expected(answer: Answer, settings: Settings) -> Expected:
    statuses = () if isinstance(answer.status, NotDocumented) else answer.status
    if answer.answer is Verb.ACCEPT:
        return Expected(statuses or (202,))
    place = settings.retry.retry_after
    told = place is not None and place.carrier is RetryAfterCarrier.HEADER and isinstance(answer.retry_after, Duration)
    wait = str(answer.retry_after.ms // 1000) if told and isinstance(answer.retry_after, Duration) else None
    told_code = answer.code_at is not None or isinstance(settings.errors.code_at, str)
    return Expected(statuses, answer.code if told_code and isinstance(answer.code, str) else None, wait)
