"""The proof itself: an edit that does more than it says must not pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.openapi import proof
from idempact.openapi.events import marks
from idempact.text.edit import Insertion, insert
from idempact.text.nodes import compose, plain
from idempact.text.span import Document


def _prove(before: str, *insertions: Insertion) -> str:
    after, ranges = insert(before, insertions)
    proof.prove_events(marks(Document("a", before)), marks(Document("a", after)), insertions, ranges)
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
    _prove(before, Insertion(offset, text))


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
        _prove(before, Insertion(offset, text))


def test_what_is_removed_or_replaced_fails():
    old, new = (marks(Document("a", text)) for text in ("a: 1\nb: 2\n", "a: 1\n"))
    with pytest.raises(proof.NotProven):
        proof.prove_events(old, new, (), ())
    with pytest.raises(proof.NotProven):
        proof.prove_events(new, old, (), ())
    with pytest.raises(proof.NotProven, match="elsewhere"):
        proof.prove_events(new, marks(Document("a", "a:  1\n")), (), ())


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
        _prove(old_text, Insertion(offset, "".join(text)))
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


def test_the_values_and_their_number_are_proven():
    before, after = "a: 1\n", "a: 1\nb: {c: [2]}\n"
    root = compose(Document("a", after)).value.root
    proof.prove_values(root, {"/b/c/0": 2, "/b": {"c": [2]}})
    for wrong in ({"/b/c/0": 3}, {"/b": {}}, {"/x": 1}):
        with pytest.raises(proof.NotProven):
            proof.prove_values(root, wrong)
    old, new = (marks(Document("a", text)) for text in (before, after))
    proof.prove_count(old, new, [("b", {"c": [2]})])
    with pytest.raises(proof.NotProven):
        proof.prove_count(old, new, [("b", {"c": []})])


def test_json_is_proven_by_bytes_and_by_value():
    right = {
        "before": '{"a": [1]}',
        "after": '{"a": [1, 2], "b": {"c": 3}}',
        "ranges": ((8, 11), (12, 27)),
        "owned": ["/a/1", "/b/c"],
        "created": ["/b"],
    }
    proof.prove_json(**right)
    for change in (
        {"ranges": ((8, 11),)},
        {"owned": ["/a/0", "/b/c"]},
        {"owned": ["/b/c"]},
        {"created": []},
        {"before": '{"a": [2]}'},
    ):
        with pytest.raises(proof.NotProven):
            proof.prove_json(**{**right, **change})


def test_a_removal_is_proven_by_value():
    before = Document("a", "a: [x, y]\nb: {c: 1}\n")
    proof.prove_removal(before, Document("a", "a: [y]\nb: {}\n"), ["/a/0", "/b/c"])
    with pytest.raises(proof.NotProven):
        proof.prove_removal(before, Document("a", "a: [x]\nb: {}\n"), ["/a/0", "/b/c"])
