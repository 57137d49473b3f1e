"""Which phrases and claims the words of a text could make at all: their patterns need be looked for, no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Mapping as Lookup
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache, reduce
from operator import or_

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.wording.claims import Claim, claims, patterns_of, triggers_of_ideas
from idempact.wording.needs import Need, Vocabulary, met, needs
from idempact.wording.phrasebook import Sought, sought, spelled, triggers
from idempact.wording.scan import triggers_in

_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """Claims of one language that could be made (``listed``), and the ``triggers`` of their first ideas."""

    language: str
    listed: tuple[Claim, ...]
    triggers: tuple[str, ...]

    @property
    def by_first(self) -> Lookup[str, tuple[Claim, ...]]:
        """The claims by their first ideas."""
        firsts = sorted({claim.first for claim in self.listed})
        return {first: tuple(claim for claim in self.listed if claim.first == first) for first in firsts}

    @property
    def names(self) -> AbstractSet[str]:
        """The ideas that they want."""
        return {name for claim in self.listed for name in claim.wanted}


@dataclass(frozen=True, slots=True, eq=False)
class Phrasing:
    """A phrase in one language, and the places of those of its ``spelled`` patterns that could match."""

    sought: Sought
    could: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """What a text could say (``phrases``) or mean (``claims``). Each is equal to itself alone."""

    phrases: tuple[Phrasing, ...]
    claims: tuple[Claims, ...]


def possible(words: AbstractSet[str], present: frozenset[str], languages: Collection[str] | None) -> Possible:
    """What a text of the *words* could say in the *languages* (any, where None), given its triggers, all of them.

    Every phrase and claim that it does say is among that. The words are parted by space, and folded, or at least in
    lower case and whole.
    """
    wanted = languages if languages is None else frozenset(languages)
    begun = _begun(present, wanted, _shown(words, _asked_first(present, wanted)))
    return _made(begun, _shown(words, _asked_next(begun))) if begun.claims else begun


def could_say(words: AbstractSet[str], told: Collection[str], languages: Collection[str] | None) -> bool:
    """Whether a text could say or mean anything of ours, of whose *words* :func:`telling` gave those *told*."""
    present = triggers_in(told)
    if present is None:
        return True
    could = possible(words, present, languages)
    return bool(could.phrases or could.claims)


_Asked = tuple[tuple[str, int], ...]
"""Languages, each with the clauses that matter."""


def _shown(words: AbstractSet[str], asked: _Asked) -> tuple[int, ...]:
    return tuple([_vocabulary(language).shown(words) & bits for language, bits in asked])


@lru_cache(maxsize=_REMEMBERED)
def _asked_first(present: frozenset[str], wanted: frozenset[str] | None) -> _Asked:
    """What matters to the phrases and the first ideas that the triggers stand for.

    The other ideas of a claim are read only where a text has the first one.
    """
    of_phrases = (
        (language, one) for path, language in _phrases_of(present, wanted) for one in _asked_by_phrase(path, language)
    )
    of_ideas = ((language, _asked_by_idea(language, first)) for language, first in _ideas_of(present, wanted))
    return _together((*of_phrases, *of_ideas))


def _together(listed: Iterable[tuple[str, tuple[int, ...]]]) -> _Asked:
    bits: dict[str, int] = {}
    for language, asked in listed:
        bits[language] = reduce(or_, asked, bits.get(language, 0))
    return tuple(sorted(bits.items()))


@lru_cache(maxsize=_REMEMBERED)
def _begun(present: frozenset[str], wanted: frozenset[str] | None, shown: tuple[int, ...]) -> Possible:
    """The phrases that could be said, and every claim whose first idea could be there."""
    there = {language: one for (language, _), one in zip(_asked_first(present, wanted), shown, strict=True)}
    said = (
        (*place, could)
        for place in _phrases_of(present, wanted)
        if (could := tuple(n for n, one in enumerate(_asked_by_phrase(*place)) if met(one, there[place[1]])))
    )
    meant = (place for place in _ideas_of(present, wanted) if met(_asked_by_idea(*place), there[place[0]]))
    return _all_with(present, tuple(said), tuple(meant))


@lru_cache(maxsize=_REMEMBERED)
def _all_with(
    present: frozenset[str], said: tuple[tuple[Path, str, tuple[int, ...]], ...], meant: tuple[tuple[str, str], ...]
) -> Possible:
    firsts: dict[str, list[str]] = {}
    for language, first in meant:
        firsts.setdefault(language, []).append(first)
    listed = ((language, tuple(c for c in claims() if c.first in some)) for language, some in firsts.items())
    phrasings = tuple(Phrasing(sought(path, language), could) for path, language, could in said)
    return Possible(phrasings, tuple(_of(*one, present) for one in listed))


@lru_cache(maxsize=_REMEMBERED)
def _asked_next(begun: Possible) -> _Asked:
    """What matters to the other ideas of the claims."""
    return _together((c.language, _asked_by_idea(c.language, name)) for c in begun.claims for name in c.names)


@lru_cache(maxsize=_REMEMBERED)
def _made(begun: Possible, shown: tuple[int, ...]) -> Possible:
    """The same, but of its claims those alone of which every idea could be there."""
    out: list[Claims] = []
    for one, bits in zip(sorted(begun.claims, key=lambda c: c.language), shown, strict=True):
        there = {name for name in one.names if met(_asked_by_idea(one.language, name), bits)}
        listed = tuple(c for c in one.listed if there.issuperset(c.wanted))
        if listed:
            out.append(_of(one.language, listed, frozenset(one.triggers)))
    return Possible(begun.phrases, tuple(out))


def possible_alone(text: str, present: frozenset[str]) -> Possible:
    """What :func:`possible` finds for the folded *text* in any language, where there are few texts to be looked at.

    Nothing is prepared that only many texts pay for: a claim is let go at its first idea that isn't there.
    """
    found = [sought(path, language) for path, language in _phrases_of(present, None)]
    could = (tuple(n for n, one in enumerate(each.spelled) if _stands(_needs_of(one), text)) for each in found)
    said = tuple(Phrasing(each, some) for each, some in zip(found, could, strict=True) if some)
    begun = _all_with(present, (), _ideas_of(present, None)).claims
    meant = ((one, tuple(claim for claim in one.listed if _could_mean(claim, one.language, text))) for one in begun)
    return Possible(said, tuple(_of(one.language, listed, present) for one, listed in meant if listed))


def _could_mean(claim: Claim, language: str, text: str) -> bool:
    # The first idea's trigger is there, so the others tell more.
    return all(_stands(_needed(language, name), text) for name in (*claim.wanted[1:], claim.first))


def _stands(asked: Iterable[Need], text: str) -> bool:
    return any(all(any(piece in text for piece in clause) for clause in need) for need in asked)


@cache
def _needs_of(pattern: str) -> tuple[Need, ...]:
    return needs((pattern,))


@cache
def _needed(language: str, name: str) -> tuple[Need, ...]:
    return needs(spelled(f"{language}.yml", patterns_of(language, name)))


def _of(language: str, listed: tuple[Claim, ...], present: frozenset[str]) -> Claims:
    """The claims of a language, with those of the triggers that stand for their first ideas."""
    firsts = {claim.first for claim in listed}
    known = triggers_of_ideas()
    told = (t for t in present if any(lang == language and first in firsts for lang, first in known.get(t, ())))
    return Claims(language, listed, tuple(sorted(told)))


@cache
def _vocabulary(language: str) -> Vocabulary:
    return Vocabulary()


@cache
def _asked_by_phrase(path: Path, language: str) -> tuple[tuple[int, ...], ...]:
    """What each of the patterns of a phrase needs."""
    return tuple(_vocabulary(language).asked(_needs_of(pattern)) for pattern in sought(path, language).spelled)


@cache
def _asked_by_idea(language: str, name: str) -> tuple[int, ...]:
    """What an idea of a language needs."""
    return _vocabulary(language).asked(_needed(language, name))


@lru_cache(maxsize=_REMEMBERED)
def _phrases_of(present: frozenset[str], wanted: frozenset[str] | None) -> tuple[tuple[Path, str], ...]:
    """The files and languages that the triggers stand for, each once."""
    known = triggers()
    places = {place for trigger in present for place in known.get(trigger, ())}
    return tuple(sorted(place for place in places if wanted is None or place[1] in wanted))


@lru_cache(maxsize=_REMEMBERED)
def _ideas_of(present: frozenset[str], wanted: frozenset[str] | None) -> tuple[tuple[str, str], ...]:
    """The languages and first ideas that the triggers stand for, each once."""
    known = triggers_of_ideas()
    places = {place for trigger in present for place in known.get(trigger, ())}
    return tuple(sorted(place for place in places if wanted is None or place[0] in wanted))
