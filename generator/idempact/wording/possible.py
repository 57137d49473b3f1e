"""Which phrases and claims the words of a text could make at all: their patterns need be looked for, no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Mapping as Lookup
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache, reduce
from operator import or_
from pathlib import Path

from idempact.text.dataclass import dataclass
from idempact.wording.claims import Claim, claims, ideas, triggers_of_ideas
from idempact.wording.needs import Vocabulary, met, needs
from idempact.wording.phrasebook import Sought, sought, spelled, triggers
from idempact.wording.scan import triggers_in

_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one language that could be made, by their first ideas, and the ``triggers`` of those."""

    language: str
    by_first: Lookup[str, tuple[Claim, ...]]
    triggers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Possible:
    """What a text could say (``phrases``) or mean (``claims``)."""

    phrases: tuple[Sought, ...]
    claims: tuple[Claims, ...]


def possible(words: AbstractSet[str], present: frozenset[str], languages: Collection[str] | None) -> Possible:
    """What a text of the *words* could say in the *languages* (any, where None), given its triggers, all of them.

    Every phrase and claim that it does say is among that. The words are parted by space, and folded, or at least in
    lower case and whole.
    """
    wanted = languages if languages is None else frozenset(languages)
    asked = _asked_in(present, wanted)
    return _possible(present, wanted, tuple(_vocabulary(language).shown(words) & bits for language, bits in asked))


def could_say(words: AbstractSet[str], told: Collection[str], languages: Collection[str] | None) -> bool:
    """Whether a text could say or mean anything of ours, of whose *words* :func:`telling` gave those *told*."""
    present = triggers_in(told)
    if present is None:
        return True
    could = possible(words, present, languages)
    return bool(could.phrases or could.claims)


@lru_cache(maxsize=_REMEMBERED)
def _asked_in(present: frozenset[str], wanted: frozenset[str] | None) -> tuple[tuple[str, int], ...]:
    """The languages that the triggers stand for, sorted, each with the clauses that matter to what they stand for."""
    bits: dict[str, int] = {}
    for path, language in _phrases_of(present):
        bits[language] = bits.get(language, 0) | _all_of(_asked_by_phrase(path, language))
    for language, firsts in _ideas_of(present):
        asked = _asked_by_ideas(language)
        names = {name for claim in claims() if claim.first in firsts for name in claim.wanted}
        bits[language] = bits.get(language, 0) | _all_of(need for name in names for need in asked[name])
    return tuple(sorted((language, one) for language, one in bits.items() if wanted is None or language in wanted))


def _all_of(asked: Iterable[int]) -> int:
    return reduce(or_, asked, 0)


@lru_cache(maxsize=_REMEMBERED)
def _possible(present: frozenset[str], wanted: frozenset[str] | None, shown: tuple[int, ...]) -> Possible:
    by_language = {language: one for (language, _), one in zip(_asked_in(present, wanted), shown, strict=True)}
    return Possible(
        tuple(
            sought(path, language)
            for path, language in _phrases_of(present)
            if language in by_language and met(_asked_by_phrase(path, language), by_language[language])
        ),
        tuple(
            one
            for language, firsts in _ideas_of(present)
            if language in by_language
            and (one := _claims_of(language, firsts, present, by_language[language])).by_first
        ),
    )


def _claims_of(language: str, firsts: Collection[str], present: frozenset[str], shown: int) -> Claims:
    asked = _asked_by_ideas(language)
    there: dict[str, bool] = {}
    made: list[Claim] = []
    for claim in claims():
        if claim.first not in firsts:
            continue
        for name in claim.wanted:
            if name not in there:
                there[name] = met(asked[name], shown)
            if not there[name]:
                break
        else:
            made.append(claim)
    if not made:
        return Claims(language, {}, ())
    by_first = {first: tuple(c for c in made if c.first == first) for first in sorted({c.first for c in made})}
    known = triggers_of_ideas()
    listed = (t for t in present if any(place == (language, first) for first in by_first for place in known.get(t, ())))
    return Claims(language, by_first, tuple(sorted(listed)))


@cache
def _vocabulary(language: str) -> Vocabulary:
    return Vocabulary()


@cache
def _asked_by_phrase(path: Path, language: str) -> tuple[int, ...]:
    return _vocabulary(language).asked(needs(sought(path, language).spelled))


@cache
def _asked_by_ideas(language: str) -> Lookup[str, tuple[int, ...]]:
    """What each idea of a language that claims want needs."""
    wanted = {name for claim in claims() for name in claim.wanted}
    vocabulary, patterns = _vocabulary(language), ideas(language).patterns
    return {name: vocabulary.asked(needs(spelled(f"{language}.yml", patterns[name]))) for name in sorted(wanted)}


@lru_cache(maxsize=_REMEMBERED)
def _phrases_of(present: frozenset[str]) -> tuple[tuple[Path, str], ...]:
    """The files and languages that the triggers stand for, each once."""
    known = triggers()
    return tuple(sorted({place for trigger in present for place in known.get(trigger, ())}))


@lru_cache(maxsize=_REMEMBERED)
def _ideas_of(present: frozenset[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The languages that the triggers stand for, each with the first ideas."""
    known = triggers_of_ideas()
    asked = [place for trigger in present for place in known.get(trigger, ())]
    return tuple(
        (language, frozenset(first for other, first in asked if other == language))
        for language in sorted({language for language, _ in asked})
    )
