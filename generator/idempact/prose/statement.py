"""What a sentence says of keys, beside the part of the contract that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from idempact.facts.derive import Facts, Profile
from idempact.text.dataclass import dataclass
from idempact.wording.fold import Folded, fold
from idempact.wording.measure import Measures, measures

_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)\.(?= |\Z)|[!?。]")
_OURS = re.compile("idempoten|幂等|冪等|べき等|멱등")
_METHODS = r"(?:get|put|post|patch|delete)"
# A path begins with a slash that no word touches, so that "and/or" and an address are none.
_PATH = re.compile(rf"(?:\b({_METHODS}) )?(?<![\w/:.])(/[a-z0-9_{{}}~-]{{1,80}}(?:/[a-z0-9_{{}}~.-]{{1,80}}){{0,8}})")


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
    """The sentence before it in the paragraph."""

    @cached_property
    def tongues(self) -> tuple[Measures, ...]:
        """The languages in which the sentence speaks of keys of ours, and not of API keys or a map's keys."""
        named = _OURS.search(self.text)
        about = [
            m for m in measures() if self._is_about_keys(m) and (named or not m.others.search(self.paragraph.text))
        ]
        # A header's name reads as a word of several languages: where the sentence shows its own, the others are silent.
        return tuple(m for m in about if m.signs.search(self.text)) or tuple(about)

    def _is_about_keys(self, tongue: Measures) -> bool:
        """Whether the sentence names keys, or says more of what the sentence before it named."""
        if tongue.topic.search(self.text):
            return True
        return bool(tongue.ellipsis and tongue.ellipsis.search(self.text) and tongue.topic.search(self.previous))

    def written(self, start: int, end: int) -> str:
        """The stretch of the sentence as its author wrote it."""
        a, b = self.paragraph.origin(self.start + start, self.start + end)
        return self.paragraph.original[a:b]

    @property
    def whose(self) -> str:
        """Whose values they are, for a message: " for POST /refunds", or nothing where they are all the same."""
        names = [name for profile in self.profiles for name in profile.operations]
        if not self.named or self.facts.one_profile:
            return ""
        return f" for {' and '.join(names[:2])}" + (" and others" if len(names) > 2 else "")


@dataclass(frozen=True)
class Context:
    """The contract, and the operations that the text around a paragraph is about."""

    facts: Facts
    operations: tuple[str, ...] = ()

    def under(self, heading: str) -> Context:
        """The context below a heading: the operations that it names, if any."""
        return Context(self.facts, _operations(self.facts, fold(heading).text))

    def statements(self, text: str) -> Iterator[Statement]:
        """The sentences of a paragraph."""
        folded = fold(text)
        local = _operations(self.facts, folded.text)
        begin, previous = 0, ""
        for end in (*(m.end() for m in _SENTENCE_END.finditer(folded.text)), len(folded.text)):
            sentence = folded.text[begin:end]
            if sentence.strip():
                names = _operations(self.facts, sentence) or local or self.operations
                profiles = tuple(p for p in self.facts.profiles if set(p.operations) & set(names))
                chosen = profiles or self.facts.profiles
                yield Statement(sentence, begin, self.facts, chosen, bool(profiles), folded, previous)
                previous = sentence
            begin = end


def _operations(facts: Facts, text: str) -> tuple[str, ...]:
    """The contract's keyed operations that folded *text* names by path, with or without the method."""
    if "/" not in text:
        return ()
    known = [(op.name, op.name.casefold()) for op in facts.operations if op.keyed]
    names: dict[str, None] = {}
    for found in _PATH.finditer(text):
        method, path = found.group(1), found.group(2).rstrip(".")
        for name, folded in known:
            if folded == f"{method} {path}" or (method is None and folded.endswith(f" {path}")):
                names[name] = None
    return tuple(names)
