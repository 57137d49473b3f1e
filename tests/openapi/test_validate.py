"""The validation of results: it must find what is wrong, and it must read YAML as YAML 1.2."""

from __future__ import annotations

import pytest

from idempact.openapi.locate import read
from idempact.openapi.validate import full, quick, value
from idempact.openapi.wants import Gathered
from idempact.text.nodes import compose
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'


@pytest.mark.parametrize(
    ("text", "owned", "message"),
    [
        ("{}", {"/paths/~1a/post/parameters/0": {"$ref": "#/components/parameters/K"}}, "nothing stands"),
        ("{}", {"/paths/~1a/post/x": {"deep": [{"$ref": "#/components/responses/R"}]}}, "nothing stands"),
        (
            "{parameters: [{name: K, in: header}]}",
            {"/paths/~1a/post/parameters/1": {"name": "k", "in": "header"}},
            "twice",
        ),
        (
            "{parameters: [{$ref: '#/components/parameters/P'}]}",
            {
                "/paths/~1a/post/parameters/1": {"$ref": "#/components/parameters/K"},
                "/components/parameters/K": {"name": "q", "in": "query"},
            },
            "twice",
        ),
        ("{}", {"/components/headers/a b": {}}, "can't be"),
    ],
)
def test_quick_finds_what_an_insertion_may_break(text, owned, message):
    text = HEAD + f"paths:\n  /a:\n    post: {text}\ncomponents: {{parameters: {{P: {{name: q, in: query}}}}}}\n"
    api = read(Document("api.yaml", text)).value
    (finding,) = quick(api, {"": Gathered(owned=owned)})
    assert message in finding.message
    assert finding.span is not None
    assert quick(api, {"": Gathered()}) == ()


def test_quick_is_content_with_what_is_right():
    api = read(Document("api.yaml", HEAD + "paths: {/a: {post: {parameters: [{name: q, in: header}]}}}\n")).value
    right = {
        "/paths/~1a/post/parameters/1": {"$ref": "#/components/parameters/K"},
        "/components/parameters/K": {"name": "q", "in": "query", "schema": {"$ref": "#/paths/~1a"}},
    }
    assert quick(api, {"": Gathered(owned=right)}) == ()


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
