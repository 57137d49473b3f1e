"""The phrases that a text says and means: found in folded text, and let go where the sentence around them is honest."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from idempact.wording.fold import Folded, fold
from idempact.wording.phrasebook import HIT, Phrase, Tongue, phrases, tongues

_REACH = 300
"""How far around a phrase its sentence is read: a text of one endless sentence costs no more than its length."""

# A full stop ends a sentence only before a space (not in 1.5 or api.example); closing quotes belong to the sentence.
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)\.[\"')\]]{0,2}(?= |\Z)|[!?。][\"')\]」』]{0,2}")
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

    Phrases of the *languages* are looked for (of all, where none are named); excuses count in any language, for a
    Chinese sentence can deny an English phrase. In order of place; of two overlapping finds of one phrase the first.
    """
    folded = fold(text)
    paragraph: _Paragraph | None = None
    hits: list[Hit] = []
    for phrase in phrases():
        for wording in phrase.wordings:
            if languages is not None and wording.language not in languages:
                continue
            for found in wording.pattern.finditer(folded.text):
                paragraph = paragraph or _Paragraph(folded)
                if paragraph.excuse(*found.span(), phrase.despite) is None:
                    start, end = folded.origin(*found.span())
                    hits.append(Hit(phrase, wording.language, start, end, found.group()))
    return tuple(without_overlaps(hits))


def without_overlaps(hits: list[Hit]) -> Iterator[Hit]:
    """The hits in order of place; of two of one phrase that overlap the first, of two that begin alike the longer."""
    ends: dict[str, int] = {}
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, h.phrase.id)):
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

    def excuse(self, start: int, end: int, despite: tuple[str, ...]) -> str | None:
        """The name of the first excuse that holds for the phrase from *start* to *end*, but for those in *despite*."""
        first = bisect_right(self.ends, start)
        sentence_start = self.ends[first - 1] if first else 0
        last = bisect_left(self.ends, end)
        sentence_end = self.ends[last] if last < len(self.ends) else len(self.text)
        before = self.text[max(sentence_start, start - _REACH) : start]
        after = self.text[end : min(sentence_end, end + _REACH)]
        if self.text[:sentence_end].endswith(("?", '?"', "?)")):
            return "question"
        if _quoted(before, after):
            return "quotation"
        for tongue in tongues():
            if _denied(tongue, before, after):
                return "denial"
            for name, pattern in tongue.excuses:
                if name not in despite and pattern.search(f"{before}{HIT}{after}"):
                    return name
        return "bounded" if self.bounded else None


def _quoted(before: str, after: str) -> bool:
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
