"""Keys that may stand twice in a stretch of YAML that nobody reads: a suspicion, upon which the whole file is read.

A line that looks like a key is one, wherever it stands; so a text over several lines may be suspected in vain, which
costs time and nothing else.
"""

from __future__ import annotations

import re

_KEY = re.compile(
    r"^( *(?:- +)*)"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s#\"'\[\]{}&*!|>%@`,-][^\n:]*(?::[^\s:][^\n:]*)*) *:(?=[ \r\n]|\Z)"
    # The rest of the line is stepped over at once: a line's beginning is looked for at each character else.
    r"(?: +([|>]))?.*",
    re.M,
)
_INNERMOST = re.compile(r"\{[^{}]*\}")
_MEMBER = re.compile(r"[{,]\s*(\"[^\"\n]*\"|'[^'\n]*'|[^\s\"':,{}\[\]]+) *:(?=[ \r\n])")


def may_double(stretch: str) -> bool:
    """Whether some mapping in *stretch*, whole lines behind that of its key, may hold a key twice."""
    open_: list[tuple[int, set[str]]] = []
    block = -1
    for lead, key, text in _KEY.findall(stretch):
        column = len(lead)
        if block >= 0:
            if column > block:
                continue
            block = -1
        dash = lead.find("-")
        # A dash begins another mapping, at the column of its key.
        floor = column if dash < 0 else dash
        while open_ and (open_[-1][0] > floor or (dash >= 0 and open_[-1][0] >= floor + 1)):
            open_.pop()
        if not open_ or open_[-1][0] < column:
            open_.append((column, set()))
        keys = open_[-1][1]
        name = key[1:-1] if key[0] in "\"'" else key
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
