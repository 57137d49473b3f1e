"""The phrases that a text says and means: found in folded text, and let go where the sentence around them is honest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex
from idempact.wording.claims import (
    Made,
    Sentence,
    inner_triggers,
    languages_with_ideas,
    likely_languages,
    triggers_of_ideas,
)
from idempact.wording.fold import Folded, fold
from idempact.wording.phrasebook import HIT, Phrase, Tongue, read_heading, tongues, triggers
from idempact.wording.possible import Claims, Phrasing, Possible, possible, possible_alone
from idempact.wording.scan import candidates

_GLANCE = 1_000
"""How much of a paragraph tells its language."""
_REACH = 300
"""How far around a phrase its sentence is read: a text of one endless sentence costs no more than its length."""

# A full stop ends a sentence only before a space (not in 1.5 or api.example); closing quotes belong to the sentence.
_SENTENCE_END = regex(
    r"[.!?。](?:(?<!\.)|(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?=[\"')\]]{0,2}(?: |\Z)))[\"')\]」』]{0,2}"
)
_QUESTION_ENDS = ("?", '?"', "?)", "か。", "吗。")
_BRACKET_QUOTES = (("「", "」"), ("『", "』"))


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found in a text from ``start`` to ``end`` (exclusive, from 0); ``words`` are in folded spelling.

    The phrase is told without its wordings.
    """

    phrase: Phrase
    language: str
    start: int
    end: int
    words: str


def match(text: str, languages: Collection[str] | None = None) -> tuple[Hit, ...]:
    """Every phrase that *text*, one paragraph, says without denying, bounding or otherwise excusing it.

    Phrases of the *languages* are looked for (of all, where none are named). An excuse may be made in another language
    that the text shows signs of, for a Chinese sentence can deny an English phrase. In order of place; of two
    overlapping finds of one phrase the first, and of two rules that say the same the one that the other yields to.
    """
    listed = candidates(text)
    return match_among(listed, text, languages) if listed else ()


def match_among(
    listed: Collection[str], text: str, languages: Collection[str] | None = None, *, whole: bool = True
) -> tuple[Hit, ...]:
    """What :func:`match` finds, where no other triggers than those *listed* are in the text.

    Of a part of a paragraph, which is not the *whole*, it finds all that the paragraph could: only the rest would show
    in which language it is written, and in which others it makes excuses.
    """
    folded = fold(text)
    present = frozenset([trigger for trigger in listed if trigger in folded.text])
    if not present:
        return ()
    return _found(folded, possible(frozenset(folded.text.split(" ")), present, languages), whole)


def match_alone(text: str) -> tuple[Hit, ...]:
    """What :func:`match` finds in any language, in less time where there are few texts to be looked at."""
    folded = fold(text)
    present = frozenset(_triggering(folded.text, text.isascii()))
    return _found(folded, possible_alone(folded.text, present), True) if present else ()


def _triggering(text: str, plain: bool) -> Iterator[str]:
    """The triggers in folded *text*; where it was *plain* ASCII, of those that begin words the ones that do."""
    yield from (one for one in triggers() if one in text)
    for one in triggers_of_ideas():
        if one in text and (not plain or one in inner_triggers() or _begins_a_word(one, text)):
            yield one


def _begins_a_word(trigger: str, text: str) -> bool:
    at = text.find(trigger)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(trigger, at + 1)
    return at >= 0


def _found(folded: Folded, could: Possible, whole: bool) -> tuple[Hit, ...]:
    if not (could.phrases or could.claims):
        return ()
    paragraph = _Paragraph(folded, whole)
    said = list(without_overlaps(_phrases(paragraph, could.phrases)))
    meant = list(without_overlaps(_claims(paragraph, could.claims)))
    return tuple(_without_yielding(sorted([*said, *_beside(said, meant)], key=_place)))


def _phrases(paragraph: _Paragraph, asked: Iterable[Phrasing]) -> Iterator[Hit]:
    """The phrases that are asked for, where they stand and nothing excuses them."""
    for phrasing in asked:
        one = phrasing.sought
        # Most often none of the few that could match does: they are sooner searched, and compiled, than all in one.
        if not any(one.alone(n).search(paragraph.text) for n in phrasing.could):
            continue
        for found in one.pattern.finditer(paragraph.text):
            if paragraph.excuse(*found.span(), one.language, one.despite) is None:
                yield paragraph.hit(one.path, one.language, *found.span())


def _claims(paragraph: _Paragraph, asked: Collection[Claims]) -> Iterator[Hit]:
    """The claims that are asked for, in the sentences where a trigger of their first ideas stands."""
    for one in asked:
        # Words of several languages can look alike: then the rest of the paragraph tells which it is.
        if len(asked) > 1 and one.language not in paragraph.languages:
            continue
        for start, end in paragraph.sentences(one.triggers):
            sentence = Sentence(paragraph.text, start, end, one.language)
            for made in (made for first, listed in one.by_first.items() for made in sentence.made(first, listed)):
                if one.language in paragraph.languages and not paragraph.excuses(made):
                    yield paragraph.hit(made.claim.path, one.language, *made.whole)


def _beside(said: list[Hit], meant: list[Hit]) -> Iterator[Hit]:
    """The claims that share no place with a phrase of the same rule, which tells it in fewer words."""
    ends: dict[str, list[int]] = {}
    starts: dict[str, list[int]] = {}
    for hit in said:
        starts.setdefault(hit.phrase.id, []).append(hit.start)
        ends.setdefault(hit.phrase.id, []).append(hit.end)
    for hit in meant:
        if not _meets(starts.get(hit.phrase.id, []), ends.get(hit.phrase.id, []), hit):
            yield hit


def _without_yielding(hits: list[Hit]) -> Iterator[Hit]:
    """The hits but for those that overlap with one of a rule that theirs yields to."""
    stretches: dict[str, tuple[list[int], list[int]]] = {}
    for hit in hits:
        starts, ends = stretches.setdefault(hit.phrase.id, ([], []))
        starts.append(hit.start)
        ends.append(hit.end)
    for hit in hits:
        if not any(_meets(*stretches[rule], hit) for rule in hit.phrase.yields if rule in stretches):
            yield hit


def _meets(starts: list[int], ends: list[int], hit: Hit) -> bool:
    """Whether one of the stretches, in order and apart from each other, shares a place with the hit."""
    next_one = bisect_right(ends, hit.start)
    return next_one < len(ends) and starts[next_one] < hit.end


def _place(hit: Hit) -> tuple[int, int, str, str]:
    return hit.start, -hit.end, hit.phrase.id, hit.language


def without_overlaps(hits: Iterable[Hit]) -> Iterator[Hit]:
    """The hits in order of place; of two of one phrase that overlap the first, of two that begin alike the longer."""
    ends: dict[str, int] = {}
    for hit in sorted(hits, key=_place):
        if hit.start >= ends.get(hit.phrase.id, 0):
            ends[hit.phrase.id] = hit.end
            yield hit


class _Paragraph:
    """A folded paragraph in which phrases were found."""

    def __init__(self, folded: Folded, whole: bool) -> None:
        self.folded = folded
        self.text = folded.text
        self.whole = whole

    @cached_property
    def ends(self) -> list[int]:
        """Where its sentences end, in order."""
        return [found.end() for found in _SENTENCE_END.finditer(self.text)]

    def hit(self, path: Path, language: str, start: int, end: int) -> Hit:
        """The find from *start* to *end* of the folded text, with its place in the original."""
        return Hit(read_heading(path), language, *self.folded.origin(start, end), self.text[start:end])

    def sentences(self, words: Collection[str]) -> list[tuple[int, int]]:
        """The stretches of the sentences in which one of the *words* stands, in order."""
        if len(self.ends) < 2 and (not self.ends or self.ends[0] == len(self.text)):
            return [(0, len(self.text))]
        found: set[int] = set()
        for word in words:
            at = self.text.find(word)
            while at >= 0:
                last = bisect_left(self.ends, at + len(word))
                found.update(range(bisect_right(self.ends, at), last + 1))
                at = self.text.find(word, self.ends[last] if last < len(self.ends) else len(self.text))
        edges = [0, *self.ends, len(self.text)]
        return [(edges[n], edges[n + 1]) for n in sorted(found)]

    @cached_property
    def bounded(self) -> bool:
        """Whether the paragraph names a length of time and a key."""
        return any(t.durations.search(self.text) for t in tongues()) and any(
            t.keys.search(self.text) for t in tongues()
        )

    @cached_property
    def tongues(self) -> tuple[Tongue, ...]:
        """The tongues that the paragraph shows signs of; none where it isn't whole."""
        if not self.whole:
            return ()
        return tuple(t for t in tongues() if t.language in self.languages and t.marks.search(self.text))

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that the paragraph may be written in; any where it isn't whole."""
        if not self.whole:
            return frozenset(languages_with_ideas())
        return likely_languages(self.text[:_GLANCE])

    def excuses(self, made: Made) -> bool:
        """Whether the claim is excused: as a phrase is, or by a denial that is none of its own ideas."""
        despite = made.claim.despite
        if self.excuse(*made.whole, made.language, despite) is not None:
            return True
        if any(name not in despite for name in self.named(*made.first, made.language)):
            return True
        begin, end = made.whole
        if self.text.count('"', begin, end) % 2:
            return True  # some of its words are another's
        ends = accumulate((end for _, end in made.own), max)
        between = "~".join(self.text[end : after[0]] for end, after in zip(ends, made.own[1:], strict=False))
        return any(
            tongue.denials.search(tongue.not_denials.sub("~", between)) for tongue in self._spoken(made.language)
        )

    def excuse(self, start: int, end: int, language: str, despite: tuple[str, ...]) -> str | None:
        """The name of the first excuse that holds for the phrase from *start* to *end*, but for those in *despite*.

        It may be made in the phrase's *language*, or in another one that the paragraph shows signs of.
        """
        before, after, sentence_start, sentence_end = self._around(start, end)
        if self.text.endswith(_QUESTION_ENDS, sentence_start, sentence_end):
            return "question"
        spoken = self._spoken(language)
        if _quoted(before, after) and not any(tongue.offers.search(before) for tongue in spoken):
            return "quotation"
        for tongue in spoken:
            if _denied(tongue, before, after) or tongue.denied_inside.search(self.text[start:end]):
                return "denial"
            for name, pattern in tongue.excuses:
                if name not in despite and pattern.search(f"{before}{HIT}{after}"):
                    return name
        return "bounded" if "bounded" not in despite and self.bounded else None

    def named(self, start: int, end: int, language: str) -> Iterator[str]:
        """The names of the excuses, but for denials and quotations, that hold for what stands from *start* to *end*."""
        before, after, _, _ = self._around(start, end)
        for tongue in self._spoken(language):
            for name, pattern in tongue.excuses:
                if pattern.search(f"{before}{HIT}{after}"):
                    yield name

    def _spoken(self, language: str) -> tuple[Tongue, ...]:
        return (*(t for t in tongues() if t.language == language and t not in self.tongues), *self.tongues)

    def _around(self, start: int, end: int) -> tuple[str, str, int, int]:
        """What stands in the sentence before and after a stretch, within reach, and where the sentence stands."""
        first = bisect_right(self.ends, start)
        sentence_start = self.ends[first - 1] if first else 0
        sentence_start += self.text.startswith(" ", sentence_start, start)
        last = bisect_left(self.ends, end)
        sentence_end = self.ends[last] if last < len(self.ends) else len(self.text)
        before = self.text[max(sentence_start, start - _REACH) : start]
        after = self.text[end : min(sentence_end, end + _REACH)]
        return before, after, sentence_start, sentence_end


_QUOTE_OPENS = regex(r"(?:\A|[ (])'[^']{0,40}\Z")
_QUOTE_CLOSES = regex(r"[^']{0,40}'(?![a-z])")


def _quoted(before: str, after: str) -> bool:
    if _QUOTE_OPENS.search(before[-60:]) and _QUOTE_CLOSES.match(after):
        return True
    if before.count('"') % 2 and '"' in after:
        return True
    return any(
        before.rfind(opening) > before.rfind(closing) and closing in after for opening, closing in _BRACKET_QUOTES
    )


def _denied(tongue: Tongue, before: str, after: str) -> bool:
    """Whether a denial reaches the phrase: in front of it with no break of the clause between, or right behind it."""
    start = 0
    for found in tongue.breaks_before.finditer(before):
        start = found.end()
    clause = tongue.not_denials.sub("~", before[start:])
    if tongue.denials.search(clause):
        return True
    stop = tongue.breaks_after.search(after)
    clause = tongue.not_denials.sub("~", after[: stop.start()] if stop else after)
    return bool(tongue.denials.search(clause) or tongue.afterwards.search(after))
