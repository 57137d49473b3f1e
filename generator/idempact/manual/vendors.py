"""What vendors document, side by side, from their contracts."""

from __future__ import annotations

from collections.abc import Callable

from idempact.contract.model.answers import VARIES, Answer, Verb
from idempact.contract.model.contract import Contract, Settings
from idempact.contract.model.key import Fingerprint, Length, Pattern, RequiredWhen, Session
from idempact.contract.model.replay import Fidelity, Indicator, ServerErrors
from idempact.contract.model.windows import AtLeast, AtMost, Between, Exactly, Forever
from idempact.contract.units import NOT_DOCUMENTED, Duration
from idempact.render.literals import md_code, md_text
from idempact.text.dataclass import dataclass

UNDOCUMENTED = "not documented"


@dataclass(frozen=True, slots=True)
class Remark:
    """A note of the contract: the field, what is quoted or said of it, and where it was read."""

    at: str
    quote: str
    text: str
    source: str
    read: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Vendor:
    """One row: the API's name, its file, a cell (Markdown) per column, and its notes."""

    slug: str
    name: str
    cells: tuple[str, ...]
    sources: tuple[str, ...]
    remarks: tuple[Remark, ...]


def vendor(slug: str, contract: Contract) -> Vendor:
    """The row of one contract. What differs by operation is told as it holds where nothing is said under one."""
    notes = tuple(
        Remark(
            note.at,
            note.quote or "",
            "" if note.text is None else note.text.for_locale("en"),
            note.source or "",
            note.read or "",
            note.confirmed,
        )
        for note in contract.notes
    )
    cells = tuple(column(contract.settings) for column in COLUMNS.values())
    sources = tuple(dict.fromkeys(note.source for note in notes if note.source))
    return Vendor(slug, str(contract.api.name), cells, sources, notes)


def _key(settings: Settings) -> str:
    key = settings.key
    return f"{_text(key.carrier)} {_code(key.name)}"


def _required(settings: Settings) -> str:
    required = settings.key.required
    if isinstance(required, RequiredWhen):
        return f"when {md_text(required.when.for_locale('en'))}"
    return _text(required)


def _format(settings: Settings) -> str:
    form = settings.key.format
    return md_code(form.pattern) if isinstance(form, Pattern) else _text(form)


def _length(settings: Settings) -> str:
    length = settings.key.length
    if not isinstance(length, Length):
        return UNDOCUMENTED
    return f"{length.min} {length.unit}" if length.min == length.max else f"{length.min} to {length.max} {length.unit}"


def _scope(settings: Settings) -> str:
    if not isinstance(settings.scope, tuple):
        return UNDOCUMENTED
    parts = (part.meaning.for_locale("en") if isinstance(part, Session) else part.value for part in settings.scope)
    return md_text(", ".join(parts))


def _fingerprint(settings: Settings) -> str:
    found = settings.fingerprint
    return f"body: {_text(found.body)}" if isinstance(found, Fingerprint) else "nothing is compared"


def _window(settings: Settings) -> str:
    match settings.windows.replay:
        case Exactly(value):
            return str(value)
        case AtLeast(value):
            return f"at least {value}"
        case AtMost(value):
            return f"at most {value}"
        case Between(least, most):
            return f"{least} to {most}"
        case Forever():
            return "forever"
        case _:
            return UNDOCUMENTED


def _answer(name: str) -> Callable[[Settings], str]:
    def cell(settings: Settings) -> str:
        answer: object = getattr(settings.answers, name)
        return _answered(answer) if isinstance(answer, Answer) else UNDOCUMENTED if answer else "none"

    return cell


def _answered(answer: Answer) -> str:
    going_on = {Verb.EXECUTE: "runs as a new request", Verb.IGNORE: "ignored", Verb.RESUME: "resumed"}
    if isinstance(answer.answer, Verb) and answer.answer in going_on:
        return going_on[answer.answer]
    if answer.status is NOT_DOCUMENTED and answer.code is NOT_DOCUMENTED:
        return UNDOCUMENTED if answer.answer is NOT_DOCUMENTED else f"{answer.answer}, with what is not documented"
    parts = []
    if answer.answer is Verb.WAIT:
        parts.append(f"waits{f' for {answer.at_most} at most' if answer.at_most else ''}, then")
    status, code = _statuses(answer.status), _machine_code(answer.code)
    parts.append(", ".join(part for part in (status, code) if part))
    if isinstance(answer.retry_after, Duration) or answer.retry_after is VARIES:
        parts.append(f"(Retry-After {'varies' if answer.retry_after is VARIES else answer.retry_after})")
    return " ".join(part for part in parts if part) or "no answer of its own"


def _statuses(status: object) -> str:
    return " or ".join(map(str, status)) if isinstance(status, tuple) else "status not documented"


def _machine_code(code: object) -> str:
    return "" if code is None else "code not documented" if code is NOT_DOCUMENTED else _code(code)


def _failures(settings: Settings) -> str:
    stored = settings.stored_failures
    errors = stored.server_error
    rejection = _text(stored.business_rejection)
    if not isinstance(errors, ServerErrors):
        return f"4xx: {rejection}; 5xx: {UNDOCUMENTED}"
    before, after = _text(errors.before_effects), _text(errors.after_effects)
    if rejection == before == after:
        return rejection
    return f"4xx: {rejection}; 5xx: {before}" + (f", once effects began: {after}" if before != after else "")


def _indicator(settings: Settings) -> str:
    found = settings.replay.indicator
    if settings.replay.fidelity is Fidelity.ERROR:
        return "none: a repeat is an error"
    if isinstance(found, Indicator):
        return md_code(f"{found.name}: {found.value}")
    return "none" if found is None else UNDOCUMENTED


def _text(value: object) -> str:
    """A word as the contract writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return UNDOCUMENTED if value is NOT_DOCUMENTED else str(value)


def _code(value: object) -> str:
    return md_code(str(value)) if value is not NOT_DOCUMENTED else UNDOCUMENTED


COLUMNS: dict[str, Callable[[Settings], str]] = {
    "Key": _key,
    "Required": _required,
    "Format": _format,
    "Length": _length,
    "Unique within": _scope,
    "Fingerprint": _fingerprint,
    "Window": _window,
    "In flight": _answer("in_flight"),
    "Mismatch": _answer("mismatch"),
    "Expired key": _answer("expired_key"),
    "Stored failures": _failures,
    "Replay says so by": _indicator,
}
