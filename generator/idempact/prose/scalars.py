"""Where each character of a YAML or JSON text value stands in the file.

The value comes from the reader; here its characters are laid beside the scalar as written (YAML 1.2.2 chapters 7 and 8,
RFC 8259 section 7). Where the two can't be laid beside each other, the whole scalar is the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.passage import Builder, Passage
from idempact.text.nodes import Scalar, Style

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)"
)
_FOLD = re.compile(r"[ \t]*+(?:\r\n|\r|\n)[ \t]*+")
_JOIN = re.compile(r"\\(?:\r\n|\r|\n)[ \t]*+")
_BREAK = re.compile(r"\r\n|\r|\n")
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "a": "\a", "v": "\v", "e": "\x1b"}
_NAMED |= {"N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}
# One token of the source: its range, and the character it stands for (none for a join of two lines).
_Token = tuple[int, int, str]


_PROPERTIES = re.compile(r"(?:[&!][^\s]*+\s++)*+")
"""A node's anchor and tag, which stand before the scalar and count as its beginning."""


def laid_out(source: str, scalar: Scalar) -> Passage:
    """The scalar's value, each character with its place in *source*."""
    out = Builder()
    tokens = _tokens(source, scalar)
    for character in scalar.value:
        for start, end, stands_for in tokens:
            if stands_for == character or (stands_for == "\n" and character == " "):
                out.add(character, start, end - start)
                break
            if stands_for not in ("\n", ""):
                return _whole(scalar)
        else:
            if not character.isspace():
                return _whole(scalar)
            out.add(character, scalar.end, 1)  # `|+` keeps blank lines that lie behind the scalar's text
    return out.passage()


def _whole(scalar: Scalar) -> Passage:
    width = max(scalar.end - scalar.start, 1)
    count = range(len(scalar.value))
    return Passage(scalar.value, count, [scalar.start for _ in count], [width for _ in count])


def _tokens(source: str, scalar: Scalar) -> Iterator[_Token]:
    properties = _PROPERTIES.match(source, scalar.start, scalar.end) if scalar.anchor or scalar.tag else None
    start = properties.end() if properties else scalar.start
    match scalar.style:
        case Style.LITERAL | Style.FOLDED:
            return _block_tokens(source, start, scalar.end)
        case Style.DOUBLE:
            return _flow_tokens(source, start + 1, scalar.end - 1, "\\")
        case Style.SINGLE:
            return _flow_tokens(source, start + 1, scalar.end - 1, "'")
        case Style.PLAIN:
            return _flow_tokens(source, start, scalar.end, "")


def _flow_tokens(source: str, at: int, end: int, escape: str) -> Iterator[_Token]:
    while at < end:
        character = source[at]
        found: re.Match[str] | None = None
        if escape == "\\" and character == "\\":
            found = _JOIN.match(source, at, end)
            if found:
                yield at, found.end(), ""
            else:
                found = _ESCAPE.match(source, at, end)
                if found:
                    yield at, found.end(), _unescaped(found.group())
        elif character in " \t\r\n":
            found = _FOLD.match(source, at, end)
            if found:
                yield at, found.end(), "\n"
        elif escape == "'" and character == "'":
            yield at, at + 2, "'"
            at += 2
            continue
        if found:
            at = found.end()
        else:
            yield at, at + 1, character
            at += 1


def _unescaped(escape: str) -> str:
    digits = escape[2:]
    if len(escape) == 12:
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if digits:
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    return _NAMED.get(escape[1], escape[1])


def _block_tokens(source: str, start: int, end: int) -> Iterator[_Token]:
    header = _BREAK.search(source, start, end)
    if header is None:
        return
    indent = _indent(source, source[start : header.start()], header.end(), end)
    at = header.end()
    while at < end:
        at += min(_spaces(source, at, end), indent)
        found = _BREAK.search(source, at, end)
        stop = found.start() if found else end
        for i in range(at, stop):
            yield i, i + 1, source[i]
        if found is None:
            break
        yield found.start(), found.end(), "\n"
        at = found.end()
    yield end, end, "\n"  # the last line's break lies behind the scalar's text


def _indent(source: str, header: str, at: int, end: int) -> int:
    """The indent of a block scalar's content: that of its first line that isn't blank.

    An indentation indicator counts from the parent's indent, which the first line shows, too, unless it begins with
    spaces of its own; then the scalar can't be laid out by this rule, and is found to differ.
    """
    while at < end:
        spaces = _spaces(source, at, end)
        found = _BREAK.search(source, at, end)
        if source[at + spaces : found.start() if found else end]:
            return spaces
        if found is None:
            break
        at = found.end()
    return 0


def _spaces(source: str, at: int, end: int) -> int:
    stop = at
    while stop < end and source[stop] == " ":
        stop += 1
    return stop - at
