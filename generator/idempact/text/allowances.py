"""Findings that an author allows, each for a reason: ``idempact: allow RULE because …`` in a comment.

In YAML the comment has a line of its own, or in a contract the end of one; in Markdown it is
``<!-- idempact: allow RULE because … -->``.
An allowance holds for the stretch that it stands in or before; with ``in this file`` after the rules, for the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from idempact.resources.typed import Protocol
from idempact.text.dataclass import dataclass, field
from idempact.text.pattern import regex

_MARK = "idempact:"
_YAML_COMMENT = regex(r"^[ \t]*+#[ \t]*+(idempact:[^\r\n]*)", re.MULTILINE)

# In YAML a comment begins at a line's start or behind a space (YAML 1.2.2, section 6.6).
_COMMENT_BEHIND = regex(r"(?:^|(?<=[ \t]))#[ \t]*+(idempact:[^\r\n]*)", re.MULTILINE)


@dataclass(slots=True)
class Suppression:
    """One allowance as written; ``covers`` is the stretch of the source that it holds for, ``used`` what it let go."""

    rules: tuple[str, ...]
    reason: str
    start: int
    end: int
    covers: tuple[int, int]
    whole_file: bool = False
    used: set[str] = field(default_factory=set)


class Stretches(Protocol):
    """The stretches of a source that allowances may stand in or before."""

    def at(self, place: int) -> tuple[int, int]:
        """The stretch that an allowance at *place* holds for."""


class Blocks:
    """Stretches of which none lies over another, sorted."""

    def __init__(self, stretches: Sequence[tuple[int, int]]) -> None:
        self._stretches = stretches
        self._ends = [end for _, end in stretches]

    def at(self, place: int) -> tuple[int, int]:
        """The stretch that holds *place*, or else the next one; behind the last one an empty stretch."""
        n = bisect_right(self._ends, place)
        return self._stretches[n] if n < len(self._stretches) else (place, place)


class Allowances:
    """Allowances in groups, each over blocks of its own (the texts of a file, the paragraphs of these texts).

    Two stretches of a group have nothing in common, or one lies within the other.
    """

    def __init__(self, *groups: Sequence[Suppression]) -> None:
        self._whole: dict[str, Suppression] = {}
        self._groups: list[dict[str, _Nest]] = []
        for group in groups:
            index: dict[str, list[Suppression]] = {}
            for suppression in group:
                for rule in suppression.rules if suppression.reason else ():
                    if suppression.whole_file:
                        self._whole.setdefault(rule, suppression)
                    else:
                        index.setdefault(rule, []).append(suppression)
            self._groups.append({rule: _Nest(found) for rule, found in index.items()})

    def take(self, rule: str, start: int, end: int) -> bool:
        """Whether a finding of *rule* from *start* to *end* is let go; the allowance that does so counts as used."""
        for index in self._groups:
            taken = index[rule].innermost(start, end) if rule in index else None
            if taken is not None:
                taken.used.add(rule)
                return True
        if rule in self._whole:
            self._whole[rule].used.add(rule)
            return True
        return False


class _Nest:
    """The allowances of one rule, each with the one around it."""

    def __init__(self, found: Sequence[Suppression]) -> None:
        self._sorted = sorted(found, key=lambda s: (s.covers[0], -s.covers[1]))
        self._starts = [s.covers[0] for s in self._sorted]
        self._around: list[int] = []
        open_ones: list[int] = []
        for n, suppression in enumerate(self._sorted):
            while open_ones and self._sorted[open_ones[-1]].covers[1] < suppression.covers[1]:
                open_ones.pop()
            self._around.append(open_ones[-1] if open_ones else -1)
            open_ones.append(n)

    def innermost(self, start: int, end: int) -> Suppression | None:
        """The allowance over the shortest stretch that holds the one from *start* to *end*."""
        n = bisect_right(self._starts, start) - 1
        while n >= 0 and self._sorted[n].covers[1] < end:
            n = self._around[n]
        return self._sorted[n] if n >= 0 else None


def read(text: str, start: int, end: int, stretches: Stretches) -> Suppression | None:
    """The allowance in a comment's *text*, which stands from *start* to *end*; none where it is another comment."""
    spoken = text.strip()
    if not spoken.startswith(_MARK):
        return None
    head, reason = spoken.removeprefix(_MARK).split(), ""
    if "because" in head:
        cut = head.index("because")
        head, reason = head[:cut], " ".join(head[cut + 1 :])
    whole_file = head[-3:] == ["in", "this", "file"]
    if whole_file:
        head = head[:-3]
    rules = tuple(" ".join(head[1:]).replace(",", " ").split()) if head[:1] == ["allow"] else ()
    return Suppression(rules, reason, start, end, stretches.at(start), whole_file)


def yaml_comments(
    text: str, outside: Sequence[tuple[int, int]], *, behind: bool = False
) -> Iterator[tuple[str, int, int]]:
    """The comments in YAML *text* that speak to us, not within one of the *outside* texts: on a line of their own, and
    with *behind* also at the end of a line.
    """
    if _MARK not in text:
        return
    texts = iter(sorted(outside))
    current = next(texts, None)
    for found in (_COMMENT_BEHIND if behind else _YAML_COMMENT).finditer(text):
        while current is not None and current[1] <= found.start(1):
            current = next(texts, None)
        if current is None or found.start(1) < current[0]:
            yield found.group(1), found.start(1), found.end(1)
