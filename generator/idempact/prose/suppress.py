"""Findings that an author allows, each for a reason: ``<!-- idempact: allow RULE because … -->``.

In YAML the same words stand in a ``#`` comment on a line of its own.

An allowance holds for the block that it stands in or before; with ``in this file`` after the rules, for the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_MARK = "idempact:"
_YAML_COMMENT = re.compile(r"^[ \t]*+#[ \t]*+(idempact:[^\r\n]*)", re.MULTILINE)


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


class Blocks:
    """The stretches that allowances may stand in or before: sorted, none over another."""

    def __init__(self, stretches: Sequence[tuple[int, int]]) -> None:
        self._stretches = stretches
        self._ends = [end for _, end in stretches]

    def at(self, place: int) -> tuple[int, int]:
        """The stretch that holds *place*, or else the next one; behind the last one an empty stretch."""
        n = bisect_right(self._ends, place)
        return self._stretches[n] if n < len(self._stretches) else (place, place)


class Allowances:
    """Allowances in groups, each over blocks of its own (the texts of a file, the paragraphs of these texts)."""

    def __init__(self, *groups: Sequence[Suppression]) -> None:
        self._whole: dict[str, Suppression] = {}
        self._groups: list[dict[str, list[Suppression]]] = []
        for group in groups:
            index: dict[str, list[Suppression]] = {}
            for suppression in group:
                for rule in suppression.rules if suppression.reason else ():
                    if suppression.whole_file:
                        self._whole.setdefault(rule, suppression)
                    else:
                        index.setdefault(rule, []).append(suppression)
            for listed in index.values():
                listed.sort(key=_begin)
            self._groups.append(index)

    def take(self, rule: str, start: int, end: int) -> bool:
        """Whether a finding of *rule* from *start* to *end* is let go; the allowance that does so counts as used."""
        for index in self._groups:
            listed = index.get(rule, [])
            n = bisect_right(listed, start, key=_begin) - 1
            if n >= 0 and end <= listed[n].covers[1]:
                listed[n].used.add(rule)
                return True
        if rule in self._whole:
            self._whole[rule].used.add(rule)
            return True
        return False


def _begin(suppression: Suppression) -> int:
    return suppression.covers[0]


def read(text: str, start: int, end: int, blocks: Blocks) -> Suppression | None:
    """The allowance in a comment's *text*, which stands from *start* to *end*; none where it is another comment."""
    words = text.split()
    if words[:1] != [_MARK]:
        return None
    head, reason = words[1:], ""
    if "because" in head:
        cut = head.index("because")
        head, reason = head[:cut], " ".join(head[cut + 1 :])
    whole_file = head[-3:] == ["in", "this", "file"]
    if whole_file:
        head = head[:-3]
    rules = tuple(word.rstrip(",") for word in head[1:]) if head[:1] == ["allow"] else ()
    return Suppression(rules, reason, start, end, blocks.at(start), whole_file)


def yaml_comments(text: str, outside: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """The comments in YAML *text* that speak to us: on a line of their own, not within one of the *outside* texts."""
    if _MARK not in text:
        return
    texts = iter(sorted(outside))
    current = next(texts, None)
    for found in _YAML_COMMENT.finditer(text):
        while current is not None and current[1] <= found.start(1):
            current = next(texts, None)
        if current is None or found.start(1) < current[0]:
            yield found.group(1), found.start(1), found.end(1)
