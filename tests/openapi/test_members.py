"""A key that the file declares in the body while the contract carries it in a header: told at its place, no twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.openapi.audit import audit
from idempact.openapi.inject import eject, inject
from idempact.openapi.members import may_hold
from idempact.text.diagnostic import Checked, Severity
from idempact.text.nodes import decode
from idempact.text.span import Document

EVERY = (Path(__file__).parent / "contracts" / "every-write.yaml").read_text(encoding="utf-8")
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post:\n'
INLINE = "      requestBody: {content: {%s: {schema: {type: object, properties: {%s: {type: string}}}}}}\n"


def _told(text, plan, opener=None):
    """The places of the finding in an injection and in an audit, which must agree; and the text that was made."""
    document = Document("api.yaml", text)
    found, row = inject(document, plan, opener=opener), audit(document, plan, opener)
    assert found.value is not None, found.diagnostics
    assert row.value is not None, row.diagnostics
    told = [
        [d for d in diagnostics if d.rule == "openapi/different-declaration" and "in: body" in d.message]
        for diagnostics in (found.diagnostics, row.diagnostics)
    ]
    assert told[0] == told[1]
    declares = row.value.rows[0].declared
    return told[0], found.value.after, declares


def _shown(text, finding):
    line = text.splitlines()[finding.span.line - 1]
    return line[finding.span.column - 1 : finding.span.end_column - 1]


NAMES = [
    "idempotency_key",
    "idempotencyKey",
    "IdempotencyKey",
    "IDEMPOTENCY_KEY",
    "x-idempotency-key",
    "Idempotence-Key",
]


@pytest.mark.parametrize("name", [*NAMES, "idempotentKey", "'idempotency_key'", '"idempotency_key"'])
def test_a_member_is_the_key_in_any_spelling(name, planner):
    text = HEAD + INLINE % ("application/json", name)
    (finding,), after, declared = _told(text, planner())
    assert (finding.severity, finding.subject) == (Severity.WARNING, "POST /a")
    assert _shown(text, finding) == name
    assert name.strip("'\"") in finding.message
    assert "carries it in: header" in finding.message
    assert declared is True
    assert "components/parameters" not in after
    assert "x-idempotency:" in after, "all else is inserted"


@pytest.mark.parametrize("name", ["Order-Token", "orderToken", "order_token", "OrderToken", "X-Order-Token"])
def test_the_contracts_own_name_counts_too(name, contracted):
    plan = contracted(EVERY.replace("name: Idempotency-Key", "name: Order-Token", 1))
    text = HEAD + INLINE % ("application/json", name)
    assert [_shown(text, one) for one in _told(text, plan)[0]] == [name]


@pytest.mark.parametrize(
    ("media", "counts"),
    [
        ("application/json", True),
        ("application/vnd.orders+json", True),
        ("application/x-www-form-urlencoded", True),
        ("multipart/form-data", True),
        ("text/plain", False),
    ],
)
def test_a_form_counts_as_well(media, counts, planner):
    told, after, _ = _told(HEAD + INLINE % (media, "idempotency_key"), planner())
    assert bool(told) == counts
    assert ("#/components/parameters/IdempotencyKey" in after) != counts


MEMBER = "{type: object, properties: {idempotency_key: {type: string}}}"
BEHIND = {
    "a shared schema": ("{$ref: '#/components/schemas/Order'}", f"schemas: {{Order: {MEMBER}}}"),
    "a chain": (
        "{$ref: '#/components/schemas/First'}",
        f"schemas: {{First: {{$ref: '#/components/schemas/Order'}}, Order: {MEMBER}}}",
    ),
    "parts": (
        "{$ref: '#/components/schemas/Order'}",
        f"schemas: {{Order: {{allOf: [{{type: object}}, {{$ref: '#/components/schemas/Part'}}]}}, Part: {MEMBER}}}",
    ),
    "one of several": (f"{{oneOf: [{{type: object}}, {MEMBER}]}}", "schemas: {}"),
}


@pytest.mark.parametrize("case", BEHIND)
def test_it_is_found_behind_references_and_in_parts(case, planner):
    schema, components = BEHIND[case]
    body = f"      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}\n"
    text = f"{HEAD}{body}components:\n  {components}\n"
    (finding,), after, _ = _told(text, planner())
    assert _shown(text, finding) == "idempotency_key"
    assert "parameters" not in after
    shared = (
        text.replace(body, "      requestBody: {$ref: '#/components/requestBodies/R'}\n")
        + "  requestBodies:\n    R: "
        + body.partition(": ")[2]
    )
    (finding,), _, _ = _told(shared, planner())
    assert _shown(shared, finding) == "idempotency_key"


def test_a_shared_member_is_told_once(planner):
    one = "      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}\n"
    text = f"{HEAD}{one}  /b:\n    post:\n{one}components:\n  schemas:\n    Order: {MEMBER}\n"
    (finding,), after, _ = _told(text, planner())
    assert finding.subject == "POST /a"
    assert "parameters" not in after


@pytest.mark.parametrize("part", ["shared.yaml#/Order", "shared.yaml#/Chain"])
def test_it_is_found_in_another_file(part, planner):
    other = f"Order: {MEMBER}\nChain: {{$ref: '#/Order'}}\n"
    body = f"      requestBody: {{content: {{application/json: {{schema: {{$ref: '{part}'}}}}}}}}\n"
    (finding,), after, _ = _told(HEAD + body, planner(), lambda name: Checked(Document(name, other)))
    assert (finding.span.path, _shown(other, finding)) == ("shared.yaml", "idempotency_key")
    assert "components/parameters" not in after
    assert _told(HEAD + body, planner())[0] == [], "where nothing is followed, nothing is known"


@pytest.mark.parametrize(
    "schema",
    [
        "{properties: {order: {properties: {idempotency_key: {}}}}}",  # a member of a member is another thing's key
        "{properties: {note: {example: {idempotency_key: a}}}}",
        "{properties: {key: {}}, required: [idempotency_key]}",
        "{$ref: '#/components/schemas/Round'}",
        "{properties: {my_idempotency_key: {}, idempotency_keys: {}}}",
    ],
)
def test_nothing_else_is_a_member_of_that_name(schema, planner):
    round_ = "components:\n  schemas:\n    Round: {allOf: [{$ref: '#/components/schemas/Round'}]}\n"
    text = f"{HEAD}      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}\n{round_}"
    told, after, _ = _told(text, planner())
    assert told == []
    assert "#/components/parameters/IdempotencyKey" in after


def test_beside_the_contracts_own_carrier_it_is_a_second_one(planner):
    declared = "{name: Idempotency-Key, in: header, required: true, description: d, schema: {maxLength: 255}}"
    text = HEAD + f"      parameters: [{declared}]\n" + INLINE % ("application/json", "idempotency_key")
    assert _told(text, planner())[0] == []


def test_a_carrier_that_the_contract_names_is_none(contracted):
    also = "also: [{in: body, name: idempotency_key}]"
    plan = contracted(EVERY.replace("name: Idempotency-Key", f"name: Idempotency-Key, {also}", 1))
    told, after, _ = _told(HEAD + INLINE % ("application/json", "idempotency_key"), plan)
    assert told == []
    assert "#/components/parameters/IdempotencyKey" in after


def test_a_contract_that_changes_is_written_in_the_same_style(contracted):
    """What a run has put in may look like a member of a body: more is read then, and the same is written."""
    schema = "{properties: {a: {title: 'a', description: 'b'}}}"
    quoted = f"      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}\n"
    text = HEAD + quoted + '      operationId: "makeOne"\n'
    old, new = contracted("every-write.yaml"), contracted("changed.yaml")
    first = inject(Document("api.yaml", text), old).value.after
    updated, fresh = (inject(Document("api.yaml", one), new).value.after for one in (first, text))
    assert updated == fresh
    assert eject(Document("api.yaml", updated)).value.after == text


def test_a_real_file_with_keys_in_its_bodies(shared, contracted):
    text = decode("plaid.yml", (shared / "specs" / "plaid.yml").read_bytes()).value.text
    told, after, _ = _told(text, contracted("every-write.yaml"))
    assert len(told) > 10
    assert {_shown(text, one) for one in told} == {"idempotency_key"}
    assert "#/components/parameters/IdempotencyKey" in after, "operations without one get the header"


@settings(deadline=None)
@given(name=st.from_regex(r"[A-Za-z][a-z]{0,5}([-_][A-Za-z][a-z]{0,5}){0,3}", fullmatch=True), data=st.data())
def test_bodies_are_read_wherever_a_member_may_stand(name, data):
    """The look at the text never passes over a spelling that would count: in block and flow YAML and in JSON."""
    words = re.split("[-_]", re.sub("^[xX][-_]", "", name).lower())
    ways = ["_".join(words), "-".join(words), "".join(words), words[0] + "".join(w.capitalize() for w in words[1:])]
    written = data.draw(st.sampled_from([name, *ways]))
    quote = data.draw(st.sampled_from(["", "'", '"']))
    gap = data.draw(st.sampled_from(["", " "]))
    text = f"a: {{{quote}{written}{quote}{gap}: {{type: string}}}}"
    assert may_hold(text, [name], followed=False)
    assert not may_hold("0: {1: {2: 3}}", [name], followed=False)
