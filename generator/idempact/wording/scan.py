"""A quick look at a text: whether any phrase could be in it at all.

Most paragraphs of documentation hold no word of ours. To find that out, each distinct word is judged once, and a text
is then a set of words to be compared with those that were found harmless.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from idempact.wording.phrasebook import triggers

_MARKS = re.compile(r"[*_~]+")
# What folding could turn into other letters: references, escapes and tags inside a word.
_VANISHING = re.compile(r"[*_~&\\<\[\]]")
"""What may stand between two words of a phrase and be gone once it is folded."""
_ODD = re.compile(r"[&\\<]")
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2010\u2012\u2013\u2014"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d"), '"'),
    **dict.fromkeys(map(ord, "\u2026\u2022\u2192\u2713\u2705\u00a0\u00d7"), " "),
}
"""What often stands in English text, and no word of ours is spelled with, as folding has it or as space."""
_MOST = 200_000
"""How many words are remembered; a text of endless new ones is looked at without."""


@cache
def _needles() -> dict[str, tuple[str, ...]]:
    """For the longest word of each trigger in ASCII, the triggers that it is the longest word of."""
    out: dict[str, list[str]] = {}
    for trigger in every_trigger():
        if trigger.isascii() and trigger.split():
            out.setdefault(max(trigger.split(), key=len), []).append(trigger)
    return {core: tuple(triggers) for core, triggers in out.items()}


@cache
def every_trigger() -> tuple[str, ...]:
    """Every trigger of every phrase, sorted."""
    return tuple(sorted(triggers()))


_harmless: set[str] = set()
_telling: dict[str, tuple[str, ...]] = {}


def may_speak(text: str) -> bool:
    """Whether a phrase could be found in *text*; where this says no, matching finds nothing."""
    return bool(candidates(text))


def candidates(text: str) -> Collection[str]:
    """The triggers that could be in *text* once it is folded; none where no phrase can be found.

    All of them for what isn't plain ASCII but for the usual punctuation, since folding can turn it into our letters.
    """
    if not text.isascii():
        text = text.translate(_PLAIN)
        if not text.isascii():
            return every_trigger()
    lower = text.lower()
    words = lower.split()
    if _harmless.issuperset(words):
        return ()
    present = set(words) - _harmless
    found: set[str] = set()
    for word in present:
        triggers = _telling.get(word)
        if triggers is None:
            triggers = _judged(word)
        found.update(triggers)
    apart = [t for t in found if " " in t]
    if not apart:
        return found
    if _VANISHING.search(lower):
        return found.difference(t for t in apart if not all(part in lower for part in t.split()))
    joined = " ".join(words)
    return found.difference(t for t in apart if t.rstrip() not in joined)


def _judged(word: str) -> tuple[str, ...]:
    """The triggers whose longest word is in *word*, which is remembered; all for one that folding could change."""
    if len(_harmless) + len(_telling) > _MOST:
        _harmless.clear()
        _telling.clear()
    bare = _MARKS.sub("", word)
    triggers = tuple(t for core, listed in _needles().items() if core in bare for t in listed)
    if _ODD.search(word):
        triggers = every_trigger()
    if triggers:
        _telling[word] = triggers
    else:
        _harmless.add(word)
    return triggers
