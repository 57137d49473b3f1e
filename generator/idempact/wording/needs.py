"""What a text must hold for a pattern to match in it, told by looking at the pattern.

Most sentences with one word of a claim lack its other words. To see that takes a look at each of their words, which is
remembered, in place of a search for every pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from idempact.text.dataclass import dataclass, field
from idempact.text.pattern import regex

Clause = frozenset[str]
"""Pieces of words, each from a letter or digit to another, of which one must be there."""
Need = tuple[Clause, ...]
"""What alternatives of a pattern need: a piece of each clause. Empty where nothing can be told."""

_TOKEN = regex(
    r"[a-z]{2,}(?![?*+{])|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|[()|]|[?*+]|\{[0-9]*,?[0-9]*\}|.",
    re.DOTALL,
)
_EDGES = regex(r"\A[\W_]+|[\W_]+\Z")
_MARKS = regex(r"[*_~]+")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_BEGIN = 3
"""By how many of their first letters pieces are looked up."""
_MOST_WAYS = 24
"""How many needs one pattern may have before its groups are taken for one clause each."""
_MOST = 100_000
"""How many words are remembered."""
_LONGEST = 60
"""How long a word is that is remembered."""


def needs(patterns: Iterable[str]) -> tuple[Need, ...]:
    """What the patterns need: whatever one of them matches holds all of one of these needs.

    They are written as ours are: for folded text, without comments, named groups, references and flags.
    """
    return tuple(_merged([need for one in patterns for need in _Reader(_TOKEN.findall(one)).alternatives()]))


@dataclass(slots=True)
class _Reader:
    """One pass over a pattern's tokens."""

    tokens: list[str]
    at: int = 0

    def alternatives(self) -> list[Need]:
        """The needs of the alternatives until the group's end, which is read."""
        out: list[Need] = []
        while True:
            out += self._sequence()
            end = self._take()
            if end != "|":
                return out

    def _take(self) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ")"
        self.at += 1
        return token

    def _sequence(self) -> list[Need]:
        ways: list[Need] = [()]
        run = ""
        while self.at < len(self.tokens) and self.tokens[self.at] not in ("|", ")"):
            token = self._take()
            inner = self.alternatives() if token[0] == "(" else []
            optional = self._repeated()
            letter = _letter(token)
            if letter and optional is None:
                run += letter
                continue
            ways = _with(ways, run + (letter if optional is False else ""))
            run = ""
            if inner and not optional and token not in _LOOKS:
                ways = _with_one_of(ways, inner)
        return _with(ways, run)

    def _repeated(self) -> bool | None:
        """Whether what was read last may be left out; None where it stands once. The marks that say so are read."""
        optional = None
        while self.at < len(self.tokens) and self.tokens[self.at][0] in "?*+{" and self.tokens[self.at] != "{":
            mark = self._take()
            if optional is None:
                optional = mark in ("?", "*") or mark.startswith(("{0", "{,"))
        return optional


def _letter(token: str) -> str:
    """The characters that a token stands for, as far as they can be part of a word; else nothing."""
    if token.isalpha():
        return token
    if token[0] == "\\":
        return "" if token[1].isalnum() or token[1].isspace() else token[1]
    return token if len(token) == 1 and token not in "(.^$" and not token.isspace() else ""


def _with(ways: list[Need], run: str) -> list[Need]:
    """The needs with the piece that the run of letters is, if it is one."""
    run = _EDGES.sub("", run)
    return [(*way, frozenset((run,))) for way in ways] if len(run) > 1 or (run and not run.isascii()) else ways


def _with_one_of(ways: list[Need], branches: list[Need]) -> list[Need]:
    """The needs with those of whichever branch; one clause for all branches where both together would be too many."""
    if not all(branches):
        return ways
    merged = _merged(branches)
    if len(ways) > 1 and len(ways) * len(merged) > _MOST_WAYS:
        merged = [(frozenset().union(*(max(branch, key=_worth) for branch in branches)),)]
    return [(*way, *need) for way in ways for need in merged]


def _merged(listed: list[Need]) -> list[Need]:
    """The needs, those of one clause as one."""
    single = [need[0] for need in listed if len(need) == 1]
    several = [need for need in dict.fromkeys(listed) if len(need) != 1]
    return [(frozenset().union(*single),), *several] if single else several


def _worth(clause: Clause) -> tuple[int, int]:
    return min(map(len, clause)), -len(clause)


@dataclass(slots=True)
class Vocabulary:
    """Clauses, and which of them the words of a text hold a piece of. Each clause has a bit of its own."""

    _bits: dict[Clause, int] = field(default_factory=dict)
    _pieces: dict[str, dict[str, int]] = field(default_factory=dict)
    """The pieces and their clauses, by the letters that they begin with."""
    _shown: dict[str, int] = field(default_factory=dict)
    """The clauses of the words that were met."""
    _mute: set[str] = field(default_factory=set)
    """The words that were met and hold no piece."""

    def asked(self, listed: Iterable[Need]) -> tuple[int, ...]:
        """The needs as bits, to be compared with what :meth:`shown` tells from then on."""
        return tuple(self._together(need) for need in listed)

    def _together(self, need: Need) -> int:
        whole = 0
        for clause in need:
            bit = self._bits.get(clause)
            if bit is None:
                bit = self._bits[clause] = 1 << len(self._bits)
                self._forget()
                for piece in clause:
                    known = self._pieces.setdefault(piece[:_BEGIN], {})
                    known[piece] = known.get(piece, 0) | bit
            whole |= bit
        return whole

    def shown(self, words: AbstractSet[str]) -> int:
        """The clauses of which a piece is in one of the *words*, in lower case; marks of emphasis may stand in them."""
        known = self._shown
        whole = 0
        for word in words - self._mute:
            shown = known.get(word)
            whole |= self._look(word) if shown is None else shown
        return whole

    def _look(self, word: str) -> int:
        whole = 0
        for spelling in {word, _MARKS.sub("", word)}:
            for at in range(len(spelling)):
                for length in range(1, _BEGIN + 1):
                    for piece, bits in self._pieces.get(spelling[at : at + length], {}).items():
                        if spelling.startswith(piece, at):
                            whole |= bits
        if len(word) <= _LONGEST:
            if len(self._shown) + len(self._mute) >= _MOST:
                self._forget()
            if whole:
                self._shown[word] = whole
            else:
                self._mute.add(word)
        return whole

    def _forget(self) -> None:
        self._shown.clear()
        self._mute.clear()


def met(asked: Iterable[int], shown: int) -> bool:
    """Whether one of the needs is met."""
    return any(need & shown == need for need in asked)
