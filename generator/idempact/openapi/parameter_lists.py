"""Lists of parameters in the text of a long file: where they stand, and which of them can be no key.

These are the ones whose own lines say that they stand in the path, the query or a cookie, with a plain name that isn't
one of a key's usual ones. That a line of a longer text only looks like one of these keys can't mislead: where every
line at the column of the parameter's keys begins with a plain key, none of which comes twice, the true ones are among
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from idempact.text.nodes import Less
from idempact.text.pattern import regex

_NO_KEY = ("path", "query", "cookie")
# What every usual name of a key has in it, however its words are joined.
_OF_KEYS = "idempot"


def lists_parameters(path: tuple[str, ...]) -> bool:
    """Whether an operation's or a path's list of parameters stands at *path*."""
    top = 1 if path[0] == "paths" else 2
    if top == 2 and path[:2] != ("components", "pathItems"):
        return False
    below = path[top:]
    if below[1:2] == ("additionalOperations",):
        below = (below[0], *below[2:])
    return below[1:] == ("parameters",) or (len(below) == 3 and below[2] == "parameters")


def others(text: str, start: int, end: int, column: int) -> Iterator[tuple[int, str]]:
    """The items of the block sequence in the lines from *start* to *end* whose dashes stand at *column*: where each
    one's line begins, and its name if it is a parameter that can be no key, but for a contract's with that very name;
    else an empty one. None at all where something else stands between them.
    """
    items: list[tuple[int, dict[str, str]]] = []
    for found in _item_lines(column).finditer(text, start - 1, end):
        sign, told, value, key = found.groups()
        if sign is None or (sign == " " and not items):
            return
        if sign == "-":
            items.append((found.start() + 1, {}))
        members, name = items[-1][1], told or key or ""
        # A key of another form, or one that comes twice, tells nothing.
        members[name if name not in members else ""] = (value or "").strip("\"'")
    for line, members in items:
        name = members.get("name", "")
        plain = "" not in members and members.get("in") in _NO_KEY
        yield line, name if plain and _OF_KEYS not in folded(name) else ""


def bystanders(named: Iterable[str]) -> Less:
    """For a list of parameters in JSON: whether one says in its first two members that it can be no key, and has none
    of the names *named*.

    That one of these members comes again further behind is an error of its own. Where a reference may stand in it, it
    may be what that leads to.
    """
    known = {folded(name) for name in named}

    def beside(text: str, start: int, end: int) -> bool:
        found = _FIRST_MEMBERS.match(text, start)
        name = folded(found[1] or found[2]) if found is not None else ""
        other = bool(name) and _OF_KEYS not in name and name not in known
        return other and all(text.find(sign, start, end) < 0 for sign in _REFERRING)

    return lambda path: beside if lists_parameters(path) else None


# A reference, or an escape that it may be written with.
_REFERRING = ("$ref", "\\u")
_BLANKS = r"[ \t\n\r]*+"
_NAME, _IN = rf'"name"{_BLANKS}:{_BLANKS}"([\w.$\[\]-]++)"', rf'"in"{_BLANKS}:{_BLANKS}"(?:{"|".join(_NO_KEY)})"'
_BETWEEN = f"{_BLANKS},{_BLANKS}"
_FIRST_MEMBERS = regex(rf"\{{{_BLANKS}(?:{_NAME}{_BETWEEN}{_IN}|{_IN}{_BETWEEN}{_NAME}){_BLANKS}[,}}]")


@lru_cache(maxsize=1024)
def folded(name: str) -> str:
    """A name without what its spelling may differ in: case, `_` or nothing for `-`, a leading `x-`."""
    return name.lower().replace("_", "-").removeprefix("x-").replace("-", "")


@cache
def _item_lines(column: int) -> re.Pattern[str]:
    """What finds the lines of a block sequence with its dashes at *column* that stand no further right than the keys
    of its items: the dash or the blank, then ``name`` or ``in`` with a value that ends with the line, or another plain
    key.
    """
    value = r"([A-Za-z_$][\w.$\[\]-]*|\"[\w.$\[\]-]+\"|'[\w.$\[\]-]+')"
    ended = rf" *(?=\r?\n(?: {{0,{column + 2}}}[^ \r\n]|\Z)|\Z)"
    members = rf"(?:(name|in): +{value}{ended}|([A-Za-z][\w-]*):(?=[ \r\n]))?"
    further = f"(?!{' ' * (column + 3)})"
    return re.compile(rf"\n{further}(?: {{{column}}}([- ]) (?=[^ #\r\n]){members}| {{0,{column + 1}}}(?=[^ #\r\n]))")
