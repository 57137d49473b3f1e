"""A quick look at a text: whether any phrase could be in it at all, and where.

Most paragraphs of documentation hold no word of ours. To find that out, each distinct word is judged once, and a text
is then a set of words to be compared with those that were found harmless.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from functools import cache

from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex
from idempact.wording.claims import inner_triggers, triggers_of_ideas
from idempact.wording.fold import folded_character
from idempact.wording.phrasebook import triggers

_MARKS = regex(r"[*_~]+")
# What folding could turn into other letters: references, escapes and tags inside a word.
_VANISHING = regex(r"[*_~&\\<\[\]]")
"""What may stand between two words of a phrase and be gone once it is folded."""
_ODD = regex(r"[&\\<]|\w[^\w\s]*\[|\](?!\()[^\w\s]*\w|\)[^\w\s]*\w")
"""What may hide a word: a reference, an escape, a tag, or a link that ends or begins inside of it."""
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2010\u2012\u2013\u2014"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d"), '"'),
    **dict.fromkeys(map(ord, "\u2026\u2022\u2192\u2713\u2705\u00a0\u00d7"), " "),
}
"""What often stands in English text, and no word of ours is spelled with, as folding has it or as space."""
_FOREIGN = regex(r"[^\x00-\x7f]+")
_BEGIN = 3
"""By how many of their first letters needles are looked up."""
_MOST = 200_000
"""How many words are remembered; a text of endless new ones is looked at without."""


class _Near(dict[int, str]):
    """What each code point folds to where that is one ASCII character, else itself: places stay where they are."""

    def __missing__(self, code: int) -> str:
        folded = _PLAIN.get(code) or folded_character(chr(code))
        near = self[code] = folded if len(folded) == 1 and folded.isascii() else chr(code)
        return near


_NEAR = _Near()


@dataclass(frozen=True, slots=True, eq=False)
class _Needle:
    """The longest word of some triggers; ``begins`` and ``ends`` say that words are to begin or end with it.

    Each is equal to itself alone: many are put into sets, and there is one for each word.
    """

    word: str
    begins: bool
    ends: bool

    def stands_at(self, text: str, at: int) -> bool:
        """Whether it stands at a place in *text*, in lower case."""
        if not text.startswith(self.word, at) or (self.begins and at and text[at - 1].isalnum()):
            return False
        return not (self.ends and text[at + len(self.word) : at + len(self.word) + 1].isalnum())


@cache
def _needles() -> dict[_Needle, tuple[str, ...]]:
    """The needles of the triggers in ASCII, each with the triggers that it stands for."""
    # The words of ideas are told by how they begin; those of phrases may stand within others.
    within = {*triggers(), *inner_triggers()}
    out: dict[tuple[str, bool, bool], set[str]] = {}
    for trigger in every_trigger():
        if not trigger.isascii() or not trigger.split():
            continue
        # Between two words of a trigger, and where it ends with a space, words end.
        begin, word, end = max(_parts(trigger), key=lambda part: (len(part[1]), part[0] + part[2]))
        out.setdefault((word, begin or trigger not in within, end), set()).add(trigger)
    return {_Needle(*told): tuple(sorted(listed)) for told, listed in out.items()}


def _parts(trigger: str) -> Iterator[tuple[bool, str, bool]]:
    """The words of a trigger, and whether a space stands before and behind each."""
    words = trigger.split(" ")
    for n, word in enumerate(words):
        if word:
            yield n > 0, word, n + 1 < len(words)


@cache
def every_trigger() -> tuple[str, ...]:
    """Every trigger of every phrase and of every claim, sorted."""
    return tuple(sorted({*triggers(), *triggers_of_ideas()}))


@cache
def _begins() -> tuple[dict[str, list[_Needle]], ...]:
    """The needles by the letters that they begin with: by one, by two, or by three where they have as many."""
    out: tuple[dict[str, list[_Needle]], ...] = ({}, {}, {})
    for needle in _needles():
        begin = needle.word[:_BEGIN]
        out[len(begin) - 1].setdefault(begin, []).append(needle)
    return out


def _standing_in(word: str) -> tuple[_Needle, ...]:
    """The needles in a word, each once. A word is looked up at each of its letters, however many needles there are."""
    found: dict[_Needle, None] = {}
    for length, known in enumerate(_begins(), start=1):
        for at in range(len(word) - length + 1) if known else ():
            for needle in known.get(word[at : at + length], ()):
                if needle.stands_at(word, at):
                    found[needle] = None
    return tuple(found)


_harmless: set[str] = set()
_telling: dict[str, tuple[_Needle, ...]] = {}
_triggering: dict[tuple[_Needle, ...], frozenset[str]] = {}


def lowered(text: str) -> str | None:
    """*text* as :func:`telling` reads it, each character in its place; None where that can't be had."""
    lower = _near(text).lower()
    return lower if len(lower) == len(text) else None


def words_of(lower: str) -> AbstractSet[str]:
    """The words of a text as :func:`lowered` gives it, parted by space; none where all of them are harmless."""
    words = lower.split()
    return frozenset() if _harmless.issuperset(words) else frozenset(words)


def telling(words: AbstractSet[str]) -> Collection[str]:
    """Those of the *words* that hold one of ours, or could hide one.

    Whole lines, or sentences, without such a word hold no phrase.
    """
    return [word for word in words - _harmless if not word.isascii() or _judged(word)]


def triggers_in(told: Collection[str]) -> frozenset[str] | None:
    """The triggers that the *told* words, which :func:`telling` gave, could be part of; None for any."""
    found: frozenset[str] = frozenset()
    for word in told:
        listed = _telling.get(word)
        if listed is None or len(listed) == len(_needles()):
            return None
        found = found | _triggers_of(listed) if found else _triggers_of(listed)
    return found


def _near(text: str) -> str:
    return text if text.isascii() else _FOREIGN.sub(lambda found: found.group().translate(_NEAR), text)


def candidates(text: str) -> Collection[str]:
    """The triggers that could be in *text* once it is folded; none where no phrase can be found.

    All of them for what isn't plain ASCII but for what folds to it, since folding can turn it into our letters.
    """
    text = _near(text)
    if not text.isascii():
        return every_trigger()
    lower = text.lower()
    words = lower.split()
    if _harmless.issuperset(words):
        return ()
    found: set[str] = set()
    for word in set(words) - _harmless:
        listed = _judged(word)
        if len(listed) == len(_needles()):
            return every_trigger()
        found.update(_triggers_of(listed))
    apart = [t for t in found if " " in t]
    if not apart:
        return found
    if _VANISHING.search(lower):
        return found.difference(t for t in apart if not all(part in lower for part in t.split()))
    joined = " ".join(words)
    return found.difference(t for t in apart if t.rstrip() not in joined)


def _triggers_of(needles: tuple[_Needle, ...]) -> frozenset[str]:
    found = _triggering.get(needles)
    if found is None:
        found = _triggering[needles] = frozenset(t for needle in needles for t in _needles()[needle])
    return found


def _judged(word: str) -> tuple[_Needle, ...]:
    """The needles that are in the ASCII *word*, which is remembered; all of them where folding could change it."""
    listed = _telling.get(word)
    if listed is not None:
        return listed
    if len(_harmless) + len(_telling) > _MOST:
        _harmless.clear()
        _telling.clear()
        _triggering.clear()
    listed = tuple(_needles()) if _ODD.search(word) else _standing_in(_MARKS.sub("", word))
    if listed:
        _telling[word] = listed
    else:
        _harmless.add(word)
    return listed
