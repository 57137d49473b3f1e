"""The proof, before anything is written, that an edit only added what was meant to be added."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from collections.abc import Mapping as Lookup

from idempact.openapi.events import Mark
from idempact.openapi.pointers import child, path_of
from idempact.text.edit import Insertion, remove
from idempact.text.nodes import Node, Plain, compose, plain, resolve
from idempact.text.span import Document

Ranges = tuple[tuple[int, int], ...]


class NotProven(Exception):
    """The edit would do something else than it was meant to; ``offset`` is a place in the result."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def prove_events(
    before: tuple[Mark, ...], after: tuple[Mark, ...], insertions: Iterable[Insertion], ranges: Ranges
) -> None:
    """Every event of the old text reappears in order, shifted by what was put in before it and with the same meaning;
    every other event lies inside inserted text. Raises NotProven otherwise.
    """
    offsets, shifts = _shifts(insertions)
    starts = [start for start, _ in ranges]
    expected = iter(before)
    reading = _Reading()
    for mark in after:
        if reading.take(mark, _inside(mark, starts, ranges)):
            if not mark.closes and not _inside(mark, starts, ranges):
                raise NotProven("text that was there before became part of what was inserted", mark.start)
            continue
        old = next(expected, None)
        if old is None or old.kind != mark.kind or old.meaning != mark.meaning:
            raise NotProven("something that was there before reads differently", mark.start)
        if mark.kind in _PLACED and not mark.empty and not mark.opens_block:
            moved = old.start + shifts[bisect_right(offsets, old.start)]
            if moved != mark.start:
                raise NotProven("something that was there before stands elsewhere", mark.start)
    if next(expected, None) is not None:
        raise NotProven("something that was there before is gone", after[-1].start if after else 0)


# An end carries the next token's place, which may be inserted text; so may an empty value's.
_PLACED = ("Scalar", "Alias", "MappingStart", "SequenceStart")


class _Reading:
    """Tells for each event in turn whether it is of an inserted node."""

    def __init__(self) -> None:
        # For each open collection: is it inserted, is it a mapping, is its next event a value, is that value's key new.
        self.open: list[tuple[bool, bool, bool, bool]] = []

    def take(self, mark: Mark, inside: bool) -> bool:
        if mark.closes:
            return self.open.pop()[0]
        new = False
        if self.open:
            new, mapping, at_value, key_new = self.open[-1]
            # An old collection may begin with an inserted entry, and so inside inserted text: its key tells.
            node_new = new or (key_new if mapping and at_value else inside and not mark.empty)
            self.open[-1] = (new, mapping, mapping and not at_value, node_new)
            new = node_new
        if mark.opens:
            self.open.append((new, mark.kind == "MappingStart", False, False))
        return new


def _shifts(insertions: Iterable[Insertion]) -> tuple[list[int], list[int]]:
    offsets: list[int] = []
    shifts = [0]
    for insertion in sorted(insertions, key=lambda i: i.offset):
        offsets.append(insertion.offset)
        shifts.append(shifts[-1] + len(insertion.text))
    return offsets, shifts


def _inside(mark: Mark, starts: list[int], ranges: Ranges) -> bool:
    index = bisect_right(starts, mark.start) - 1
    return index >= 0 and mark.start < ranges[index][1]


def prove_values(root: Node, intended: Lookup[str, Plain]) -> None:
    """At each pointer stands the intended value. Raises NotProven otherwise."""
    for at, value in intended.items():
        node: Node | None = root
        for key in path_of(at):
            node = child(resolve(node) if node is not None else None, key)
        if node is None or plain(node) != value:
            raise NotProven(
                f"what was inserted at {at} reads differently from what was meant", node.start if node else 0
            )


def prove_count(
    before: tuple[Mark, ...], after: tuple[Mark, ...], additions: Iterable[tuple[str | None, Plain]]
) -> None:
    """The text holds as many events more as the additions have. Raises NotProven otherwise."""
    expected = sum((key is not None) + _events(value) for key, value in additions)
    if len(after) - len(before) != expected:
        raise NotProven("more or less was inserted than was meant", 0)


def _events(value: Plain) -> int:
    if isinstance(value, dict):
        return 2 + sum(1 + _events(item) for item in value.values())
    if isinstance(value, list):
        return 2 + sum(_events(item) for item in value)
    return 1


def prove_json(before: str, after: str, ranges: Ranges, owned: Iterable[str], created: Iterable[str]) -> None:
    """The text without the inserted ranges, and the value without the additions, are what they were.

    Raises NotProven otherwise.
    """
    if remove(after, ranges) != before:
        raise NotProven("removing what was inserted doesn't give the old text back", 0)
    old, new = (json.loads(text.removeprefix("\ufeff")) for text in (before, after))
    if old != _without(new, {*owned, *created}):
        raise NotProven("something that was there before reads differently", 0)


def prove_removal(before: Document, after: Document, gone: Iterable[str]) -> None:
    """The value of *after* is that of *before* without what stands at *gone*. Raises NotProven otherwise."""
    old, new = compose(before).value, compose(after).value
    if old is None or new is None or _without(plain(old.root), set(gone)) != plain(new.root):
        raise NotProven("something that is not ours would read differently", 0)


def _without(value: Plain, gone: set[str]) -> Plain:
    """The value without what stands at the pointers *gone*, inner and later ones first."""
    for at in sorted(gone, key=lambda at: [(len(part), part) for part in path_of(at)], reverse=True):
        *path, last = path_of(at)
        holder = value
        for key in path:
            holder = (
                holder[int(key)] if isinstance(holder, list) else holder.get(key) if isinstance(holder, dict) else None
            )
        if isinstance(holder, list):
            del holder[int(last)]
        elif isinstance(holder, dict):
            holder.pop(last, None)
    return value
