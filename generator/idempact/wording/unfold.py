"""Patterns for folded text, rewritten for engines that search text as it was written.

What folding takes away from a text stands in the pattern instead: full-width punctuation, odd quotes and hyphens,
accents and traditional characters beside their plain forms, any white space for a space. What a pattern can't hold:
an invisible character inside a word, full-width letters, spaces between Chinese characters, and character references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from idempact.text.pattern import regex
from idempact.wording.fold import VARIANTS
from idempact.wording.phrasebook import HIT

LETTERS = "0-9A-Za-z_\u00c0-\u024f"
"""What is a letter of a word as the members of a class: folding makes those with an accent ASCII, as ``\\w`` wants."""

_TOKEN = regex(r"\(\?(?:[:=!]|<[=!])|\{[0-9,]+\}|\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|ss(?![?{])|.", re.DOTALL)
_MEMBER = regex(r"\\.|.-[^\]]|.", re.DOTALL)
_ALIKE = {
    " ": r"\s\u00a0\u3000",
    "'": "\u2018\u2019\uff07",
    '"': "\u201c\u201d\u201e\u00ab\u00bb\uff02",
    "-": "\u2010\u2011\u2013",
    **dict(zip("aceinouy", ("àáâãäå", "ç", "èéêë", "ìíîï", "ñ", "òóôõö", "ùúûü", "ýÿ"), strict=True)),
}
_ACCENTED = frozenset({"de", "es", "fr", "pt"})
_FULL_WIDTH = frozenset(",:;!?")
BORDER = f"(?:(?<![{LETTERS}])(?=[{LETTERS}])|(?<=[{LETTERS}])(?![{LETTERS}]))"
"""Where a word of Latin letters begins or ends, also beside a Chinese character, which is a letter to most engines."""


def unfolded(pattern: str, language: str) -> str:
    """A pattern for folded text as one for the text before it was folded; the search must be without regard to case.

    Accents are thought of where the *language* has them.
    """
    plain = language not in _ACCENTED
    return "".join(_rewritten(token, plain) for token in _TOKEN.findall(pattern))


def alternatives(pattern: str) -> tuple[str, ...]:
    """The alternatives that a compiled pattern was made of, each without the group that holds it."""
    return tuple(part.removeprefix("(?:").removesuffix(")") for part in _split(pattern, "|"))


def around_hit(pattern: str) -> tuple[str, str] | None:
    """What an excuse wants before and behind the found phrase; none where it doesn't say where the phrase stands."""
    parts = tuple(_split(pattern, HIT))
    return (parts[0], parts[1]) if len(parts) == 2 else None


def _split(pattern: str, at: str) -> Iterator[str]:
    """The parts of a pattern between the marks *at* that stand in no group and no class."""
    depth, part = 0, ""
    for token in _TOKEN.findall(pattern):
        depth += 1 if token[0] == "(" else -1 if token == ")" else 0
        if token == at and not depth:
            yield part
            part = ""
        else:
            part += token
    yield part


def _rewritten(token: str, plain: bool) -> str:
    if token == r"\w":
        return f"[{LETTERS}]"
    if token == r"\A":
        return r"(?:(?<![\s\S])|(?<=[.!?。！？]\s?))"
    if token == "ss":
        return token if plain else "(?:ss|ß)"
    if token[0] == "[" and len(token) > 1:
        negated = token.startswith("[^")
        members = _MEMBER.findall(token[2:-1] if negated else token[1:-1])
        return f"[{'^' if negated else ''}{''.join(map(_class_member, members))}]"
    if token in ("|", "?") or len(token) > 1:
        return token
    others = "" if plain and token.isascii() and token.isalpha() else _others(token)
    return f"[{token}{others}]" if others else token


def _class_member(member: str) -> str:
    if member == HIT:
        return ""
    if member == "-":
        return r"\-" + _ALIKE["-"]
    if member == "a-z":
        return "a-z\u00c0-\u024f"
    if member == r"\w":
        return LETTERS
    return member + _others(member) if len(member) == 1 else member


def _others(character: str) -> str:
    """The characters beside *character* that fold to it."""
    if character in _FULL_WIDTH:
        return chr(ord(character) + 0xFEE0)
    return _ALIKE.get(character) or _traditional().get(character, "")


@cache
def _traditional() -> dict[str, str]:
    out: dict[str, str] = {}
    for traditional, simplified in VARIANTS.items():
        out[chr(simplified)] = out.get(chr(simplified), "") + chr(traditional)
    return out
