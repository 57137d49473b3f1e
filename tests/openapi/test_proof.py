"""The proof itself: an edit that does more than it says must not pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.openapi import proof
from idempact.openapi.edits import Edit, apply
from idempact.text.nodes import compose, plain
from idempact.text.span import Document
from idempact.text.yaml_nodes import marks


def _marks(text: str) -> tuple:
    return tuple(marks(Document("a", text)))


def _prove(before: str, *edits: Edit) -> str:
    after, ranges = apply(before, edits)
    proof.prove_events(_marks(before), _marks(after), edits, ranges)
    return after


GOOD = [
    ("a: 1\nb: 2\n", 5, "c: 3\n"),
    ("a: 1\nb: 2\n", 0, "c: 3\n"),
    ("a:\n- x\nb: 2\n", 7, "- {y: z}\n"),
    ("a: [1, 2]\n", 8, ", 3"),
    ("a: {}\n", 4, "b: c"),
    ("a: |+\n  x\n\nb: 2\n", 11, "c: 3\n"),
]


@pytest.mark.parametrize(("before", "offset", "text"), GOOD)
def test_additions_pass(before, offset, text):
    _prove(before, Edit(offset, offset, text))


BAD = [
    ("a: 1\n", 4, "2"),  # another value
    ("a: 1\n", 3, "x"),
    ("a: 1\nb: 2\n", 5, "# "),  # a comment that swallows
    ("a: 1\nb: 2\n", 5, "c:\n "),  # what was there becomes a part of what is inserted
    ("a: x\nb: 2\n", 4, "\n  y"),  # a text that goes on
    ("a: |\n  x", 8, "\nb: 2"),  # a block text that gains a line break
    ("a: |+\n  x\n\nb: 2\n", 10, "c: 3\n"),  # a block text that loses a blank line
    ("a: 1\nb: 2\n", 3, "&n "),  # an anchor
    ("a: 1\nb: 2\n", 3, "!!str "),  # a tag
    ("a: 'x'\n", 4, "y"),
    ("a:\nb: 2\n", 3, "  k: v\n"),  # nothing becomes something
    ("a: 1\n", 5, "---\nb: 2\n"),  # a second document
    ("a:\n  b: 1\nc: 2\n", 3, "  k:\n  "),  # an entry moves below another
]


@pytest.mark.parametrize(("before", "offset", "text"), BAD)
def test_anything_else_fails(before, offset, text):
    with pytest.raises(proof.NotProven):
        _prove(before, Edit(offset, offset, text))


def test_what_is_removed_or_replaced_fails():
    old, new = (_marks(text) for text in ("a: 1\nb: 2\n", "a: 1\n"))
    with pytest.raises(proof.NotProven):
        proof.prove_events(old, new, (), ())
    with pytest.raises(proof.NotProven):
        proof.prove_events(new, old, (), ())
    with pytest.raises(proof.NotProven, match="elsewhere"):
        proof.prove_events(new, _marks("a:  1\n"), (), ())


pieces = st.sampled_from(
    ["a: 1\n", "b:\n", "  c: 2\n", "- x\n", "{", "}", ", ", "# c\n", " ", "\n", "'", "|\n", "  t\n", "&n ", "*n"]
)


@given(before=st.lists(pieces, max_size=6), text=st.lists(pieces, min_size=1, max_size=3), data=st.data())
def test_any_insertion_that_passes_only_adds(before, text, data):
    """Whatever passes: the old value is the new one with entries and items left out."""
    old_text = "".join(before)
    document = Document("a", old_text)
    old = compose(document).value
    offset = data.draw(st.integers(0, len(old_text)))
    after = old_text[:offset] + "".join(text) + old_text[offset:]
    new = compose(Document("a", after)).value
    if old is None or new is None or old.root is None or old.aliased or new.aliased:
        return
    try:
        _prove(old_text, Edit(offset, offset, "".join(text)))
    except proof.NotProven:
        return
    assert _within(plain(old.root), plain(new.root))


def _within(old: object, new: object) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and _within(value, new[key]) for key, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        rest = iter(new)
        return all(any(_within(item, other) for other in rest) for item in old)
    return bool(old == new)


MEANT = {"c": [2, "no", {"d": None}], "e": {}, "f": True}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("b: {c: [2, 'no', {d: null}], e: {}, f: true}\n", True),
        ("b:\n  c:\n  - 2\n  - 'no'\n  - d:\n  e: {}\n  f: true\n", True),
        ("b: {c: ['2', 'no', {d: null}], e: {}, f: true}\n", False),
        ("b: {c: [2, 'no', {d: null}], e: {}, f: 1}\n", False),
        ("b: {c: [2, 'no', {d: null}], f: true, e: {}}\n", False),
        ("b: {c: [2, 'no', {d: null}], e: {}}\n", False),
        ("b: {c: [2, 'no', {d: null}], e: {}, f: true, g: 1}\n", False),
        ("b: {c: [2, 'no', {d: null}], e: [], f: true}\n", False),
        ("b: {c: [2, 'no', {d: null}], e: {}, f: !!bool true}\n", False),
        ("b: &x {c: [2, 'no', {d: null}], e: {}, f: true}\n", False),
        ("x: {c: [2, 'no', {d: null}], e: {}, f: true}\n", False),
    ],
)
def test_what_is_inserted_reads_as_it_was_meant(text, right):
    edit = Edit(5, 5, text)
    after, ranges = apply("a: 1\n", [edit])
    tokens = proof.tokens([("b", MEANT)])
    if right:
        proof.prove_events(_marks("a: 1\n"), _marks(after), [edit], ranges, tokens)
    else:
        with pytest.raises(proof.NotProven):
            proof.prove_events(_marks("a: 1\n"), _marks(after), [edit], ranges, tokens)


def test_what_is_replaced_reads_as_it_was_meant():
    edit = Edit(3, 4, "'2'")
    after, ranges = apply("a: 1\n", [edit])
    proof.prove_events(_marks("a: 1\n"), _marks(after), [edit], ranges, (), {3: "2"})
    for wrong in (2, "3", None):
        with pytest.raises(proof.NotProven):
            proof.prove_events(_marks("a: 1\n"), _marks(after), [edit], ranges, (), {3: wrong})


def test_a_replaced_scalar_is_the_only_one_that_may_read_differently():
    before, edit = "a: {b: 1, c: 2}\nd: 3\n", Edit(7, 8, "1000")
    after, ranges = apply(before, [edit])
    proof.prove_events(_marks(before), _marks(after), [edit], ranges)
    for wrong in ("a: {b: 1000, c: 9}\nd: 3\n", "a: {b: 1000, c: 2}\nd: 4\n", "a: {b: [1], c: 2}\nd: 3\n"):
        with pytest.raises(proof.NotProven):
            proof.prove_events(_marks(before), _marks(wrong), [edit], ranges)


def _prove_json(before: str, after: str, edits: tuple[Edit, ...]) -> None:
    old, new = Document("a.json", before), Document("a.json", after)
    ranges = apply(before, edits)[1]
    proof.prove_json(old, compose(old).value.root, new, compose(new).value.root, edits, ranges)


def test_json_is_proven_node_by_node():
    before, after = '{"a": [1], "c": "x"}', '{"a": [1, 2], "c": "yy", "b": {"c": 3}}'
    edits = (Edit(8, 8, ", 2"), Edit(16, 19, '"yy"'), Edit(19, 19, ', "b": {"c": 3}'))
    assert apply(before, edits)[0] == after
    _prove_json(before, after, edits)
    for wrong in (
        '{"a": [0, 2], "c": "yy", "b": {"c": 3}}',  # another item
        '{"a": [1, 2], "d": "yy", "b": {"c": 3}}',  # another key
        '{"a": {"1":2}, "c": "y", "b": {"c": 3}}',  # another kind
        '{"a": [1, 2], "c": [8], "b": {"c": 33}}',  # another kind of what is replaced
    ):
        with pytest.raises(proof.NotProven):
            _prove_json(before, wrong, edits)
    with pytest.raises(proof.NotProven):
        _prove_json(before, after, edits[1:])


def test_a_removal_is_proven_by_value():
    before = Document("a", "a: [x, y]\nb: {c: 1}\nd: 2\n")
    right = Document("a", "a: [y]\nb: {}\nd: 3\n")
    proof.prove_removal(before, right, ["/a/0", "/b/c"], {"/d": 3})
    for gone, restored in ((["/a/1", "/b/c"], {"/d": 3}), (["/a/0", "/b/c"], {}), (["/a/0"], {"/d": 3})):
        with pytest.raises(proof.NotProven):
            proof.prove_removal(before, right, gone, restored)
