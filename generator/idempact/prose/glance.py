"""A quick look at Markdown: which of its blocks could hold a finding, so that the others needn't be read in full."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from idempact.prose.blocks import Interest
from idempact.prose.passage import OPAQUE
from idempact.wording.match import match_among
from idempact.wording.possible import could_say
from idempact.wording.scan import candidates, lowered, telling, words_of

# Without one of these words, code neither makes a key nor repeats a request.
PROMISING = re.compile(r"idem|dedup|retr|attempt|tries|sleep|delay|except|catch|rescue|uuid|nx\b|time\b", re.IGNORECASE)
# Lines that read as they are written: no markup, reference, address or code in them.
_SIMPLE = re.compile(r"(?:[A-Za-z][^\n*_~&\\`<>\[\]{}|:!]*+(?:\n|\Z))++\n*\Z")
# Lines of one paragraph, with code, links or emphasis and no other markup.
_PARAGRAPH = re.compile(r"(?:(?:[A-Za-z]|`(?!`))[^\n\\<{|]*+(?:\n|\Z))++\n*\Z")
_CODE = re.compile(r"(?<!`)`[^`]++`(?!`)")
_LINK = re.compile(r"\]\([^()\s]*+\)")
_UNREAD = re.compile(r"`|\]\(|https?:|www\.")
_STOP = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!vs)\.[ \n]")
_ABBREVIATIONS = ("e.g", "i.e", "vs")
_FEW = 8
"""How many telling words are looked for one by one, so that the time is linear in a paragraph of many."""


def interest(text: str, languages: Collection[str] | None) -> Interest:
    """What of a Markdown text is to be read in full: where a phrase stands that may be a finding, and code of ours."""
    lower = lowered(text)

    def prose(start: int, end: int) -> bool:
        if lower is None:
            return _speaks(text[start:end], languages)
        told = telling(words_of(lower[start:end]))
        if not told:
            return False
        if len(told) > _FEW:
            return _speaks(text[start:end], languages)
        stretches = _sentences(lower, start, end, _places(told, lower, start, end))
        return any(_could(lower[begin:stop]) and _speaks(text[begin:stop], languages) for begin, stop in stretches)

    def _could(sentence: str) -> bool:
        words = words_of(sentence)
        return bool(words) and could_say(words, telling(words), languages)

    return Interest(prose, lambda start, end: bool(PROMISING.search(text, start, end)))


def _speaks(stretch: str, languages: Collection[str] | None) -> bool:
    """Whether reading the stretch in full could give a finding; an honest sentence beside it can still excuse that."""
    possible = candidates(stretch)
    if not possible:
        return False
    bare = stretch.rstrip("\n") if _SIMPLE.match(stretch) else _nearly(stretch)
    return bare is None or bool(match_among(possible, bare, languages, whole=False))


def _nearly(stretch: str) -> str | None:
    """The prose of a paragraph without its code and link targets, as reading it in full would give; None: do so."""
    if not _PARAGRAPH.match(stretch) or "][" in stretch or "![" in stretch:
        return None
    bare = _LINK.sub("]", _CODE.sub(OPAQUE, stretch.rstrip("\n")))
    return None if _UNREAD.search(bare) else bare.replace("[", "").replace("]", "")


def _places(words: Collection[str], lower: str, start: int, end: int) -> list[int]:
    """Where the few words stand from *start* to *end*, in order."""
    found: list[int] = []
    for word in words:
        at = lower.find(word, start, end)
        while at >= 0:
            found.append(at)
            at = lower.find(word, at + len(word), end)
    return sorted(found)


def _sentences(text: str, start: int, end: int, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The sentences of *text*, in lower case, from *start* to *end* in which the *places*, in order, lie.

    A sentence that could begin or end inside code is told with those beside it.
    """
    if text.find("``", start, end) >= 0 or text.find("\\", start, end) >= 0:
        yield start, end
        return
    done = start
    ticks, counted = 0, start
    for place in places:
        if place < done:
            continue
        begin = _stop_before(text, done, place)
        stop = _stop_after(text, place, end)
        ticks += text.count("`", counted, begin)
        if ticks % 2 or text.count("`", begin, stop) % 2:
            yield start, end
            return
        counted, done = begin, stop
        yield begin, stop


def _stop_before(text: str, start: int, place: int) -> int:
    """Where the sentence at *place* begins, at *start* at the least; too early a place costs only time."""
    stop = max(text.rfind(". ", start, place), text.rfind(".\n", start, place))
    return start if stop < 0 or text.endswith(_ABBREVIATIONS, start, stop) else stop + 2


def _stop_after(text: str, place: int, end: int) -> int:
    """Where the sentence at *place* ends, before *end*."""
    stop = _STOP.search(text, place, end)
    return stop.end() if stop else end
