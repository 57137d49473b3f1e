"""What would bring an extension into line that says otherwise than the contract: values, or nothing."""

from __future__ import annotations

import pytest

from idempact.openapi.outdated import changes, formed
from idempact.openapi.wants import APPEND
from idempact.text.nodes import compose, plain
from idempact.text.span import Document


def _node(text):
    return compose(Document("x.yaml", f"x: {text}\n")).value.root.get("x")


@pytest.mark.parametrize(
    ("there", "wanted", "needed"),
    [
        ("{safety: keyed, profile: 1}", {"safety": "keyed", "profile": 1}, ()),
        ("{safety: keyed, profile: 2}", {"safety": "keyed", "profile": 1}, ((("profile",), 1, True),)),
        ("{safety: keyed}", {"safety": "keyed", "profile": 1}, ((("profile",), 1, False),)),
        ("{a: {b: 1, c: 2}}", {"a": {"b": 1, "c": 3}}, ((("a", "c"), 3, True),)),
        ("{codes: [a]}", {"codes": ["a", "b"]}, ((("codes", APPEND), "b", False),)),
        ("{codes: [a, b]}", {"codes": ["a"]}, None),
        ("{codes: [b]}", {"codes": ["a"]}, None),
        ("{safety: keyed, more: 1}", {"safety": "keyed"}, None),
        ("{because: [x]}", {"because": "x"}, None),
        ("{because: x}", {"because": ["x"]}, None),
        ("&x {safety: keyed}", {"safety": "unsafe"}, None),
        ("{because: &x old}", {"because": "new"}, None),
        ("{because: }", {"because": "new"}, None),
        ("\n  because: |\n    old", {"because": "new"}, None),
        ("\n  because: >-\n    old", {"because": "new"}, None),
        ("\n  because: |\n    same", {"because": "same\n"}, ()),
        ("\n  because: 'old'", {"because": "new"}, ((("because",), "new", True),)),
    ],
)
def test_only_values_are_written(there, wanted, needed):
    assert changes(_node(there), wanted) == needed


def test_what_is_needed_makes_the_one_the_other():
    node, wanted = _node("{a: {b: 1}, c: [x], d: y}"), {"a": {"b": 2, "e": {"f": 3}}, "c": ["x", "z"], "d": "w"}
    made = plain(node)
    for path, value, _ in changes(node, wanted):
        at = made
        for key in path[:-1]:
            at = at[key]
        if path[-1] == APPEND:
            at.append(value)
        else:
            at[path[-1]] = value
    assert made == wanted


@pytest.mark.parametrize(
    ("there", "value", "is_formed"),
    [
        ("{safety: keyed}", {"safety": "unsafe"}, True),
        ("{codes: [a]}", {"codes": ["b"]}, True),
        ("{codes: [a]}", {"safety": "keyed"}, False),
        ("{mine: 1}", {"safety": "keyed"}, False),
        ("[safety]", {"safety": "keyed"}, False),
        ("safety", {"safety": "keyed"}, False),
        ("{safety: keyed}", None, False),
    ],
)
def test_the_form_is_told_by_what_an_extension_says(there, value, is_formed):
    assert formed(_node(there), value) is is_formed
