"""What is not edited: refused with its place and a remedy, never guessed, never a traceback."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'
WHOLE = [
    ("swagger: '2.0'\npaths: {}\n", "openapi/old-version", 1, 10),
    ("openapi: 4.0.0\n", "openapi/other-format", 1, 10),
    ("openapi: 3.3.0\n", "openapi/other-format", 1, 10),
    ("asyncapi: 3.0.0\n", "openapi/other-format", 1, 1),
    ("- openapi\n", "openapi/other-format", 1, 1),
    ("", "openapi/other-format", 1, 1),
    (HEAD + "paths:\n  /a:\n    post: {}\n  /a:\n    post: {}\n", "text/duplicate-key", 6, 3),
    (HEAD + "paths:\n  /a:\n    post: {}\n    post: {}\n", "text/duplicate-key", 6, 5),
    (HEAD + "---\n" + HEAD, "text/several-documents", 3, 1),
    (HEAD + "paths:\n\t/a: {}\n", "text/yaml-syntax", 4, 1),
    ('{"openapi": "3.1.0", "paths": {"/a": {}, "/a": {}}}', "text/duplicate-key", 1, 42),
]


@pytest.mark.parametrize(("text", "rule", "line", "column"), WHOLE)
def test_files_that_are_refused_as_a_whole(text, rule, line, column, planner):
    for found in (inject(Document("api.yaml", text), planner()), eject(Document("api.yaml", text))):
        assert found.value is None
        (finding,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
        assert (finding.rule, finding.span.line, finding.span.column) == (rule, line, column)
        assert finding.hint or finding.related


CONTAINER, PATH = "openapi/indirect-container", "openapi/indirect-path"
OK = "'200': {description: ok}\n"
PARTS = [
    # an alias as the container, then an anchor that is used elsewhere
    (f"x-r: &r\n  {OK}paths:\n  /a:\n    post:\n      responses: *r\n", CONTAINER, 8, 18),
    (
        f"paths:\n  /a:\n    post:\n      responses: &r\n        {OK}  /b:\n    get: {{responses: *r}}\n",
        CONTAINER,
        6,
        18,
    ),
    # the whole operation, or a path item above it, under an anchor that is used elsewhere
    ("paths:\n  /a:\n    post: &o\n      tags: [a]\n  /b:\n    get: *o\n", CONTAINER, 5, 11),
    ("paths:\n  /a: &i\n    post:\n      tags: [a]\n  /b: *i\n", CONTAINER, 4, 7),
    # a key that comes through a merge, and one that may
    ("x-m: &m\n  parameters: []\npaths:\n  /a:\n    post:\n      <<: *m\n", CONTAINER, 8, 7),
    ("x-m: &m {a: b}\npaths:\n  /a:\n    post:\n      <<: [*m, {parameters: []}]\n", CONTAINER, 7, 7),
    # null containers, and one of another kind
    ("paths:\n  /a:\n    post:\n      parameters:\n", CONTAINER, 6, 18),
    ("paths:\n  /a:\n    post:\n      responses: ~\n", CONTAINER, 6, 18),
    ("paths:\n  /a:\n    post:\n      parameters: {}\n", CONTAINER, 6, 19),
    ("paths:\n  /a: {post: {tags: [a]}}\ncomponents:\n", CONTAINER, 5, 12),
    # what is added beside a reference is not read
    ("x-r: {}\npaths:\n  /a:\n    post:\n      responses: {$ref: '#/x-r'}\n", CONTAINER, 7, 18),
    (
        "x-h: {}\npaths:\n  /a:\n    post:\n      responses:\n        '200': {headers: {$ref: '#/x-h'}}\n",
        CONTAINER,
        8,
        26,
    ),
    ("paths:\n  /a: {post: {tags: [a]}}\ncomponents: {parameters: {$ref: 'p.yaml'}}\n", CONTAINER, 5, 26),
    # operations that are elsewhere
    ("paths:\n  /a:\n    $ref: other.yaml\n", PATH, 5, 11),
    ("paths:\n  /a:\n    $ref: '#/components/pathItems/a'\n", PATH, 5, 11),
    ("x-i: &i {post: {}}\npaths:\n  /a:\n    <<: *i\n", PATH, 6, 5),
]


@pytest.mark.parametrize(("text", "rule", "line", "column"), PARTS)
def test_parts_that_are_refused(text, rule, line, column, planner):
    found = inject(Document("api.yaml", HEAD + text), planner())
    assert found.value is not None, found.diagnostics
    refused = [d for d in found.diagnostics if d.rule == rule]
    assert (line, column) in {(d.span.line, d.span.column) for d in refused}
    assert all(d.severity is Severity.WARNING and d.hint for d in refused)
    assert eject(Document("api.yaml", found.value.after)).value.after == HEAD + text


def test_nothing_of_ours_stands_beside_a_reference(planner):
    """Reference Object: https://spec.openapis.org/oas/v3.1.1.html#reference-object; no extension goes there either."""
    refs = "{$ref: '#/x-h'}"
    text = HEAD + (
        "x-h: {}\npaths:\n  /a:\n    post:\n      responses:\n"
        f"        '200': {{description: ok, headers: {refs}}}\n        '409': {{$ref: '#/components/responses/R'}}\n"
        f"  /b:\n    post:\n      responses: {refs}\n"
        f"components: {{responses: {{R: {{description: r, headers: {refs},"
        f" content: {{application/problem+json: {{examples: {refs}}}}}}}}}}}\n"
    )

    def beside(value):
        if isinstance(value, dict):
            assert "$ref" not in value or len(value) == 1
            for item in value.values():
                beside(item)
        elif isinstance(value, list):
            for item in value:
                beside(item)

    for wishes in (Wishes(), Wishes(copy_shared=True, adopt=True)):
        found = inject(Document("api.yaml", text), planner(), wishes=wishes)
        api = plain(compose(Document("api.yaml", found.value.after)).value.root)
        api.pop("x-idempotency")
        beside(api)
        assert found.value.owned


def test_callbacks_and_webhooks_are_left_alone(planner):
    text = HEAD + (
        "paths:\n  /a:\n    get:\n      callbacks: {done: {/x: {post: {responses: {}}}}}\n"
        "webhooks:\n  done:\n    post: {responses: {}}\n"
    )
    assert inject(Document("api.yaml", text), planner()).value.after == text


def test_a_component_section_that_is_refused_leaves_no_dangling_reference(planner):
    text = HEAD + "paths:\n  /a:\n    post:\n      tags: [a]\ncomponents:\n  parameters:\n  responses: {}\n"
    found = inject(Document("api.yaml", text), planner())
    assert "openapi/indirect-container" in {d.rule for d in found.diagnostics}
    assert "#/components/parameters" not in found.value.after
    assert "#/components/responses/Idempotency400" in found.value.after


PIECES = [
    "openapi: 3.1.0",
    "paths:",
    "  /a:",
    "    post:",
    "      responses:",
    "        '200': {description: ok}",
    "x: &a",
    "y: *a",
    "      parameters: [",
    "]",
    "{",
    "}",
    "  - a",
    "components: *a",
    "? k",
    ": v",
    "<<: *a",
    "a: |",
    "'",
    "# c",
    "...",
    "x-idempotency: {generated_by: {tool: idempact, inserted: {/paths: a, '': b}, created: [/, x, /paths/a]}}",
]
LINES = st.lists(st.sampled_from([*PIECES, "\t"]), max_size=12)


@given(lines=LINES, newline=st.sampled_from(["\n", "\r\n", "\r"]), path=st.sampled_from(["a.yaml", "a.json"]))
def test_any_text_gives_findings_or_a_result(lines, newline, path, planner):
    text = newline.join(lines)
    for force in (False, True):
        found = inject(Document(path, text), planner(), force=force)
        assert (found.value is None) == any(d.severity is Severity.ERROR for d in found.diagnostics)
        gone = eject(Document(path, text), force=force)
        assert (gone.value is None) == any(d.severity is Severity.ERROR for d in gone.diagnostics)
        if found.value is not None and "x-idempotency" not in text:
            assert eject(Document(path, found.value.after)).value.after == text


@pytest.mark.parametrize("newline", ["\r", "\r\n"])
def test_other_line_breaks_are_kept(newline, planner):
    text = (HEAD + "paths:\n  /a:\n    post:\n      responses:\n        '200':\n          description: ok\n").replace(
        "\n", newline
    )
    found = inject(Document("api.yaml", text), planner())
    assert found.value is not None, found.diagnostics
    assert "\n" not in found.value.after.replace(newline, "")
    assert found.value.after.count(newline) > text.count(newline) + 20
    assert eject(Document("api.yaml", found.value.after)).value.after == text
