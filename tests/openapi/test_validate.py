"""The validation of results: it must find what is wrong, and it must read YAML as YAML 1.2."""

from __future__ import annotations

import pytest

from idempact.openapi.validate import full, quick, value
from idempact.text.nodes import compose
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'


@pytest.mark.parametrize(
    ("text", "owned", "message"),
    [
        (
            "paths: {/a: {post: {parameters: [{$ref: '#/components/parameters/K'}]}}}\n",
            "/paths/~1a/post/parameters/0",
            "nothing",
        ),
        (
            "paths: {/a: {post: {parameters: [{name: K, in: header}, {name: k, in: header}]}}}\n",
            "/paths/~1a/post/parameters/1",
            "twice",
        ),
        ("components: {headers: {a b: {}}}\n", "/components/headers/a b", "can't be"),
    ],
)
def test_quick_finds_what_an_insertion_may_break(text, owned, message):
    (finding,) = quick(Document("api.yaml", HEAD + text), [owned])
    assert message in finding.message
    assert finding.span is not None
    assert finding.span.line == 3
    assert quick(Document("api.yaml", HEAD + text), []) == ()


def test_full_finds_only_what_is_new():
    old = HEAD + "paths: {/a: {post: {responses: {200: {}}}}}\n"
    new = HEAD + "paths: {/a: {post: {responses: {200: {}}, parameters: [{in: header}]}}}\n"
    assert full(Document("a.yaml", old), Document("a.yaml", old)) == ()
    assert full(Document("a.yaml", old), Document("a.yaml", new)) != ()


def test_values_are_read_as_yaml_1_2():
    text = "a: &a {x: no, y: 010, z: 2024-04-31, w: 1}\nb: {<<: *a, x: mine}\nc: {<<: [{w: 2}, *a]}\n"
    found = value(compose(Document("a.yaml", text)).value.root)
    base = {"x": "no", "y": 10, "z": "2024-04-31", "w": 1}
    assert found == {"a": base, "b": {**base, "x": "mine"}, "c": {**base, "w": 2}}
