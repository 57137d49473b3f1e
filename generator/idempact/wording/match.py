"""The phrases that a text says and means: found in folded text, and let go where the sentence around them is honest."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from idempact.wording.fold import Folded, fold
from idempact.wording.phrasebook import HIT, Phrase, Sought, Tongue, read_phrase, sought, tongues, triggers
from idempact.wording.scan import candidates

_REACH = 300
"""How far around a phrase its sentence is read: a text of one endless sentence costs no more than its length."""

# A full stop ends a sentence only before a space (not in 1.5 or api.example); closing quotes belong to the sentence.
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)\.[\"')\]]{0,2}(?= |\Z)|[!?。][\"')\]」』]{0,2}")
_QUESTION_ENDS = ("?", '?"', "?)", "か。", "吗。")
_BRACKET_QUOTES = (("「", "」"), ("『", "』"))


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found in a text from ``start`` to ``end`` (exclusive, from 0); ``words`` are in folded spelling."""

    phrase: Phrase
    language: str
    start: int
    end: int
    words: str


def match(text: str, languages: Collection[str] | None = None) -> tuple[Hit, ...]:
    """Every phrase that *text*, one paragraph, says without denying, bounding or otherwise excusing it.

    Phrases of the *languages* are looked for (of all, where none are named). An excuse may be made in another language
    that the text shows signs of, for a Chinese sentence can deny an English phrase. In order of place; of two
    overlapping finds of one phrase the first.
    """
    possible = candidates(text)
    if not possible:
        return ()
    folded = fold(text)
    present = {trigger for trigger in possible if trigger in folded.text}
    if not present:
        return ()
    paragraph: _Paragraph | None = None
    hits: list[Hit] = []
    for one in _spoken(present, languages):
        for found in one.pattern.finditer(folded.text):
            paragraph = paragraph or _Paragraph(folded)
            if paragraph.excuse(*found.span(), one.language, one.despite) is None:
                start, end = folded.origin(*found.span())
                hits.append(Hit(read_phrase(one.path), one.language, start, end, found.group()))
    return tuple(without_overlaps(hits))


def _spoken(present: Collection[str], languages: Collection[str] | None) -> Iterator[Sought]:
    """What the triggers stand for in one of the *languages*, each once; nothing else of the phrases is read."""
    known = triggers()
    for path, language in sorted({place for trigger in present for place in known[trigger]}):
        if languages is None or language in languages:
            yield sought(path, language)


def without_overlaps(hits: list[Hit]) -> Iterator[Hit]:
    """The hits in order of place; of two of one phrase that overlap the first, of two that begin alike the longer."""
    ends: dict[str, int] = {}
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, h.phrase.id, h.language)):
        if hit.start >= ends.get(hit.phrase.id, 0):
            ends[hit.phrase.id] = hit.end
            yield hit


class _Paragraph:
    """A folded paragraph in which phrases were found."""

    def __init__(self, folded: Folded) -> None:
        self.text = folded.text
        self.ends = [m.end() for m in _SENTENCE_END.finditer(self.text)]

    @cached_property
    def bounded(self) -> bool:
        """Whether the paragraph names a length of time and a key."""
        return any(t.durations.search(self.text) for t in tongues()) and any(
            t.keys.search(self.text) for t in tongues()
        )

    @cached_property
    def tongues(self) -> tuple[Tongue, ...]:
        """The tongues that the paragraph shows signs of."""
        return tuple(t for t in tongues() if t.marks.search(self.text))

    def excuse(self, start: int, end: int, language: str, despite: tuple[str, ...]) -> str | None:
        """The name of the first excuse that holds for the phrase from *start* to *end*, but for those in *despite*.

        It may be made in the phrase's *language*, or in another one that the paragraph shows signs of.
        """
        first = bisect_right(self.ends, start)
        sentence_start = self.ends[first - 1] if first else 0
        last = bisect_left(self.ends, end)
        sentence_end = self.ends[last] if last < len(self.ends) else len(self.text)
        before = self.text[max(sentence_start, start - _REACH) : start]
        after = self.text[end : min(sentence_end, end + _REACH)]
        if self.text.endswith(_QUESTION_ENDS, sentence_start, sentence_end):
            return "question"
        spoken = (*(t for t in tongues() if t.language == language and t not in self.tongues), *self.tongues)
        if _quoted(before, after) and not any(tongue.offers.search(before) for tongue in spoken):
            return "quotation"
        for tongue in spoken:
            if _denied(tongue, before, after) or tongue.denied_inside.search(self.text[start:end]):
                return "denial"
            for name, pattern in tongue.excuses:
                if name not in despite and pattern.search(f"{before}{HIT}{after}"):
                    return name
        return "bounded" if "bounded" not in despite and self.bounded else None


_QUOTE_OPENS = re.compile(r"(?:\A|[ (])'[^']{0,40}\Z")
_QUOTE_CLOSES = re.compile(r"[^']{0,40}'(?![a-z])")


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
