"""Which answers a client can get under given settings, what it does next, and which of them it can't tell apart."""

from __future__ import annotations

from idempact.contract.model.answers import Answer, ClientAction, Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.key import RequiredWhen
from idempact.contract.model.replay import Fidelity, StoredFailure
from idempact.contract.units import Documented, NotDocumented
from idempact.text.dataclass import dataclass

_ACTIONS = {
    "unsupported_key": ClientAction.FIX_REQUEST,
    "malformed_key": ClientAction.FIX_REQUEST,
    "missing_key": ClientAction.FIX_REQUEST,
    "store_unavailable": ClientAction.WAIT_SAME_KEY,
    "expired_key": ClientAction.ASK,
    "mismatch": ClientAction.FIX_REQUEST,
    "previous_failure": ClientAction.NEW_KEY,
    "completed": ClientAction.STOP,
    "in_flight": ClientAction.WAIT_SAME_KEY,
    "stale": ClientAction.WAIT_SAME_KEY,
    "unknown_outcome": ClientAction.ASK,
}


@dataclass(frozen=True, slots=True)
class Given:
    """One answer that a client can get under its name, and what it does next."""

    name: str
    answer: Answer
    action: ClientAction

    @property
    def statuses(self) -> tuple[int, ...]:
        """The known statuses; 202 where an accepted request states none (RFC 9110, section 15.3.3)."""
        status = self.answer.status
        if isinstance(status, NotDocumented):
            return ()
        return (202,) if self.answer.answer is Verb.ACCEPT and not status else status


def given_answers(settings: Settings) -> tuple[Given, ...]:
    """Every answer that an operation with these settings can give as an error or a 202, in the order of checking.

    Left out: answers by which the request simply goes on (execute, ignore, resume), what isn't documented at all, a
    missing key where none is required, a mismatch where nothing is compared.
    """
    found = []
    for name, answer in settings.answers.each():
        if isinstance(answer, NotDocumented) or not possible(name, settings):
            continue
        if answer.answer in (Verb.EXECUTE, Verb.IGNORE, Verb.RESUME) or (name == "stale" and not answer.status):
            continue
        found.append(Given(name, answer, answer.client or _ACTIONS[name]))
    return tuple(found)


def possible(name: str, settings: Settings) -> bool:
    """Whether the case that the answer *name* is for can arise under these settings."""
    if name == "missing_key":
        return settings.key.required is True or isinstance(settings.key.required, RequiredWhen)
    if name == "mismatch":
        return settings.fingerprint is not None
    if name == "previous_failure":
        return StoredFailure.REJECT in failure_words(settings)
    if name == "completed":
        return settings.replay.fidelity is Fidelity.ERROR
    return True


def failure_words(settings: Settings) -> tuple[StoredFailure, ...]:
    """Every word that the contract uses for a failure's repeat, where documented."""
    failures = settings.stored_failures
    words = (
        failures.before_execution,
        failures.business_rejection,
        failures.server_error.before_effects,
        failures.server_error.after_effects,
        *(() if isinstance(failures.statuses, NotDocumented) else (word for _, word in failures.statuses)),
    )
    return tuple(dict.fromkeys(word for word in words if not isinstance(word, NotDocumented)))


def readable_code(answer: Answer, settings: Settings) -> Documented[tuple[str, str | None] | None]:
    """The machine code and its place, as a client can read them; None where there is no code, or no place for it."""
    place = answer.code_at if answer.code_at is not None else settings.errors.code_at
    if isinstance(answer.code, NotDocumented):
        return answer.code
    if answer.code is None or place is None:
        return None
    return (answer.code, None if isinstance(place, NotDocumented) else place)


def alike(settings: Settings) -> tuple[tuple[Given, Given], ...]:
    """Pairs of answers that a client can't tell apart (a status and the code are equal) though it acts differently."""
    found = given_answers(settings)
    return tuple(
        (one, other)
        for index, one in enumerate(found)
        for other in found[index + 1 :]
        if one.action is not other.action and look_alike(one, other, settings)
    )


def look_alike(one: Given, other: Given, settings: Settings) -> bool:
    """Whether two answers share a status (or both have none) and have the same code in the same place, or none."""
    codes = readable_code(one.answer, settings), readable_code(other.answer, settings)
    if any(isinstance(code, NotDocumented) for code in codes) or codes[0] != codes[1]:
        return False
    documented = not isinstance(one.answer.status, NotDocumented) and not isinstance(other.answer.status, NotDocumented)
    return documented and (bool(set(one.statuses) & set(other.statuses)) or not (one.statuses or other.statuses))
