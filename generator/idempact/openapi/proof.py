"""The two proofs that an edit must pass before anything is written: it only added what was meant to be added, and
replaced only what was meant to be replaced.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as Lookup
from collections.abc import Sequence as Ordered

from idempact.openapi.edits import Edit, Ranges
from idempact.openapi.pointers import path_of
from idempact.text.nodes import (
    Mapping,
    Mark,
    Node,
    Plain,
    Scalar,
    Sequence,
    Style,
    compose,
    plain,
    plain_scalar,
)
from idempact.text.span import Document


class NotProven(Exception):
    """The edit would do something else than it was meant to; ``offset`` is a place in the result."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def prove_events(
    before: Iterable[Mark],
    after: Iterable[Mark],
    edits: Ordered[Edit],
    ranges: Ranges,
    intended: Iterable[Token] | None = None,
    values: Lookup[int, Plain] | None = None,
    *,
    shift: int = 0,
    open_: Iterable[list[bool]] = (),
) -> list[list[bool]]:
    """Every event of the old text reappears in order, shifted by what was put in before it and with the same meaning
    (but for replaced scalars); every other event lies inside inserted text. Where *intended* is given, these are its
    tokens in order, and the scalars that stood at the places in *values* read as these. Raises NotProven otherwise.

    *edits* stand in order of place, *ranges* gives the place of each in the new text. For a part of a text, *shift* is
    how far it was moved, and *open_* tells of the collections around it; the result, of those that are open at its end:
    is it inserted, is it a mapping, is its next event a value, is that value's key inserted.
    """
    replaced = {edit.start for edit in edits if not edit.inserts}
    spans = [place for edit, place in zip(edits, ranges, strict=True) if edit.inserts]
    expected, rest, moves = iter(before), iter(spans), _moves(edits)
    # What is asked for inserted ranges and for moves goes up in place; a call for each event would take a fifth more.
    (begin, until), (offset, moved) = next(rest, _NEVER), next(moves, _NEVER)
    last = 0
    stack = list(open_)
    wanted = iter(intended) if intended is not None else None
    for mark in after:
        kind, last, end, meaning = mark
        while last >= until:
            begin, until = next(rest, _NEVER)
        inside, empty = last >= begin, last == end and kind == "Scalar"
        closes, starts = kind in _ENDS, kind in _STARTS
        if closes:
            new = stack.pop()[0]
        elif stack:
            top = stack[-1]
            new, mapping, at_value, key_new = top
            # An old collection may begin with an inserted entry, and so inside inserted text: its key tells.
            new = top[3] = new or (key_new if mapping and at_value else inside and not empty)
            top[2] = mapping and not at_value
        else:
            new = False
        if starts:
            stack.append([new, kind == "MappingStart", False, False])
        if new:
            if not closes and not inside:
                raise NotProven("text that was there before became part of what was inserted", last)
            if wanted is not None and not _reads_as(mark, next(wanted, None)):
                raise NotProven("what was inserted reads differently from what was meant", last)
            continue
        old = next(expected, None)
        if old is None or old.kind != kind or (old.meaning != meaning and old.start not in replaced):
            raise NotProven("something that was there before reads differently", last)
        place = old.start
        if place in replaced and values is not None and not _reads_as(mark, ("Scalar", values[place])):
            raise NotProven("what was replaced reads differently from what was meant", last)
        # An end carries the next token's place, which may be inserted text; so may an empty value's, and a block
        # collection's is that of its first key or dash, whichever that is.
        if not empty and (kind == "Scalar" or kind == "Alias" or (starts and meaning[-1])):
            while place >= offset:
                shift += moved
                offset, moved = next(moves, _NEVER)
            if place + shift != last:
                raise NotProven("something that was there before stands elsewhere", last)
    if next(expected, None) is not None:
        raise NotProven("something that was there before is gone", last)
    if wanted is not None and next(wanted, None) is not None:
        raise NotProven("something that was to be inserted is missing", last)
    return stack


_STARTS = ("MappingStart", "SequenceStart")
_ENDS = ("MappingEnd", "SequenceEnd")


_NEVER = (1 << 62, 1 << 62)


def _moves(edits: Ordered[Edit]) -> Iterator[tuple[int, int]]:
    """From where on the old text is moved, and by how much more; a replaced scalar itself does not move."""
    for edit in edits:
        yield edit.start if edit.inserts else edit.start + 1, len(edit.text) - (edit.end - edit.start)


def same(one: Plain, other: Plain) -> bool:
    """Whether two values are equal; true is not 1 here, and 1.0 not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (one == other or one != one)


# What an event should say: its kind, and for a scalar its value, for a key its text.
Token = tuple[str, Plain]


def tokens(members: Iterable[tuple[str | None, Plain]]) -> Iterator[Token]:
    """The events that entries of a mapping, or items of a list (whose key is none), should be read as."""
    for key, value in members:
        if key is not None:
            yield "Key", key
        if isinstance(value, dict):
            yield "MappingStart", None
            yield from tokens(value.items())
            yield "MappingEnd", None
        elif isinstance(value, list):
            yield "SequenceStart", None
            yield from tokens((None, item) for item in value)
            yield "SequenceEnd", None
        else:
            yield "Scalar", value


def _reads_as(mark: Mark, token: Token | None) -> bool:
    """Whether an event says what a token wants, without an anchor or a tag of its own."""
    if token is None:
        return False
    kind, value = token
    if mark.kind != "Scalar":
        return mark.kind == kind and mark.meaning[:2] in ((), (None, None))
    anchor, tag, _, text, style = mark.meaning
    if anchor is not None or tag is not None or not isinstance(text, str):
        return False
    if kind == "Key":
        return text == value
    quoted = Style.PLAIN if not style else Style.DOUBLE
    return kind == "Scalar" and same(plain_scalar(Scalar(0, 0, text, quoted)), value)


def prove_json(old: Document, before: Node, new: Document, after: Node, edits: Ordered[Edit], ranges: Ranges) -> None:
    """Every value of the old text stands in the new one, in order and as it was written (but for replaced scalars);
    every other one lies inside inserted text. Raises NotProven otherwise.

    *edits* and *ranges* as in :func:`prove_events`. Subtrees that were skipped in reading are compared as text, which
    in JSON means the same wherever it stands (RFC 8259, section 2).
    """
    inserted = [place for edit, place in zip(edits, ranges, strict=True) if edit.inserts]
    starts = [start for start, _ in inserted]
    replaced = {edit.start for edit in edits if not edit.inserts}
    pairs: list[tuple[Node, Node]] = [(before, after)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            raise NotProven("something that was there before reads differently", other.start)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            left = [entry for entry in other.entries if not _at(entry.key.start, starts, inserted)]
            if [entry.key.value for entry in left] != [entry.key.value for entry in one.entries]:
                raise NotProven("the members that were there before are not the same any more", other.start)
            pairs += [(a.value, b.value) for a, b in zip(one.entries, left, strict=True)]
        elif isinstance(one, Sequence) and isinstance(other, Sequence):
            items = [item for item in other.items if not _at(item.start, starts, inserted)]
            if len(items) != len(one.items):
                raise NotProven("the items that were there before are not the same any more", other.start)
            pairs += zip(one.items, items, strict=True)
        elif one.start in replaced and isinstance(one, Scalar):
            continue
        elif old.text[one.start : one.end] != new.text[other.start : other.end]:
            raise NotProven("something that was there before reads differently", other.start)


def _at(start: int, starts: list[int], ranges: list[tuple[int, int]]) -> bool:
    index = bisect_right(starts, start) - 1
    return index >= 0 and start < ranges[index][1]


def prove_removal(before: Document, after: Document, gone: Collection[str], restored: Lookup[str, Plain]) -> None:
    """The value of *after* is that of *before* without what stands at *gone*, and with the values *restored* at their
    pointers. Raises NotProven otherwise.
    """
    old, new = compose(before).value, compose(after).value
    if old is None or new is None:
        raise NotProven("what is left can't be read any more", 0)
    whole = plain(old.root)
    for at, value in restored.items():
        *path, last = path_of(at)
        holder = _walk(whole, path)
        if isinstance(holder, dict):
            holder[last] = value
    if not same(_without(whole, set(gone)), plain(new.root)):
        raise NotProven("something that is not ours would read differently", 0)


def _walk(value: Plain, path: Iterable[str]) -> Plain:
    for key in path:
        value = value[int(key)] if isinstance(value, list) else value.get(key) if isinstance(value, dict) else None
    return value


def _without(value: Plain, gone: set[str]) -> Plain:
    """The value without what stands at the pointers *gone*, inner and later ones first."""
    for at in sorted(gone, key=lambda at: [(len(part), part) for part in path_of(at)], reverse=True):
        *path, last = path_of(at)
        holder = _walk(value, path)
        if isinstance(holder, list):
            del holder[int(last)]
        elif isinstance(holder, dict):
            holder.pop(last, None)
    return value
