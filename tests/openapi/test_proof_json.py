"""The proofs for JSON: whatever passes only adds, and adds what was meant where it was meant."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.openapi.edits import Edit, apply
from idempact.openapi.pointers import find, pointer
from idempact.openapi.proof import NotProven
from idempact.openapi.proof_json import prove_bytes, prove_members
from idempact.openapi.wants import Addition, Replacement
from idempact.text.nodes import Mapping, compose, walk
from idempact.text.span import Document

BEFORE = '{"a": [1], "c": "x", "e": { }, "f": {"g": [], "h": {"i": null}}}'


def _prove(before, made, owned, after=None):
    root = compose(Document("a.json", before)).value.root
    edits = [edit for edit, _ in made]
    text, ranges = apply(before, edits)
    after = text if after is None else after
    prove_bytes(before, after, edits, ranges)
    prove_members(before, root, after, made, ranges, owned)
    return after


def _node(path):
    return find(compose(Document("a.json", BEFORE)).value.root, path)


def _made(container, at, members, place, text):
    """An addition as it is made for BEFORE, against its own reading."""

    def of(root):
        return Edit(place, place, text), Addition(container, find(root, container), at, members)

    return of


def _proven(*makers, owned):
    root = compose(Document("a.json", BEFORE)).value.root
    made = [maker(root) for maker in makers]
    edits = [edit for edit, _ in made]
    after, ranges = apply(BEFORE, edits)
    prove_bytes(BEFORE, after, edits, ranges)
    prove_members(BEFORE, root, after, made, ranges, owned)
    return after


ITEM = _made(("a",), 1, [(None, 2)], 8, ", 2")
MEMBER = _made(("f",), 2, [("b", {"c": [True]})], BEFORE.index("}}}") + 1, ', "b": {"c": [true]}')
EMPTY = _made(("e",), 0, [("y", 1.5), ("z", "w")], BEFORE.index("{ }") + 1, '"y": 1.5, "z": "w"')
OWNED = {"/a/1": 2, "/e/y": 1.5, "/e/z": "w", "/f/b/c": [True]}


def test_what_was_meant_passes():
    after = json.loads(_proven(ITEM, EMPTY, MEMBER, owned=OWNED))
    assert after == {
        "a": [1, 2],
        "c": "x",
        "e": {"y": 1.5, "z": "w"},
        "f": {"g": [], "h": {"i": None}, "b": {"c": [True]}},
    }


@pytest.mark.parametrize(
    ("maker", "owned"),
    [
        (_made(("a",), 1, [(None, 2)], 8, ", 3"), {}),  # another value
        (_made(("a",), 1, [(None, 2)], 8, ", 2.0"), {}),  # another kind of number
        (_made(("a",), 1, [(None, 1)], 8, ", true"), {}),
        (_made(("a",), 1, [(None, 2)], 8, "2"), {}),  # the number before goes on
        (_made(("a",), 1, [(None, 2)], 7, ", 2"), {}),  # not behind a whole item
        (_made(("a",), 1, [(None, 2)], 8, ", 2, 3"), {}),  # more than was meant
        (_made(("a",), 1, [(None, 2)], 8, ", 2], [3"), {}),  # two lists
        (_made(("a",), 1, [(None, 2)], 8, ", 2 //"), {}),  # not JSON
        (_made(("a",), 1, [("b", 2)], 8, ', "b": 2'), {}),  # a member in a list
        (_made(("f",), 2, [("h", 2)], BEFORE.index("}}}") + 1, ', "h": 2'), {}),  # a key that is there
        (_made(("f",), 2, [("b", 2)], BEFORE.index("}}}"), ', "b": 2'), {}),  # in the container below
        (_made(("f",), 2, [("b", 2), ("b", 2)], BEFORE.index("}}}") + 1, ', "b": 2, "b": 2'), {}),  # twice
        (_made(("f",), 2, [("b", 2), ("d", 2)], BEFORE.index("}}}") + 1, ', "d": 2, "b": 2'), {}),  # another order
        (_made(("e",), 0, [("y", 1)], BEFORE.index("{ }") + 2, '"y": 1'), {}),
        (ITEM, {"/a/2": 2}),  # at another index than was meant
        (ITEM, {"/a/1": 2, "/b": 1}),  # something is missing
        (MEMBER, {"/f/b": {"c": [1]}}),
    ],
)
def test_anything_else_fails(maker, owned):
    with pytest.raises(NotProven):
        _proven(maker, owned=owned)


def test_the_container_must_be_the_one_that_is_there():
    root = compose(Document("a.json", BEFORE)).value.root
    edit, addition = ITEM(compose(Document("a.json", BEFORE)).value.root)
    after, ranges = apply(BEFORE, [edit])
    with pytest.raises(NotProven):
        prove_members(BEFORE, root, after, [(edit, addition)], ranges, {})


def test_a_replaced_scalar_must_be_replaced_whole():
    root = compose(Document("a.json", BEFORE)).value.root
    node = find(root, ("c",))
    for place, text, value, right in (
        ((node.start, node.end), '"yy"', "yy", True),
        ((node.start, node.end), '"yy"', "y", False),
        ((node.start, node.end), "1", True, False),
        ((node.start, node.end), "1 ", 1, False),
        ((node.start, node.end - 1), '"y', "y", False),
        ((node.start, node.end + 1), '"y",', "y", False),
    ):
        edit = Edit(*place, text)
        after, ranges = apply(BEFORE, [edit])
        prove_bytes(BEFORE, after, [edit], ranges)
        made = [(edit, Replacement(node, value))]
        if right:
            prove_members(BEFORE, root, after, made, ranges, {})
        else:
            with pytest.raises(NotProven):
                prove_members(BEFORE, root, after, made, ranges, {})


@given(st.text("ab", max_size=6), st.integers(0, 6), st.integers(0, 6), st.text("ab", max_size=3), st.data())
def test_any_other_character_is_noticed(before, start, length, text, data):
    start = min(start, len(before))
    edit = Edit(start, min(start + length, len(before)), text)
    after, ranges = apply(before, [edit])
    prove_bytes(before, after, [edit], ranges)
    other = data.draw(st.text("ab", min_size=len(after), max_size=len(after)))
    outside = (other[: ranges[0][0]], other[ranges[0][1] :]) == (after[: ranges[0][0]], after[ranges[0][1] :])
    if outside:
        prove_bytes(before, other, [edit], ranges)
    else:
        with pytest.raises(NotProven):
            prove_bytes(before, other, [edit], ranges)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab"\\é ,:]}', max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('abc,"', max_size=2), inner, max_size=3),
    max_leaves=6,
)
pieces = st.sampled_from(['"k"', ":", ",", " ", "1", "-", "[", "]", "{", "}", '"', "\\", "null", "true", ".5", "e1"])


@given(before=st.dictionaries(st.text("ab", max_size=2), values, min_size=1), data=st.data())
def test_any_insertion_that_passes_only_adds(before, data):
    """Whatever text is put wherever and passes: the standard library reads the old value with the new one in it."""
    text = json.dumps(before, indent=data.draw(st.sampled_from([None, 1])))
    root = compose(Document("a.json", text)).value.root
    found = [path for path in _paths(before) if isinstance(_at(before, path), dict | list)]
    container = data.draw(st.sampled_from(found))
    node, there = find(root, container), _at(before, container)
    mapping, size = isinstance(node, Mapping), len(there)
    value = data.draw(values)
    key = data.draw(st.sampled_from(["k", "n", *(there if mapping else ())])) if mapping else None
    at = data.draw(st.integers(0, size)) if mapping else size
    places = [n.end for n in walk(node)] + [node.start + 1, node.end]
    place = data.draw(st.sampled_from(places))
    right = (", " if size else "") + (f"{json.dumps(key)}: " if mapping else "") + json.dumps(value)
    put = data.draw(st.just(right) | st.lists(pieces, max_size=6).map("".join))
    edit, addition = Edit(place, place, put), Addition(container, node, at, [(key, value)])
    owned = {pointer((*container, key if mapping else str(size))): value}
    after, ranges = apply(text, [edit])
    try:
        prove_bytes(text, after, [edit], ranges)
        prove_members(text, root, after, [(edit, addition)], ranges, owned)
    except NotProven:
        return
    new = json.loads(after)
    held = _at(new, container)
    if mapping:
        assert held.pop(key) == value
    else:
        assert held.pop() == value
    assert json.dumps(new) == json.dumps(before)


def _paths(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _paths(item, (*path, str(key)))


def _at(value, path):
    for key in path:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value
