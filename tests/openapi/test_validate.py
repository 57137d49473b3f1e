"""The validation of results: it must find what is wrong, and it must read YAML as YAML 1.2."""

from __future__ import annotations

import pytest

from idempact.openapi.inject import inject
from idempact.openapi.locate import read
from idempact.openapi.plan import Wishes
from idempact.openapi.validate import compared, full, quick, value
from idempact.openapi.wants import Gathered
from idempact.text.nodes import compose, decode
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


FAULTS = {
    "an answer that is changed in place": (
        "'200': {content: [], description: ok}",
        "'200': {content: [], description: ok, headers: {A: {schema: {}}}}",
    ),
    "a parameter beside a wrong one": ("'200': {description: 1}", "'200': {description: 1, headers: {}}"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_that_was_there_is_not_new_because_something_is_added_to_it(case):
    head = 'openapi: 3.0.3\ninfo: {title: t, version: "1"}\npaths: {/a: {post: {responses: {%s}}}}\n'
    old, new = (Document("a.yaml", head % answer) for answer in FAULTS[case])
    known, found = compared(old, new)
    assert (known, found) == (1, ())
    other = Document("a.yaml", head.replace("/a", "/b") % FAULTS[case][1])
    assert len(compared(old, other)[1]) == 1, "the same fault at another place is one"


@pytest.mark.parametrize("name", ["lob-bundled.yml", "codat-sync-payables.yaml"])
def test_full_validation_of_a_file_with_faults_of_its_own(name, shared, contracted):
    """A user with such a file gets a result, with copies as well."""
    document = decode(name, (shared / "specs" / name).read_bytes()).value
    for wishes in (Wishes(), Wishes(copy_shared=True, adopt=True)):
        found = inject(document, contracted("every-write.yaml"), wishes=wishes).value
        assert full(document, Document(name, found.after)) == ()


def test_values_are_read_as_yaml_1_2():
    text = "a: &a {x: no, y: 010, z: 2024-04-31, w: 1}\nb: {<<: *a, x: mine}\nc: {<<: [{w: 2}, *a]}\n"
    found = value(compose(Document("a.yaml", text)).value.root)
    base = {"x": "no", "y": 10, "z": "2024-04-31", "w": 1}
    assert found == {"a": base, "b": {**base, "x": "mine"}, "c": {**base, "w": 2}}
