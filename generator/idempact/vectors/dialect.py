"""The vectors in another contract's words: its key's carrier and form, its statuses and codes; the times stay scaled.

The scaled contracts beside the vectors have words of their own. A client that is made for one API knows that API's
words, and is scripted with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idempact.contract.model.answers import Answer, Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.key import Carrier, Key, KeyFormat, Quoted
from idempact.contract.model.retry import BudgetKind, JitterKind
from idempact.contract.units import NotDocumented
from idempact.text.dataclass import dataclass, replace
from idempact.vectors.model import Fault, Step, Vector, Wire

TRANSLATED = ("malformed_key", "mismatch", "in_flight")
_BUDGETS = {"budget": BudgetKind.TOKEN_BUCKET, "ratio": BudgetKind.RATIO}
_CARRIERS = (Carrier.HEADER, Carrier.QUERY, Carrier.BODY)
_NAMES = {f"{KeyFormat.UUID}": 4, f"{KeyFormat.UUID_V4}": 4, f"{KeyFormat.UUID_V5}": 5, f"{KeyFormat.UUID_V7}": 7}


class Untranslatable(Exception):
    """What of a contract the vectors can't be told in."""


@dataclass(frozen=True, slots=True)
class Translated:
    """The vectors in a contract's words; ``left_out`` are those that ask for what it doesn't have, by id."""

    vectors: tuple[Vector, ...]
    wire: Wire
    left_out: tuple[str, ...]


def translate(vectors: Sequence[Vector], scaled: Settings, contract: Settings) -> Translated:
    """*vectors*, written in the words of the *scaled* contract, in those of *contract*.

    Raises Untranslatable where the key travels in no header, query or body, or a word that is needed isn't documented.
    """
    wire = wire_of(contract)
    words = {_word(scaled, name): _word(contract, name) for name in TRANSLATED if _word(scaled, name) is not None}
    accepts = isinstance(contract.answers.in_flight, Answer) and contract.answers.in_flight.answer is Verb.ACCEPT
    kept, left_out = [], []
    for vector in vectors:
        told = {(step.status, step.code) for step in vector.steps if step.code}
        made = vector.key_length or vector.calls > 1  # keys of a form of their own
        silent = any(words.get(word, word) is None for word in told)
        if silent or (vector.profile == "accept" and not accepts) or (made and wire.uuid) or _unasked(vector, contract):
            left_out.append(vector.id)
        else:
            kept.append(_translated(vector, words))
    return Translated(tuple(kept), wire, tuple(left_out))


def _unasked(vector: Vector, contract: Settings) -> bool:
    """Whether it is about a jitter or a budget that the contract doesn't have, so that its clients know none such."""
    retry = contract.retry
    jitter = JitterKind.FULL if vector.windows_ms else JitterKind.DECORRELATED if vector.decorrelated_ms else None
    kind = retry.budget.kind if retry.budget is not None else None
    return jitter not in (None, retry.backoff.jitter) or _BUDGETS.get(vector.profile, kind) is not kind


_Word = tuple[int, str] | None


def _word(settings: Settings, name: str) -> _Word:
    """Status and code of a refusal; None where there is none that a client could be told."""
    answer = getattr(settings.answers, name)
    if not isinstance(answer, Answer) or answer.answer not in (Verb.REJECT, Verb.WAIT):
        return None
    if isinstance(answer.status, NotDocumented) or not answer.status or isinstance(answer.code, NotDocumented):
        return None
    return (answer.status[0], answer.code or "")


def _translated(vector: Vector, words: Mapping[_Word, _Word]) -> Vector:
    steps, status = [], vector.status
    for step in vector.steps:
        new = words.get((step.status, step.code)) if step.fault is Fault.ANSWER else None
        if new is not None and status == step.status and not vector.ok:
            status = new[0]
        steps.append(step if new is None else _restated(step, *new))
    return replace(vector, steps=tuple(steps), status=status)


def _restated(step: Step, status: int, code: str) -> Step:
    return replace(step, status=status, code=code)


def wire_of(contract: Settings) -> Wire:
    """Where the server looks for a key and writes a code; raises as :func:`translate` does."""
    key = contract.key
    if key.carrier not in _CARRIERS or isinstance(key.name, NotDocumented):
        raise Untranslatable(f"the key travels as {key.carrier}, and the vectors know header, query and body")
    mismatch = _word(contract, "mismatch")
    if mismatch is None:
        raise Untranslatable("answers.mismatch has no status and code that a client could be told")
    place = contract.errors.code_at
    return Wire(
        key_in=key.carrier.value,
        key_name=key.name,
        key_path=_way(key.name) if key.carrier is Carrier.BODY else (),
        quoted=key.quoted is Quoted.YES,
        code_path=_way(place) if isinstance(place, str) else (),
        mismatch=mismatch,
        uuid=_uuid(key),
    )


def _way(place: str) -> tuple[str, ...]:
    if not place.startswith("/"):
        return (place,)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in place[1:].split("/"))


def _uuid(key: Key) -> int:
    return _NAMES.get(str(key.format), 0)
