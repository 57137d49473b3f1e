"""A key that travels in the body: where its member goes, where it can't go, and what the file's own examples become."""

from __future__ import annotations

import jsonschema_rs
import pytest

from idempact.openapi.inject import inject
from idempact.openapi.overlay import overlay
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

CONTRACT = """\
idempact: 1
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {in: body, name: %s, required: true, length: {min: 4, max: 64}}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
operations:
  POST /**: keyed
"""
TOP, DEEP = CONTRACT % "request_id", CONTRACT % "/meta/request_id"
HEAD = 'openapi: %s\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post:\n'
COPY = Wishes(copy_shared=True)
# Shared things that the cases refer to.
COMPONENTS = """\
components:
  schemas:
    List: {type: array, items: {type: object}}
    Text: {type: string}
    Order: {type: object, properties: {amount: {type: integer}}, example: {amount: 1}}
    Wrapped: {type: object, properties: {meta: {type: object, properties: {a: {type: string}}}}}
    Chained: {type: object, properties: {meta: {$ref: '#/components/schemas/Order'}}}
  examples:
    Bare: {value: {amount: 1}}
x-schemas: {Far: {type: object}, FarList: {type: array, items: {}}}
"""


def _text(media, version="3.1.0", kind="application/json"):
    body = f"      requestBody: {{content: {{{kind}: {media}}}}}\n"
    return HEAD % version + body + "      responses: {'200': {description: ok}}\n" + COMPONENTS


def _told(diagnostics, rule):
    return [d for d in diagnostics if d.rule == f"openapi/{rule}"]


def _shown(text, finding):
    document = Document("api.yaml", text)
    start = document.offset(finding.span.line, finding.span.column)
    return text[start : document.offset(finding.span.end_line, finding.span.end_column)]


@pytest.mark.parametrize("wishes", [Wishes(), COPY], ids=["as it is", "copies"])
@pytest.mark.parametrize("contract", [TOP, DEEP], ids=["member", "member of a member"])
@pytest.mark.parametrize(
    "schema",
    [
        "{type: array, items: {type: object}}",
        "{type: [array, 'null'], items: {}}",
        "{type: string, format: binary}",
        "true",
        "{enum: [a, b]}",
        "{const: a}",
        "{allOf: [{type: array, items: {}}, {minItems: 1}]}",
        "{oneOf: [{type: string}, {$ref: '#/components/schemas/List'}]}",
        "{anyOf: [{type: integer}]}",
        "{$ref: '#/components/schemas/Text'}",
        "{$ref: '#/x-schemas/FarList'}",
    ],
)
def test_nothing_is_written_into_what_is_no_object(schema, contract, wishes, contracted, back_and_forth):
    text = _text(f"{{schema: {schema}}}")
    _, after, diagnostics = back_and_forth(text, contracted(contract), wishes=wishes)
    (finding,) = _told(diagnostics, "bodiless-operation")
    assert finding.severity is Severity.WARNING
    assert "no object" in finding.message
    assert after.startswith(text[: text.index("      responses:")])
    assert "request_id" not in after.partition("\nx-idempotency:")[0]
    assert "WithKey" not in after


def test_a_member_on_the_way_that_is_no_object_has_no_room(contracted, back_and_forth):
    text = _text("{schema: {type: object, properties: {meta: {type: string}}}}")
    _, _, diagnostics = back_and_forth(text, contracted(DEEP))
    (finding,) = _told(diagnostics, "bodiless-operation")
    assert _shown(text, finding) == "{type: string}"


@pytest.mark.parametrize(
    "schema",
    [
        "{}",
        "{type: object}",
        "{type: [object, 'null']}",
        "{properties: {a: {}}}",
        "{oneOf: [{type: array}, {type: object}]}",
        "{allOf: [{$ref: '#/components/schemas/Order'}]}",
        "{allOf: [{$ref: 'https://schemas.example/order'}]}",
    ],
)
def test_what_may_be_an_object_gets_the_member(schema, contracted, back_and_forth):
    api, _, diagnostics = back_and_forth(_text(f"{{schema: {schema}}}"), contracted(TOP))
    assert diagnostics == ()
    made = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert (made["properties"]["request_id"]["type"], made["required"]) == ("string", ["request_id"])


# Each shows a value without the key.
SHOWN = {
    "example": "{schema: {type: object}, example: {amount: 1}}",
    "examples": "{schema: {type: object}, examples: {mine: {value: {amount: 1}}}}",
    "one of them": "{schema: {type: object}, examples: {b: {value: {request_id: mine}}, a: {value: {amount: 1}}}}",
    "a shared example": "{schema: {type: object}, examples: {a: {$ref: '#/components/examples/Bare'}}}",
    "the schema's": "{schema: {type: object, example: {amount: 1}}}",
    "one of the schema's": "{schema: {type: object, examples: [{amount: 1}]}}",
    "a default": "{schema: {type: object, default: {amount: 1}}}",
}


@pytest.mark.parametrize("media", SHOWN.values(), ids=SHOWN)
def test_an_example_without_the_key_stays_valid_and_is_told(media, contracted, back_and_forth):
    text = _text(media)
    api, after, diagnostics = back_and_forth(text, contracted(TOP))
    (finding,) = _told(diagnostics, "keyless-example")
    assert (finding.severity, _shown(text, finding)) == (Severity.WARNING, "{amount: 1}")
    made = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema_rs.validate(made, {"amount": 1})
    assert "request_id" in made["properties"]
    # With the member in it, the member is required, and no key of ours stands anywhere.
    full = text.replace("{amount: 1}", "{amount: 1, request_id: mine}")
    api, after, diagnostics = back_and_forth(full, contracted(TOP))
    assert _told(diagnostics, "keyless-example") == []
    made = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert made["required"] == ["request_id"]
    assert after.count("example") >= full.count("example")


def test_several_examples_are_counted(contracted, back_and_forth):
    text = _text("{schema: {type: object}, examples: {a: {value: {n: 1}}, b: {value: {n: 2}}, c: {value: {n: 3}}}}")
    _, _, diagnostics = back_and_forth(text, contracted(TOP))
    (finding,) = _told(diagnostics, "keyless-example")
    assert "2 more" in finding.message
    assert _shown(text, finding) == "{n: 1}"


@pytest.mark.parametrize(
    ("value", "required"),
    [("{}", True), ("{meta: {}}", False), ("{meta: {request_id: mine}}", True), ("{meta: 3}", True), ("[1]", True)],
)
def test_only_what_is_newly_required_makes_an_example_invalid(value, required, contracted, back_and_forth):
    """`meta` is there and optional: a value without it stays valid, and one that was invalid before is not ours."""
    text = _text(f"{{schema: {{type: object, properties: {{meta: {{type: object}}}}}}, example: {value}}}")
    api, _, diagnostics = back_and_forth(text, contracted(DEEP))
    schema = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert ("required" in schema["properties"]["meta"]) == required
    assert len(_told(diagnostics, "keyless-example")) == (not required)


def test_a_name_that_is_required_already_is_not_listed_twice(contracted, back_and_forth):
    text = _text("{schema: {type: object, required: [request_id]}}")
    api, _, _ = back_and_forth(text, contracted(TOP))
    schema = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["request_id"]


BODY = "R: {required: true, content: {application/json: {schema: %s}, text/csv: {schema: {type: string}}}}"
SHARED = {
    "its own schema": ("{type: object, properties: {amount: {type: integer}}}", TOP, ("amount", "request_id")),
    "a shared schema": ("{$ref: '#/components/schemas/Wrapped'}", TOP, ("meta", "request_id")),
    "a member of a member": ("{type: object}", DEEP, ("meta",)),
    "inside what is there": ("{$ref: '#/components/schemas/Wrapped'}", DEEP, ("meta",)),
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("case", SHARED)
def test_a_shared_body_is_told_or_copied(case, version, contracted, back_and_forth, complaints):
    schema, contract, names = SHARED[case]
    text = HEAD % version + "      requestBody: {$ref: '#/components/requestBodies/R'}\n"
    text += "      responses: {'200': {description: ok}}\n" + COMPONENTS.replace(
        "  schemas:\n", f"  requestBodies:\n    {BODY % schema}\n  schemas:\n", 1
    )
    _, after, diagnostics = back_and_forth(text, contracted(contract))
    (finding,) = _told(diagnostics, "shared-body")
    assert "--copy-shared" in finding.hint
    assert "request_id" not in after.partition("\nx-idempotency:")[0]
    api, after, diagnostics = back_and_forth(text, contracted(contract), wishes=COPY)
    assert diagnostics == ()
    ref = api["paths"]["/a"]["post"]["requestBody"]["$ref"]
    copy = api["components"]["requestBodies"][ref.rpartition("/")[2]]
    assert (copy["required"], set(copy["content"])) == (True, {"application/json", "text/csv"})
    made = copy["content"]["application/json"]["schema"]
    if "$ref" in made:
        made = api["components"]["schemas"][made["$ref"].rpartition("/")[2]]
    assert tuple(made["properties"]) == names
    inner = made["properties"]["meta"] if contract == DEEP else made
    assert inner["required"] == ["request_id"]
    assert BODY % schema in after, "the shared one and its other users stay as they are"
    assert complaints("api.yaml", after) <= complaints("api.yaml", text)


@pytest.mark.parametrize("shared", [False, True])
def test_with_copies_wished_nobody_is_told_to_wish_them(shared, contracted, back_and_forth):
    """The way to the member leads through a second shared schema, which a copy of the first would still refer to."""
    schema = "{$ref: '#/components/schemas/Chained'}"
    text = _text(f"{{schema: {schema}}}")
    if shared:
        text = HEAD % "3.1.0" + "      requestBody: {$ref: '#/components/requestBodies/R'}\n" + COMPONENTS
        text = text.replace("  schemas:\n", f"  requestBodies:\n    {BODY % schema}\n  schemas:\n", 1)
    _, after, diagnostics = back_and_forth(text, contracted(DEEP), wishes=COPY)
    (finding,) = _told(diagnostics, "shared-body")
    assert "--copy-shared" not in finding.hint + finding.message
    assert "WithKey" not in after


@pytest.mark.parametrize("wishes", [Wishes(), COPY], ids=["as it is", "copies"])
@pytest.mark.parametrize(
    "text",
    [
        _text("{schema: {$ref: 'https://schemas.example/order'}}"),
        _text("{schema: {$ref: '#/components/schemas/Absent'}}"),
        _text("{schema: {type: object, properties: {meta: {$ref: 'gone.yaml'}}}}"),
        HEAD % "3.1.0" + "      requestBody: {$ref: '#/components/requestBodies/Absent'}\n",
    ],
)
def test_a_schema_that_cannot_be_read_is_told(text, wishes, contracted, back_and_forth):
    _, _, diagnostics = back_and_forth(text, contracted(DEEP), wishes=wishes)
    (finding,) = _told(diagnostics, "shared-body")
    assert "can't be read" in finding.message
    assert "--copy-shared" not in finding.hint
    assert "$ref" in _shown(text, finding)


def test_what_stands_anywhere_in_the_document_is_read(contracted):
    """A schema in a place that most runs leave out, for the file and for its overlay."""
    text = _text("{schema: {$ref: '#/x-schemas/Far'}}")
    found = inject(Document("api.yaml", text), contracted(TOP), wishes=COPY)
    assert "FarWithKey" in found.value.after
    made = overlay(Document("api.yaml", text), text.encode(), contracted(TOP), COPY)
    assert "FarWithKey" in str(made.value)
    assert _told(made.diagnostics, "shared-body") == []


KEY = "{type: string, minLength: 4, maxLength: 64}"
MINE = f"{{type: object, required: [request_id], properties: {{request_id: {KEY}}}}}"
OTHER = "{type: object, properties: {amount: {type: integer}}}"
PARTS = f"    Mine: {MINE}\n    Nested: {{allOf: [{{$ref: '#/components/schemas/Mine'}}, {OTHER}]}}\n"


def _with_parts(schema):
    return _text(f"{{schema: {schema}}}").replace("  examples:\n", PARTS + "  examples:\n", 1)


@pytest.mark.parametrize("wishes", [None, COPY])
@pytest.mark.parametrize(
    "schema",
    [
        f"{{allOf: [{OTHER}, {MINE}]}}",
        f"{{allOf: [{OTHER}, {{$ref: '#/components/schemas/Mine'}}]}}",
        f"{{allOf: [{{$ref: '#/components/schemas/Nested'}}, {OTHER}]}}",
        "{$ref: '#/components/schemas/Nested'}",
        f"{{oneOf: [{MINE}, {{$ref: '#/components/schemas/Nested'}}]}}",
        f"{{type: object, anyOf: [{MINE}, {MINE}]}}",
        f"{{allOf: [{{properties: {{request_id: {KEY}}}}}, {{required: [request_id]}}]}}",
        f"{{required: [request_id], allOf: [{{properties: {{request_id: {KEY}}}}}]}}",
    ],
)
def test_a_member_in_a_part_of_the_schema_is_the_key(schema, wishes, contracted, back_and_forth):
    text = _with_parts(schema)
    _, after, diagnostics = back_and_forth(text, contracted(TOP), wishes=wishes)
    assert diagnostics == ()
    assert text.partition("responses:")[0] in after, "nothing is to be added to the body"
    assert after.count("request_id:") == text.count("request_id:")


def test_what_a_part_says_otherwise_is_told_there(contracted, back_and_forth):
    schema = f"{{allOf: [{OTHER}, {{properties: {{request_id: {{type: string, maxLength: 9}}}}}}]}}"
    text = _with_parts(schema)
    _, after, diagnostics = back_and_forth(text, contracted(TOP))
    told = _told(diagnostics, "different-declaration")
    assert [_shown(after, one) for one in told] == ["{type: string, maxLength: 9}", "9"]
    assert "optional, and required by the contract" in told[0].message


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_a_member_of_some_alternatives_alone_is_told_and_not_doubled(keyword, contracted, back_and_forth):
    text = _with_parts(f"{{{keyword}: [{MINE}, {OTHER}]}}")
    _, after, diagnostics = back_and_forth(text, contracted(TOP))
    assert after.count("request_id:") == text.count("request_id:")
    assert any("only some of the alternatives" in one.message for one in diagnostics)


@pytest.mark.parametrize("wishes", [None, COPY])
@pytest.mark.parametrize("word", ["additionalProperties", "unevaluatedProperties"])
@pytest.mark.parametrize("keyword", ["allOf", "oneOf", "anyOf"])
def test_a_part_that_takes_no_other_member_is_told(keyword, word, wishes, contracted, back_and_forth):
    shut = f"{{type: object, properties: {{amount: {{type: integer}}}}, {word}: false}}"
    text = _with_parts(f"{{type: object, {keyword}: [{shut}]}}")
    _, after, diagnostics = back_and_forth(text, contracted(TOP), wishes=wishes)
    (told,) = _told(diagnostics, "bodiless-operation")
    assert _shown(after, told) == "false"
    assert after.count("request_id:") == text.count("request_id:")
    # Where the part knows the member, or takes any, there is room.
    for room in (shut.replace("amount:", "request_id:"), shut.replace("false", "{}")):
        _, _, diagnostics = back_and_forth(_with_parts(f"{{type: object, {keyword}: [{room}]}}"), contracted(TOP))
        assert not _told(diagnostics, "bodiless-operation")


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        ("{allOf: [{properties: {meta: {type: object}}}]}", None),
        ("{anyOf: [{properties: {meta: {type: object}}}, {type: object}]}", "shared-body"),
        ("{allOf: [{properties: {meta: {}}}, {properties: {meta: {}}}]}", "shared-body"),
    ],
)
def test_a_way_through_parts_is_gone_where_there_is_one(meta, said, contracted, back_and_forth):
    text = _with_parts(meta)
    _, after, diagnostics = back_and_forth(text, contracted(DEEP))
    assert [one.rule for one in diagnostics] == ([f"openapi/{said}"] if said else [])
    assert (after.count("request_id:") > text.count("request_id:")) is (said is None)
