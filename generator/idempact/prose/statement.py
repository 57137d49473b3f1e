"""What a sentence says of keys, beside the part of the contract that it is about."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache

from idempact.contract.model.operations import OperationKind
from idempact.facts.derive import Facts, Profile
from idempact.text.dataclass import dataclass
from idempact.wording.fold import Folded, fold
from idempact.wording.measure import Measures, measures

# Brackets behind the full stop, as those that name operations, belong to the sentence before them.
_SENTENCE_END = re.compile(
    r"(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bmax)(?<!\bmin)\.[\"')\]]{0,2}(?= |\Z)|[!?。][\"')\]]{0,2})(?: ?\([^()]{1,400}\))?"
)
_CLAUSE_END = re.compile(r"[;,](?![0-9])|(?<= )\b(?:and|but|so|while)\b (?=[^0-9])")
_QUOTED = re.compile(r'"[^"]{1,2000}"')
# Fewer words than these in quotes are a name.
_QUOTED_WORDS, _QUOTED_CHARACTERS = 4, 8
_LONGEST_CLAUSE = 400
"""How far a clause reaches to either side where nothing ends it."""
_OURS = re.compile("idempoten|幂等|冪等|べき等|멱등")
_METHODS = r"(?:get|put|post|patch|delete)"
# A path begins with a slash that no word touches, so that "and/or" and an address are none.
_PATH = re.compile(rf"(?:\b({_METHODS}) )?(?<![\w/:.])(/[a-z0-9_{{}}~*-]{{1,80}}(?:/[a-z0-9_{{}}~*.-]{{1,80}}){{0,8}})")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A stretch of a statement that says otherwise than the contract; ``replacement`` is safe to put there."""

    start: int
    end: int
    message: str
    replacement: str | None = None


@dataclass(frozen=True)
class Statement:
    """One sentence in folded spelling, with the profiles of the contract that it speaks of.

    ``start`` is its place in the folded paragraph. Where the sentence, its paragraph or its heading names operations
    that the contract knows, the profiles are theirs; else all of the contract's.
    """

    text: str
    start: int
    facts: Facts
    profiles: tuple[Profile, ...]
    named: bool
    paragraph: Folded
    previous: str = ""
    """The sentence before it in the paragraph; before the first one its heading."""
    status: str = ""
    """The status of the response that it describes, where it stands in that response's description."""
    heading: str = ""

    @property
    def bygone(self) -> bool:
        """Whether the sentence or its heading speaks of another version's names, or of another product's."""
        return any(m.bygone and holds(m.bygone, text) for m in measures() for text in (self.text, self.heading))

    def replaces(self, name: str) -> bool:
        """Whether a wrong name may be put right in the paragraph without a thought: it holds neither the right one,
        beside which the wrong one may stand on purpose, nor words of an old name.
        """
        text = self.paragraph.text
        return not holds(_alone(name), text) and not any(m.bygone and holds(m.bygone, text) for m in measures())

    @cached_property
    def tongues(self) -> tuple[Measures, ...]:
        """The languages in which the sentence speaks of keys of ours, and not of API keys or a map's keys."""
        named = _OURS.search(self.text)
        about = [
            m for m in measures() if self._is_about_keys(m) and (named or not holds(m.others, self.paragraph.text))
        ]
        # A header's name reads as a word of several languages: where the sentence shows its own, the others are silent.
        return tuple(m for m in about if m.signs.search(self.text)) or tuple(about)

    def _is_about_keys(self, tongue: Measures) -> bool:
        """Whether the sentence names keys, or says more of what the sentence before it named."""
        if tongue.topic.search(self.text):
            return True
        if tongue.ellipsis is None or not tongue.ellipsis.search(self.text):
            return False
        return bool(tongue.topic.search(self.previous)) and not tongue.others.search(self.previous)

    def written(self, start: int, end: int) -> str:
        """The stretch of the sentence as its author wrote it."""
        a, b = self.paragraph.origin(self.start + start, self.start + end)
        return self.paragraph.original[a:b]

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause around a stretch of the sentence: from one comma, semicolon or joining word to the next.

        Of an endless one what is near.
        """
        before = bisect_right(self._clause_ends, start, key=lambda one: one[1])
        behind = bisect_left(self._clause_ends, end, key=lambda one: one[0])
        begin = self._clause_ends[before - 1][1] if before else 0
        stop = self._clause_ends[behind][0] if behind < len(self._clause_ends) else len(self.text)
        return max(begin, start - _LONGEST_CLAUSE), min(stop, end + _LONGEST_CLAUSE)

    @cached_property
    def _clause_ends(self) -> list[tuple[int, int]]:
        return [found.span() for found in _CLAUSE_END.finditer(self.text)]

    def quotes(self, start: int, end: int) -> bool:
        """Whether a stretch of the sentence stands in somebody else's words: a quotation of several words."""
        place = self.start + start
        at = bisect_left(self.quotations, place, key=lambda one: one[0])
        return at > 0 and self.start + end <= self.quotations[at - 1][1]

    @property
    def quotations(self) -> tuple[tuple[int, int], ...]:
        """The quotations of the paragraph, where each stands in it; a name in quotes is none."""
        return _quotations(self.paragraph.text)

    @property
    def whose(self) -> str:
        """Whose values they are, for a message: " for POST /refunds", or nothing where they are all the same."""
        names = [name for profile in self.profiles for name in profile.operations]
        if not self.named or self.facts.one_profile:
            return ""
        return f" for {' and '.join(names[:2])}" + (" and others" if len(names) > 2 else "")


# A paragraph is asked the same by each of its sentences, and a sentence by each of its amounts.
@lru_cache(maxsize=256)
def holds(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern is found in a paragraph or sentence."""
    return bool(pattern.search(text))


@lru_cache(maxsize=256)
def mentions(text: str, word: str) -> bool:
    """Whether a word stands in a paragraph."""
    return word in text


@lru_cache(maxsize=256)
def _alone(name: str) -> re.Pattern[str]:
    """A name that is no part of a longer one, in folded spelling."""
    return re.compile(rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])")


@lru_cache(maxsize=8)
def _quotations(text: str) -> tuple[tuple[int, int], ...]:
    found = _QUOTED.finditer(text) if '"' in text else ()
    return tuple(m.span() for m in found if _is_quotation(m.group()))


@dataclass(frozen=True)
class Context:
    """The contract, the operations that the text around a paragraph is about, and its folded heading."""

    facts: Facts
    operations: tuple[str, ...] = ()
    heading: str = ""
    header: str = ""
    """The folded name of the header or parameter whose description the text is."""
    status: str = ""
    """The status of the response whose description the text is."""

    def under(self, heading: str) -> Context:
        """The context below a heading: the operations that it names, if any."""
        folded = fold(heading).text
        return Context(self.facts, _operations(self.facts, folded), folded, self.header, self.status)

    def within(self, text: str) -> Context:
        """The context of a part of *text*: the operations that the whole names, if any, under the same heading."""
        names = _operations(self.facts, fold(text).text)
        return Context(self.facts, names or self.operations, self.heading, self.header, self.status)

    def statements(self, text: str) -> Iterator[Statement]:
        """The sentences of a paragraph."""
        folded = fold(text)
        local = _operations(self.facts, folded.text)
        begin, previous = 0, self.heading
        for end in (*(m.end() for m in _SENTENCE_END.finditer(folded.text)), len(folded.text)):
            sentence = folded.text[begin:end]
            if sentence.strip():
                names = _operations(self.facts, sentence) or local or self.operations
                profiles = tuple(p for p in self.facts.profiles if set(p.operations) & set(names))
                chosen = profiles or self.facts.profiles
                before = f"{self.header} {previous}" if self.header else previous
                yield Statement(
                    sentence, begin, self.facts, chosen, bool(profiles), folded, before, self.status, self.heading
                )
                previous = sentence
            begin = end


def _is_quotation(text: str) -> bool:
    return text.count(" ") >= _QUOTED_WORDS - 1 or sum(c > "\u2e80" for c in text) >= _QUOTED_CHARACTERS


def _operations(facts: Facts, text: str) -> tuple[str, ...]:
    """The contract's keyed operations that folded *text* names: by path, with or without the method, or by name."""
    names: dict[str, None] = {}
    for name, spelled in _named(facts):
        if spelled in text and re.search(rf"(?<![\w-]){re.escape(spelled)}(?![\w-])", text):
            names[name] = None
    if "/" not in text:
        return tuple(names)
    known = [(op.name, op.name.casefold()) for op in facts.operations if op.keyed]
    for found in _PATH.finditer(text):
        method, path = found.group(1), found.group(2).rstrip(".")
        exact = [n for n, f in known if f == f"{method} {path}" or (method is None and f.endswith(f" {path}"))]
        meant = exact or [op.name for op in facts.match(method.upper(), path) if op.keyed] if method else exact
        names |= dict.fromkeys(meant)
    return tuple(names)


def _named(facts: Facts) -> list[tuple[str, str]]:
    """The keyed operations that have a name of their own, which no common word is, each with its folded spelling."""
    keys = [op.operation.key for op in facts.operations if op.keyed]
    named = [key for key in keys if key.kind is OperationKind.OPERATION and not key.name.islower()]
    return [(str(key), key.name.casefold()) for key in named]
