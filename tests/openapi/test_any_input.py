"""Whatever the bytes, there is an answer: a result that can be taken back, or findings; never an exception."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from idempact.openapi.audit import audit
from idempact.openapi.inject import eject, inject
from idempact.openapi.overlay import overlay
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Checked
from idempact.text.span import Document

MANY = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
TEXT = """\
openapi: 3.1.0
paths:
  /a:
    $ref: '#/components/pathItems/A'
  /b:
    parameters: [{$ref: '#/components/parameters/K'}]
    post: &p
      requestBody: {content: {application/json: {schema: {type: object}}}}
      parameters:
      - {name: Idempotency-Key, in: header, required: false, schema: {type: string, maxLength: 9}}
      responses:
        200: {$ref: '#/components/responses/R'}
        '409':
          description: |+
            closed

          content: {application/problem+json: {example: {}}}
  /c: {put: *p, x-idempotency: {}, additionalOperations: {COPY: {}}}
components:
  pathItems: {A: {post: {responses: {4XX: {description: no}}}}}
  parameters: {K: {name: k, in: query}}
  responses: {R: {$ref: '#/components/responses/S'}, S: {description: s, headers: {}}}
"""
RECORD = (
    "x-idempotency: {generated_by: {tool: idempact, inserted: {/paths: x, /a/b: 1}, created: [/x, 2],"
    " replaced: {/openapi: {was: '', now: ''}}}}\n"
)
PIECES = (
    *("$ref: '#/'", "null", "[]", "{}", "- ", ": ", "\n", "  ", "'", '"', "*p", "&p ", "<<: *p\n", "!!str ", "#", "~"),
    *("'#/paths/~1b/post'", "x-idempotency", "generated_by", "post:", "200", "\t", "|", ">", "\ufeff", "---\n", "\r"),
    *(
        "/components/parameters/K",
        "replaced:",
        "inserted:",
        "created:",
        "{$ref: 1}",
        "$ref: [a]",
        "in: ",
        "é😀",
        "\u2028",
    ),
)
edits = st.lists(
    st.tuples(st.integers(0, len(TEXT)), st.integers(0, 30), st.sampled_from(PIECES)), min_size=0, max_size=4
)


def _changed(text, changes):
    for at, length, piece in changes:
        text = text[:at] + piece + text[at + length :]
    return text


def _nothing(name):
    return Checked(Document(name, "post: {}\n"))


def _answers(path, text, planner):
    document, plan = Document(path, text), planner()
    for wishes in (Wishes(), Wishes(copy_shared=True, adopt=True)):
        for force in (False, True):
            found = inject(document, plan, wishes=wishes, force=force, opener=_nothing)
            assert found.value is not None or found.broken
            again = eject(document, force=force, opener=_nothing)
            assert again.value is not None or again.broken
    assert audit(document, plan, _nothing).value is not None or audit(document, plan).broken
    made = overlay(document, text.encode("utf-8", "replace"), plan, Wishes(True, True), _nothing)
    assert made.value is not None or made.broken


@MANY
@given(changes=edits, record=st.sampled_from(["", RECORD]))
@example(changes=[], record="")
def test_any_change_of_a_yaml_file(changes, record, planner):
    _answers("api.yaml", _changed(TEXT + record, changes), planner)


@MANY
@given(changes=edits, spread=st.booleans())
def test_any_change_of_a_json_file(changes, spread, planner):
    value = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": {"parameters": [{"$ref": "#/components/parameters/K"}], "responses": {"409": {}}}}},
        "components": {"parameters": {"K": {"name": "Idempotency-Key", "in": "header"}}},
        "x-idempotency": {"generated_by": {"tool": "idempact", "inserted": {"/paths/~1a/post/responses/409": "x"}}},
    }
    text = json.dumps(value, indent=2 if spread else None)
    _answers("api.json", _changed(text, [(at % len(text), n, piece) for at, n, piece in changes]), planner)


@MANY
@given(text=st.text(max_size=60))
def test_any_text(text, planner):
    _answers("api.yaml", text, planner)
    _answers("api.json", text, planner)


def test_the_text_that_is_changed_is_a_good_one(planner):
    """Else nothing of the above would reach the parts that it is about."""
    found = inject(Document("api.yaml", TEXT), planner(), force=True, opener=_nothing, wishes=Wishes(True, True))
    assert found.value is not None, found.diagnostics
    assert len(found.value.owned) > 10
    assert eject(Document("api.yaml", found.value.after)).value is not None
