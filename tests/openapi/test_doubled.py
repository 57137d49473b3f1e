"""A key that stands twice is refused wherever it stands, also in a stretch that no injection reads."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.openapi import outline as outlines
from idempact.openapi.doubled import may_double
from idempact.openapi.inject import eject, inject
from idempact.openapi.locate import keep
from idempact.openapi.outline import outline
from idempact.text.nodes import compose
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post: {}\ncomponents:\n  schemas:\n'
PADDING = "    Pad:\n" + "".join(f"      text{n}: words that nobody reads\n" for n in range(9))


@pytest.fixture
def always(monkeypatch):
    """Outlines of short files, too."""
    monkeypatch.setattr(outlines, "LEAST", 0)


TWICE = [
    "    A:\n      b: 1\n      c: 2\n      b: 3\n",
    "    A:\n      b:\n        x: 1\n      c: {}\n      'b':\n        x: 2\n",
    "    A:\n      - b: 1\n        c: 2\n        b: 3\n",
    "    A:\n    - b: 1\n      c: 2\n      b: 3\n",
    "    A:\n      - - b: 1\n          b: 2\n",
    "    A: {b: 1, b: 2}\n",
    "    A:\n      x: {c: {b: 1, 'b': 2}, d: 3}\n",
    '    A:\n      "b": |\n        b: 1\n      b: 2\n',
    "    A:\n      b: 1\n    B: {}\n    A:\n      c: 1\n",
    "    A:\n      $ref: '#/a'\n      $ref: '#/b'\n",
    "    A:\n      b: 1\n\n      # between\n\n      b: 2\n",
    "    A:\n      200: {}\n      200: {}\n",
]


@pytest.mark.parametrize("part", TWICE)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_in_yaml(part, newline, always, planner):
    text = (HEAD + PADDING + part + "x: 1\n").replace("\n", newline)
    assert outline(Document("api.yaml", HEAD + PADDING + "x: 1\n"), keep) is not None
    slow = compose(Document("api.yaml", text))
    for found in (inject(Document("api.yaml", text), planner()), eject(Document("api.yaml", text))):
        assert found.value is None
        assert [d for d in found.diagnostics if d.rule == "text/duplicate-key"] == list(slow.diagnostics)
        assert slow.diagnostics[0].related


ONCE = [
    "    A:\n      b:\n        c: 1\n      d:\n        c: 1\n",
    "    A:\n      - b: 1\n        c: 2\n      - b: 1\n        c: 2\n",
    "    A:\n    - b: 1\n    - b: 1\n    c-d: 1\n".replace("    c-d: 1\n", ""),
    "    A:\n      - - b: 1\n      - - b: 1\n        - b: 1\n",
    "    A:\n      b: {c: 1}\n      d: {c: 1, e: {c: 1}}\n",
    "    A:\n      b: |\n        c: 1\n        c: 1\n      d: >-\n        c: 1\n        c: 1\n",
    "    A:\n      b: 1\n      b:c: 1\n      b c: 1\n      'b d': 1\n",
    "    A:\n      b: 'x {c: 1} y'\n      e: https://orders.example\n      f: https://orders.example\n",
    "    A:\n      # b: 1\n      # b: 1\n      b: 1\n",
]


@pytest.mark.parametrize("part", ONCE)
def test_what_is_different_keeps_its_outline(part, always):
    assert not may_double(part)
    assert outline(Document("api.yaml", HEAD + PADDING + part), keep).sound()


names = st.sampled_from(["a", "b", "c d", "e-f", "200", "$ref", "'q'", '"r"', "x/y"])
values = st.recursive(
    st.sampled_from(["1", "text", "'it''s'", "{a: 1, b: [2]}", "[]"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.lists(st.tuples(names, inner), min_size=1, max_size=4)
    ),
    max_leaves=12,
)


def _lines(value, column, step, dash):
    """The lines of a value in block style: pairs are entries, perhaps with one key twice."""
    for item in value:
        lead = "- " if not isinstance(item, tuple) else f"{item[0]}: "
        inner = item if not isinstance(item, tuple) else item[1]
        pad = " " * column
        if isinstance(inner, str):
            yield pad + lead + inner
        elif lead == "- ":
            first, *rest = _lines(inner, column + 2, step, dash)
            yield pad + "- " + first.lstrip(" ")
            yield from rest
        else:
            yield pad + lead.rstrip()
            below = column + (step if isinstance(inner[0], tuple) else dash)
            yield from _lines(inner, below, step, dash)


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(value=values.filter(lambda v: isinstance(v, list)), step=st.integers(1, 4), data=st.data())
def test_any_stretch_with_a_key_twice_is_suspected_and_no_other(value, step, data):
    dash = data.draw(st.integers(0, step))
    text = "\n".join(_lines(value, 6, step, dash)) + "\n"
    found = compose(Document("a.yaml", f"A:\n{text}"))
    twice = any(d.rule == "text/duplicate-key" for d in found.diagnostics)
    assert twice or found.value is not None, found.diagnostics
    assert may_double(text) == twice


@pytest.mark.parametrize("place", ["schemas", "paths", "info"])
@pytest.mark.parametrize("nested", ['{"b": 1, "c": {}, "b": 2}', '[{"x": {"\\u0062": 1, "b": 2}}]'])
def test_in_json(place, nested, planner):
    value = {
        "openapi": "3.1.0",
        "info": {},
        "paths": {"/a": {"post": {"requestBody": {}}}},
        "components": {"schemas": {}},
    }
    holder = {"schemas": value["components"], "paths": value["paths"]["/a"]["post"], "info": value}[place]
    key = {"schemas": "schemas", "paths": "requestBody", "info": "info"}[place]
    holder[key] = {"inner": "HERE"}
    text = json.dumps(value, indent=2).replace('"HERE"', nested)
    slow = compose(Document("api.json", text))
    for found in (inject(Document("api.json", text), planner()), eject(Document("api.json", text))):
        assert found.value is None
        assert list(found.diagnostics) == list(slow.diagnostics)
        assert [d.rule for d in found.diagnostics] == ["text/duplicate-key"]
