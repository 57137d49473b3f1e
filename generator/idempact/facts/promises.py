"""Promises: what may be said of a profile, as messages. Nothing is promised that the contract doesn't state."""

from __future__ import annotations

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.key import Fingerprint, ScopePart, ScopeWord, Session
from idempact.contract.model.replay import Fidelity
from idempact.contract.model.windows import AtLeast, AtMost, Between, CountedFrom, Exactly, Forever, Window
from idempact.contract.units import Documented, Duration, NotDocumented
from idempact.facts.messages import Message, Value, message

UNKNOWN = "promise.unknown"
"""The key of the promise where not even is documented what a repeat gets."""
_NOTHING_LATER = "after.unknown-not-documented"


def window(value: Documented[Window]) -> Message:
    """A window in words."""
    match value:
        case NotDocumented():
            return message("window.not-documented")
        case Forever():
            return message("window.forever")
        case Exactly():
            return message("window.exactly", value=value.value)
        case AtLeast():
            return message("window.at-least", value=value.value)
        case Between():
            return message("window.between", least=value.least_value, most=value.most_value)
        case AtMost():
            return message("window.at-most", value=value.value)


def counted_from(value: Documented[CountedFrom]) -> Message:
    """The start of a window in words."""
    return message(f"counted-from.{value}")


def scope_part(part: ScopePart) -> Message:
    """One part of a scope in words."""
    if isinstance(part, Session):
        return message("scope.session", meaning=part.meaning)
    return message(f"scope.{part.value}")


def scope(parts: Documented[tuple[ScopePart, ...]]) -> Message:
    """The scope in words: what a repeat must have in common with the first request."""
    if isinstance(parts, NotDocumented):
        return message("scope.not-documented")
    who = tuple(scope_part(p) for p in parts if p not in (ScopeWord.OPERATION, ScopeWord.PATH))
    what = tuple(scope_part(p) for p in parts if p in (ScopeWord.OPERATION, ScopeWord.PATH))
    if who and what:
        return message("scope.who-and-what", who=who, what=what)
    return message("scope.who", who=who) if who else message("scope.what", what=what)


def promise(settings: Settings) -> tuple[Message, ...]:
    """The honest promise: what repeats get within the window, what comes after it, and what other keys mean.

    What is not documented is said in a sentence of its own, never claimed in passing.
    """
    within, later = _within(settings), afterwards(settings)
    # Where nothing is said of the window, nothing more is to be said of what comes after it.
    told = () if within.key == UNKNOWN and later.key == _NOTHING_LATER else (later,)
    return (within, *_gaps(settings), *told, message("promise.other-keys"))


def _within(settings: Settings) -> Message:
    windows, fidelity = settings.windows, settings.replay.fidelity
    values: dict[str, Value] = {
        "scope": scope(settings.scope),
        "result": result(fidelity),
        "start": counted_from(windows.counted_from),
        "same": same(settings.fingerprint),
    }
    match windows.replay:
        case NotDocumented():
            return message(UNKNOWN if isinstance(fidelity, NotDocumented) else "promise.unknown-window", **values)
        case Forever():
            return message("promise.forever", **values)
        case AtLeast() | Between():
            least = windows.replay.least
            assert least is not None  # both have a lower bound
            return message("promise.at-least", window=least, **values)
        case Exactly():
            return message("promise.within", window=windows.replay.value, **values)
        case AtMost():
            return message("promise.at-most", window=windows.replay.value, **values)


def _gaps(settings: Settings) -> tuple[Message, ...]:
    """What the promise leaves open, as one sentence; nothing where all is documented."""
    windows, fingerprint = settings.windows, settings.fingerprint
    if isinstance(windows.replay, NotDocumented) and isinstance(settings.replay.fidelity, NotDocumented):
        return ()
    counted = not isinstance(windows.replay, NotDocumented | Forever)
    gaps = (
        (counted and isinstance(windows.counted_from, NotDocumented), "gap.start"),
        (isinstance(settings.scope, NotDocumented), "gap.scope"),
        (fingerprint is not None and isinstance(fingerprint.body, NotDocumented), "gap.same"),
    )
    open_ones = tuple(message(key) for is_open, key in gaps if is_open)
    return (message("promise.gaps", gaps=open_ones),) if open_ones else ()


def same(fingerprint: Fingerprint | None) -> Message:
    """Whether a repeat must have the same content."""
    if fingerprint is None:
        return message("same.none")
    return message("same.unknown" if isinstance(fingerprint.body, NotDocumented) else "same.compared")


def result(fidelity: Documented[Fidelity]) -> Message:
    """What a repeat of a completed request returns, in words."""
    return message(f"result.{fidelity}")


def afterwards(settings: Settings) -> Message:
    """What a reused key gets after the window; with two bounds, that begins at the upper one."""
    replay = settings.windows.replay
    if isinstance(replay, Forever):
        return message("after.never")
    answer = settings.answers.expired_key
    if isinstance(answer, NotDocumented) or isinstance(answer.answer, NotDocumented):
        return message(_NOTHING_LATER if isinstance(replay, NotDocumented) else "after.not-documented")
    then = message("then.execute")
    if answer.answer is Verb.REJECT:
        # Once the record is gone, nobody can tell that the key was ever used.
        kept = settings.windows.cleanup
        last = None if isinstance(replay, NotDocumented) else replay.most
        if isinstance(kept, Duration) and last is not None and kept.ms <= last.ms:
            then = message("then.execute")
        elif isinstance(kept, Duration):
            then = message("then.reject-while-kept", kept=kept)
        else:
            then = message("then.reject")
    match replay:
        case Between():
            return message("after.between", most=replay.most_value, then=then)
        case AtMost():
            return message("after.at-most", most=replay.value, then=then)
        case AtLeast():
            return message("after.open", then=then)
        case NotDocumented():
            return message("after.unknown-window", then=then)
        case Exactly():
            return message("after.exactly", then=then)
