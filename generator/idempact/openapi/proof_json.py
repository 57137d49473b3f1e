"""The two proofs of an edit of a JSON file, which read only what was put in.

What a JSON value means depends on its own characters alone, wherever it stands (RFC 8259, section 2). So a file in
which only whole members were added behind whole ones, or whole scalars replaced, means what it did and what was added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping as Lookup
from collections.abc import Sequence as Ordered

from idempact.openapi.edits import Edit, Ranges
from idempact.openapi.pointers import Path, child, path_of, pointer
from idempact.openapi.proof import NotProven, same
from idempact.openapi.wants import Addition, Replacement
from idempact.text.nodes import Entry, Mapping, Node, Plain

_BLANKS = " \t\r\n"


def prove_bytes(before: str, after: str, edits: Ordered[Edit], ranges: Ranges) -> None:
    """Outside of *ranges*, *after* has the characters of *before* outside of *edits*, in order. Raises NotProven
    otherwise.
    """
    old = new = 0
    for edit, (start, end) in zip(edits, ranges, strict=True):
        kept = before[old : edit.start]
        if end < start or start - new != len(kept) or not after.startswith(kept, new):
            raise NotProven("something that was there before reads differently", new)
        old, new = edit.end, end
    if before[old:] != after[new:]:
        raise NotProven("something that was there before reads differently", new)


def prove_members(
    before: str,
    root: Node,
    after: str,
    made: Ordered[tuple[Edit, Addition | Replacement]],
    ranges: Ranges,
    owned: Lookup[str, Plain],
) -> None:
    """Each edit puts whole members behind a whole one of the container that it was meant for, or a scalar in place of
    one; in *after* they read as they were meant; and so each value of *owned* stands at its pointer.

    *root* is what *before* was read into. Raises NotProven otherwise.
    """
    placed: dict[Path, dict[str, Plain]] = {}
    places: dict[Path, Node | None] = {(): root}
    known: set[tuple[object, ...]] = set()
    for (edit, what), (start, end) in zip(made, ranges, strict=True):
        if isinstance(what, Replacement):
            there = (edit.start, edit.end) == (what.node.start, what.node.end)
            if not there or not same(_read(after[start:end], start), what.value):
                raise NotProven("what was replaced reads differently from what was meant", start)
            continue
        if _at(places, what.container) is not what.node:
            raise NotProven("what was inserted stands in another container", start)
        read = _members(before, edit, what, after[start:end], start, known)
        holder = placed.setdefault(what.container, {})
        if not holder.keys().isdisjoint(read):
            raise NotProven("what was inserted stands twice", start)
        holder |= read
    holders = {pointer(path): members for path, members in placed.items()}
    for at, value in owned.items():
        container, _, key = at.rpartition("/")
        found = holders[container].get(key) if container in holders else None
        if found is None:
            found = _found(placed, path_of(at))
        if found is not value and not same(found, value):
            raise NotProven(f"what was inserted at {at} reads differently from what was meant", 0)


def _at(places: dict[Path, Node | None], path: Path) -> Node | None:
    """The node at *path*; *places* remembers those on the ways so far, which begin alike."""
    if path not in places:
        places[path] = child(_at(places, path[:-1]), path[-1])
    return places[path]


def _members(
    before: str, edit: Edit, what: Addition, piece: str, start: int, known: set[tuple[object, ...]]
) -> dict[str, Plain]:
    """The members that *piece*, the text at *start* of the result, adds, proven to read as they were meant: by key, or
    by index in a list. *known* remembers what was read, of values their identities, for most operations get the same.
    """
    node = what.node
    mapping = isinstance(node, Mapping)
    children = node.entries if isinstance(node, Mapping) else node.items
    if children:
        # A comma that the file sets apart from what stands before it keeps its blanks.
        blank, comma, piece = piece.partition(",")
        last = children[max(what.at, 1) - 1]
        right = edit.start == (last.value if isinstance(last, Entry) else last).end
        right = right and bool(comma) and not blank.strip(_BLANKS)
    else:
        right = edit.start == node.start + 1 and not before[edit.start : node.end - 1].strip(_BLANKS)
    if not right or not edit.inserts:
        raise NotProven("what was inserted does not stand behind a whole member", start)
    if isinstance(node, Mapping):
        there = {entry.key.value for entry in node.entries}
        if any(key in there for key, _ in what.members):
            raise NotProven("what was inserted was there before", start)
    made = (piece, mapping, *[(key, id(value)) for key, value in what.members])
    if made not in known:
        _prove_reading(piece, what, mapping, start)
        known.add(made)
    if mapping:
        return {key: value for key, value in what.members if key is not None}
    return {str(len(children) + index): value for index, (_, value) in enumerate(what.members)}


def _prove_reading(piece: str, what: Addition, mapping: bool, start: int) -> None:
    """The text between the brackets of an object or a list reads as the members that were meant, and none beside."""
    value = _read(f"{{{piece}}}" if mapping else f"[{piece}]", start)
    names = list(value) if isinstance(value, dict) else [None] * len(value) if isinstance(value, list) else []
    values = list(value.values()) if isinstance(value, dict) else value
    if names != [key for key, _ in what.members] or not same(values, [item for _, item in what.members]):
        raise NotProven("what was inserted reads differently from what was meant", start)


def _read(text: str, start: int) -> Plain:
    try:
        value: Plain
        value, end = _DECODER.raw_decode(text)
    except ValueError:
        raise NotProven("what was inserted can't be read", start) from None
    if end != len(text):
        raise NotProven("what was inserted can't be read", start)
    return value


_DECODER = json.JSONDecoder()


def _found(placed: Lookup[Path, dict[str, Plain]], path: Path) -> Plain:
    """What was read at *path* below the innermost container that members were added to on its way; its own container's
    members where there is none.
    """
    for depth in range(len(path) - 1, -1, -1):
        value: Plain = placed.get(path[:depth])
        if isinstance(value, dict) and path[depth] in value:
            for key in path[depth:]:
                value = (
                    value[int(key)] if isinstance(value, list) else value.get(key) if isinstance(value, dict) else None
                )
            return value
    raise NotProven("what was to be inserted is missing", 0)
