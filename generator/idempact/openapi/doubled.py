"""Keys that may stand twice in a stretch of YAML that nobody reads: a suspicion, upon which the whole file is read.

A line that looks like a key is one, wherever it stands; so a text over several lines may be suspected in vain, which
costs time and nothing else.
"""

from __future__ import annotations

import re

_KEY = re.compile(
    # A line's beginning is looked for by the break before it: nothing else is found as fast.
    # Most keys are short words, for which the rest isn't tried.
    r"\n( *(?:[A-Za-z0-9_$]+:(?=[ \r\n])|(?:- +)*"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s#\"'\[\]{}&*!|>%@`,-][^\n:]*(?::[^\s:][^\n:]*)*) *:(?=[ \r\n]|\Z))"
    r"(?: +[|>])?)"
)
_PARTS = re.compile(r"( *(?:- +)*)(.*?) *:(?: +([|>]))?\Z")
_INNERMOST = re.compile(r"\{[^{}]*\}")
_MEMBER = re.compile(r"[{,]\s*(\"[^\"\n]*\"|'[^'\n]*'|[^\s\"':,{}\[\]]+) *:(?=[ \r\n])")


class Written(dict[str, tuple[int, int, str, bool]]):
    """For the beginning of a line up to its key's colon and the sign of a block text: the columns of the key and of the
    first dash before it, the name, and whether such a text follows. Most beginnings stand in a file many times.
    """

    def __missing__(self, line: str) -> tuple[int, int, str, bool]:
        parts = _PARTS.match(line)
        assert parts is not None, "the one pattern finds what the other takes apart"
        lead, key, text = parts.groups()
        dash = lead.find("-")
        name = key[1:-1] if key[0] in "\"'" else key
        found = self[line] = (len(lead), len(lead) if dash < 0 else dash, name, text is not None)
        return found


def may_double(stretch: str, written: Written | None = None) -> bool:
    """Whether some mapping in *stretch*, whole lines behind that of its key, may hold a key twice. *written* remembers
    for the next stretch.
    """
    known = Written() if written is None else written
    open_: list[tuple[int, set[str]]] = []
    block = at = -1
    for line in _KEY.findall(stretch if stretch.startswith("\n") else "\n" + stretch):
        # A dash begins another mapping, at the column of its key.
        column, floor, name, text = known[line]
        if block >= 0:
            if column > block:
                continue
            block = -1
        if at != column or floor < column:
            while open_ and open_[-1][0] > floor:
                open_.pop()
            if not open_ or open_[-1][0] < column:
                open_.append((column, set()))
            at, keys = open_[-1]
        if name in keys:
            return True
        keys.add(name)
        if text:
            block = column
    return "{" in stretch and _in_brackets(stretch)


def _in_brackets(text: str) -> bool:
    found = 1
    while found:
        for one in _INNERMOST.finditer(text):
            members = [name.strip("\"'") for name in _MEMBER.findall(one[0])]
            if len(set(members)) < len(members):
                return True
        text, found = _INNERMOST.subn("~", text)
    return False
