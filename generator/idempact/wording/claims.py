"""Claims as ideas that meet in one sentence, whatever the words and their order.

A rule says once, for all languages, which ideas make its claim (``claims``); a language's file in ``ideas/`` says
in which words it has them. "Nobody is billed a second time" and "double charges can't happen" share no words, and are
the same three ideas.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from collections.abc import Mapping as Lookup
from functools import cache, cached_property

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex
from idempact.wording import laid_out
from idempact.wording.fold import bare
from idempact.wording.phrasebook import (
    Incomplete,
    compiled,
    head_of,
    phrase_files,
    quoted_list,
    read_fields,
    taken_list,
    text_of,
)

_IDEAS = Path(__file__).parent / "ideas"
_REACH = 200
"""How far the ideas of one claim may stand from the first."""
_NEIGHBOURS = 6
_ENOUGH = 0.6
"""The share of the most small words that a language must have to be a likely one."""
_ANYWHERE = "*"
_STOPS = (";", "|")
_WORD = regex("[a-z]+")
_CLAIM = regex(r"!?[a-z-]+(?:,? !?[a-z-]+)*")
_TRIGGERS = regex(r"^  ([a-z-]+): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one rule forbids: the idea ``first``, with others ``near`` it in its clause and ``far`` in its sentence.

    It is none where one of ``unless_near`` stands in the clause, or of ``unless_far`` in the sentence.
    """

    path: Path
    first: str
    near: tuple[str, ...]
    far: tuple[str, ...]
    unless_near: tuple[str, ...]
    unless_far: tuple[str, ...]
    despite: tuple[str, ...]

    @property
    def ideas(self) -> tuple[str, ...]:
        """Every idea that the claim names."""
        return (*self.wanted, *self.unless_near, *self.unless_far)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The ideas that must be there, the first one first."""
        return (self.first, *self.near, *self.far)


@dataclass(frozen=True, slots=True)
class Made:
    """A claim that a sentence makes: the stretches of its ideas in the text, in order of place, and of the first."""

    claim: Claim
    language: str
    first: tuple[int, int]
    spans: tuple[tuple[int, int], ...]
    own: tuple[tuple[int, int], ...]
    """Every stretch of its ideas from the first to the last, those included that it could do without."""

    @property
    def whole(self) -> tuple[int, int]:
        """From the first idea's begin to the last one's end."""
        return self.spans[0][0], max(end for _, end in self.spans)


@dataclass(frozen=True, slots=True)
class Ideas:
    """One language's words for the ideas, and what ends a clause (``breaks``).

    Its small words (``marks``), or its ``letters``, tell that a text is written in it.
    """

    language: str
    marks: frozenset[str]
    letters: re.Pattern[str] | None
    breaks: re.Pattern[str]
    patterns: Lookup[str, tuple[str, ...]]
    triggers: Lookup[str, tuple[str, ...]]


@cache
def claims() -> tuple[Claim, ...]:
    """Every claim of every rule. Raises :class:`Incomplete` for one that isn't written as ideas."""
    return tuple(claim for path in phrase_files() for claim in _claims_of(path))


def _claims_of(path: Path) -> Iterator[Claim]:
    head = head_of(path)
    listed, despite = laid_out.claims(head), laid_out.despite(head)
    if listed is None or despite is None:
        fields = read_fields(path, text=head)
        despite = taken_list(path, fields, "despite") if "despite" in fields else ()
        listed = taken_list(path, fields, "claims") if "claims" in fields else ()
    for text in listed:
        if not _CLAIM.fullmatch(text) or text.startswith("!"):
            raise Incomplete(f"{path.name}: {text!r} is no list of ideas")
        clause, _, rest = text.partition(", ")
        near, far = clause.split(), rest.split()
        yield Claim(
            path,
            near[0],
            tuple(idea for idea in near[1:] if idea[0] != "!"),
            tuple(idea for idea in far if idea[0] != "!"),
            tuple(idea[1:] for idea in near if idea[0] == "!"),
            tuple(idea[1:] for idea in far if idea[0] == "!"),
            despite,
        )


@cache
def first_ideas() -> frozenset[str]:
    """The ideas that claims begin with; only these need triggers."""
    return frozenset(claim.first for claim in claims())


@cache
def triggers_of_ideas() -> Lookup[str, tuple[tuple[str, str], ...]]:
    """Every trigger of the first ideas, with the language and the idea; the words themselves aren't read for it."""
    out: dict[str, list[tuple[str, str]]] = {}
    for language, idea, trigger in _listed_triggers():
        out.setdefault(trigger.removeprefix(_ANYWHERE), []).append((language, idea))
    return {trigger: tuple(places) for trigger, places in out.items()}


@cache
def inner_triggers() -> frozenset[str]:
    """The triggers of first ideas that may stand within words, as the parts of German ones do; others begin a word."""
    return frozenset(
        trigger.removeprefix(_ANYWHERE) for _, _, trigger in _listed_triggers() if trigger.startswith(_ANYWHERE)
    )


@cache
def _listed_triggers() -> tuple[tuple[str, str, str], ...]:
    """Each trigger as it is written, behind its language and idea."""
    return tuple(
        (language, idea, trigger)
        for path, language in zip(_idea_files(), languages_with_ideas(), strict=True)
        for idea, listed in _TRIGGERS.findall(text_of(path).partition("\ntriggers:\n")[2])
        for trigger in quoted_list(path, listed)
    )


def _idea_files() -> list[Path]:
    return sorted(_IDEAS.glob("*.yml"))


@cache
def languages_with_ideas() -> tuple[str, ...]:
    """The languages that have words for the ideas, sorted."""
    return tuple(path.stem for path in _idea_files())


@cache
def ideas(language: str) -> Ideas:
    """A language's words. Raises :class:`Incomplete` where one of the ideas that claims name is missing."""
    path = _IDEAS / f"{language}.yml"
    fields = read_fields(path)
    listed, given = fields.pop("ideas", None), fields.pop("triggers", None)
    breaks = compiled(path.name, taken_list(path, fields, "breaks"))
    spelled = "letters" in fields
    letters = compiled(path.name, taken_list(path, fields, "letters")) if spelled else None
    marks = frozenset() if spelled else frozenset(map(bare, taken_list(path, fields, "marks")))
    if fields or not isinstance(listed, dict) or not isinstance(given, dict):
        raise Incomplete(
            f"{path.name}: wants marks or letters, breaks, ideas and triggers; left over: {sorted(fields)}"
        )
    patterns = {str(name): taken_list(path, dict(listed), str(name)) for name in listed}
    triggers = {str(name): taken_list(path, dict(given), str(name)) for name in given}
    missing = {idea for claim in claims() for idea in claim.ideas} - set(patterns)
    if missing or set(triggers) != first_ideas():
        raise Incomplete(f"{path.name}: wants {sorted(missing)}, and triggers for {sorted(first_ideas())}")
    return Ideas(language, marks, letters, breaks, patterns, triggers)


def likely_languages(text: str) -> frozenset[str]:
    """The languages that folded *text* may be written in: those that have most of its small words, or letters."""
    words = _WORD.findall(text)
    plain = text.isascii()
    counts: dict[str, int] = {}
    for language in languages_with_ideas():
        one = ideas(language)
        if one.letters is None:
            counts[language] = sum(word in one.marks for word in words)
        else:
            counts[language] = 0 if plain else sum(1 for _ in one.letters.finditer(text))
    most = max(counts.values())
    return frozenset(language for language, count in counts.items() if count >= _ENOUGH * most)


@cache
def idea(language: str, name: str) -> re.Pattern[str]:
    """The words of one idea, as a pattern for folded text."""
    return compiled(f"{language}.yml", patterns_of(language, name))


def patterns_of(language: str, name: str) -> tuple[str, ...]:
    """The words of one idea as they are written; of the rest of the language's file nothing is read for it."""
    found = laid_out.words_of(text_of(_IDEAS / f"{language}.yml"), name)
    return ideas(language).patterns[name] if found is None else found


class Sentence:
    """A stretch of folded text in which claims are looked for, in one language; each idea is looked for once."""

    def __init__(self, text: str, start: int, end: int, language: str) -> None:
        self.text, self.start, self.end, self.language = text, start, end, language
        self._found: dict[str, tuple[tuple[int, int], ...]] = {}

    @cached_property
    def _breaks(self) -> list[tuple[int, int]]:
        found = ideas(self.language).breaks.finditer(self.text, self.start, self.end)
        return [match.span() for match in found]

    def _spans(self, name: str) -> tuple[tuple[int, int], ...]:
        spans = self._found.get(name)
        if spans is None:
            pattern = idea(self.language, name)
            # Most ideas are not there, and to search is half the work of listing nothing.
            there = pattern.search(self.text, self.start, self.end)
            found = pattern.finditer(self.text, there.start(), self.end) if there else ()
            spans = self._found[name] = tuple(match.span() for match in found if match.end() > match.start())
        return spans

    def made(self, first: str, listed: Collection[Claim]) -> Iterator[Made]:
        """Those of the claims *listed*, which begin with the idea *first*, that are made here."""
        anchors = self._spans(first)
        if not anchors:
            return
        possible = [claim for claim in listed if all(map(self._spans, claim.wanted[1:]))]
        for anchor in anchors if possible else ():
            clause = self._clause(*anchor)
            reach = self._reach(*anchor)
            for claim in possible:
                spans = self._together(claim, anchor, clause, reach)
                if spans:
                    yield Made(claim, self.language, anchor, spans, self._own(claim, spans))

    def _reach(self, start: int, end: int) -> tuple[int, int]:
        """How far from a stretch the sentence reaches: not over a semicolon, nor into the next cell of a table."""
        low, high = max(self.start, start - _REACH), min(self.end, end + _REACH)
        begin = max(self.text.rfind(stop, low, start) for stop in _STOPS)
        ends = [at for stop in _STOPS if (at := self.text.find(stop, end, high)) >= 0]
        return max(low, begin + 1), min(ends, default=high)

    def _clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause around a stretch, within reach."""
        after = bisect_left(self._breaks, (end, end))
        before = bisect_right(self._breaks, (start, start)) - 1
        low = self._breaks[before][1] if before >= 0 else self.start
        high = self._breaks[after][0] if after < len(self._breaks) else self.end
        return max(min(low, start), start - _REACH), min(high, end + _REACH)

    def _together(
        self, claim: Claim, anchor: tuple[int, int], clause: tuple[int, int], reach: tuple[int, int]
    ) -> tuple[tuple[int, int], ...]:
        """The stretches of the claim's ideas; none where one is missing, or one stands there that unmakes it."""
        chosen = [anchor]
        for names, within in ((claim.near, clause), (claim.far, reach)):
            for name in names:
                span = self._nearest(name, anchor, within, chosen)
                if span is None:
                    return ()
                chosen.append(span)
        for names, within in ((claim.unless_near, clause), (claim.unless_far, reach)):
            if any(self._nearest(name, anchor, within) for name in names):
                return ()
        return tuple(sorted(chosen))

    def _own(self, claim: Claim, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        low, high = spans[0][0], max(end for _, end in spans)
        names = claim.wanted
        return tuple(sorted({s for name in names for s in self._within(name, low, high)}))

    def _within(self, name: str, low: int, high: int) -> tuple[tuple[int, int], ...]:
        spans = self._spans(name)
        return spans[bisect_left(spans, (low, low)) : bisect_left(spans, (high, high))]

    def _nearest(
        self, name: str, anchor: tuple[int, int], within: tuple[int, int], taken: Collection[tuple[int, int]] = ()
    ) -> tuple[int, int] | None:
        """The stretch of an idea that is nearest to the anchor, apart from those taken, or within one of them."""
        spans = self._spans(name)
        at = bisect_left(spans, anchor)
        near = spans[max(at - _NEIGHBOURS, 0) : at + _NEIGHBOURS]
        free = [
            span
            for span in near
            if within[0] < span[1] and span[0] < within[1] and all(_free_of(span, t) for t in taken)
        ]
        return min(free, key=lambda span: max(span[0] - anchor[1], anchor[0] - span[1]), default=None)


def _free_of(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches share no character, or one lies within the other and is shorter."""
    apart = one[1] <= other[0] or other[1] <= one[0]
    inside = (other[0] <= one[0] and one[1] <= other[1]) or (one[0] <= other[0] and other[1] <= one[1])
    return apart or (inside and one != other)
