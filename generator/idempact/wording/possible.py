"""Which phrases and claims the words of a text could make at all: their patterns need be looked for, no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Mapping as Lookup
from functools import cache, lru_cache
from pathlib import Path

from idempact.text.dataclass import dataclass
from idempact.wording.claims import Claim, claims, ideas, triggers_of_ideas
from idempact.wording.needs import Vocabulary, met, needs
from idempact.wording.phrasebook import Sought, sought, spelled, triggers

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


def possible(text: str, present: frozenset[str], languages: Collection[str] | None) -> Possible:
    """What the folded *text* could say in the *languages* (any, where None), given its triggers, all of them.

    Every phrase and claim that it does say is among that.
    """
    wanted = languages if languages is None else frozenset(languages)
    spoken = _languages_of(present)
    return _possible(present, wanted, tuple(_vocabulary(language).shown(text) for language in spoken))


@lru_cache(maxsize=_REMEMBERED)
def _languages_of(present: frozenset[str]) -> tuple[str, ...]:
    """The languages that the triggers stand for, sorted; what is to be looked for in them is known from then on."""
    said = [(path, language) for path, language in _phrases_of(present) if _asked_by_phrase(path, language)]
    meant = [language for language, _ in _ideas_of(present) if _asked_by_ideas(language)]
    return tuple(sorted({*meant, *(language for _, language in said)}))


@lru_cache(maxsize=_REMEMBERED)
def _possible(present: frozenset[str], wanted: frozenset[str] | None, shown: tuple[int, ...]) -> Possible:
    by_language = dict(zip(_languages_of(present), shown, strict=True))
    return Possible(
        tuple(
            sought(path, language)
            for path, language in _phrases_of(present)
            if (wanted is None or language in wanted) and met(_asked_by_phrase(path, language), by_language[language])
        ),
        tuple(
            one
            for language, firsts in _ideas_of(present)
            if (wanted is None or language in wanted)
            and (one := _claims_of(language, firsts, present, by_language[language])).by_first
        ),
    )


def _claims_of(language: str, firsts: Iterable[str], present: frozenset[str], shown: int) -> Claims:
    asked = _asked_by_ideas(language)
    there = {name for name, listed in asked.items() if met(listed, shown)}
    made = [c for c in claims() if c.first in firsts and there.issuperset((c.first, *c.near, *c.far))]
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
    wanted = {name for claim in claims() for name in (claim.first, *claim.near, *claim.far)}
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
