"""An example goes only where the schema that is there takes it, however that schema is written."""

from __future__ import annotations

import socket

import pytest
from jsonschema import Draft202012Validator

from idempact.openapi.inject import inject
from idempact.openapi.locate import read
from idempact.openapi.plan import Wishes
from idempact.openapi.takes import schema_at
from idempact.text.diagnostic import Checked
from idempact.text.span import Document

HEAD = 'openapi: {version}\ninfo: {{title: t, version: "1"}}\npaths:\n'
PLACES = {
    "inline": """\
  /a:
    post:
      responses:
        '409': {{description: d, content: {{application/problem+json: {{schema: {schema}}}}}}}
components: {{schemas: {{Known: {known}}}}}
""",
    "shared": """\
  /a:
    post:
      responses:
        '409': {{$ref: '#/components/responses/Bad'}}
components:
  responses:
    Bad: {{description: d, content: {{application/problem+json: {{schema: {schema}}}}}}}
  schemas: {{Known: {known}}}
""",
}
# Schemas that refuse {"code": "key_reused_409"}, and ones that take it.
REFUSING = (
    "{type: object, required: [type]}",
    "{type: object, required: [code, title]}",
    "{type: array, items: {}}",
    "{type: object, properties: {code: {type: integer}}}",
    "{type: object, properties: {code: {const: closed}}}",
    "{type: object, properties: {code: {type: string, maxLength: 3}}}",
    "{type: object, properties: {code: {type: string, format: uuid}}}",
    "{type: object, properties: {title: {type: string}}, additionalProperties: false}",
    "{type: object, minProperties: 2}",
    "{allOf: [{type: object}, {required: [type]}]}",
    "{not: {required: [code]}}",
    "{type: nonsense}",
    "{pattern: '(', type: object}",
)
TAKING = (
    "{type: object}",
    "{}",
    "{type: object, required: [code], properties: {code: {type: string}}}",
    "{oneOf: [{required: [code]}, {required: [id]}]}",
    "{type: object, properties: {code: {type: string, enum: [closed]}}}",
    "{type: object, properties: {code: {type: string}, inner: {$ref: '#/components/schemas/Known'}}}",
)


def _text(place: str, schema: str, version: str = "3.1.0", by_reference: bool = False) -> str:
    known = schema if by_reference else "{type: object}"
    used = "{$ref: '#/components/schemas/Known'}" if by_reference else schema
    return (HEAD + PLACES[place]).format(version=version, schema=used, known=known)


def _media(api, place):
    response = api["paths"]["/a"]["post"]["responses"]["409"]
    if place == "shared":
        response = api["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return response, response["content"]["application/problem+json"]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("by_reference", [False, True])
@pytest.mark.parametrize("place", sorted(PLACES))
@pytest.mark.parametrize("schema", REFUSING)
def test_no_example_that_the_schema_refuses(schema, place, by_reference, version, planner, back_and_forth):
    text = _text(place, schema, version, by_reference)
    api, _, diagnostics = back_and_forth(text, planner(), wishes=Wishes(copy_shared=True))
    response, media = _media(api, place)
    assert "examples" not in media
    assert response["x-idempotency"] == {"codes": ["key_reused_409"]}
    told = [d for d in diagnostics if d.rule == "openapi/existing-response"]
    if place == "inline":
        assert ["its schema refuses the contract's body" in d.hint for d in told] == [True]


# A list of codes that others use stays as it is, and no schema is itself.
@pytest.mark.parametrize(
    ("schema", "by_reference"),
    [(one, by) for one in TAKING for by in (False, True) if not (by and ("enum" in one or "Known" in one))],
)
@pytest.mark.parametrize("place", sorted(PLACES))
def test_an_example_that_the_schema_takes(schema, place, by_reference, planner, back_and_forth):
    text = _text(place, schema, by_reference=by_reference)
    api, _, _ = back_and_forth(text, planner(), wishes=Wishes(copy_shared=True))
    _, media = _media(api, place)
    (example,) = media["examples"].values()
    assert example == {"value": {"code": "key_reused_409"}}
    whole = {"allOf": [media["schema"]], "components": api["components"]}
    assert Draft202012Validator(whole).is_valid(example["value"]), "by another validator than ours"


def test_what_the_outline_of_a_long_file_leaves_out_is_read_where_it_decides(planner):
    """The schemas of a file are not read at first: a refusing one and a taking one must both be found."""
    filler = "".join(f"    Filler{n}:\n      type: object\n      title: {'x' * 200}\n" for n in range(600))
    for required, wanted in (("type", False), ("code", True)):
        text = HEAD.format(version="3.0.3") + (
            "  /a:\n    post:\n      responses:\n        '409':\n          description: d\n          content:\n"
            "            application/problem+json:\n              schema:\n"
            "                $ref: '#/components/schemas/Problem'\n"
            f"components:\n  schemas:\n{filler}    Problem:\n      type: object\n      required:\n      - {required}\n"
        )
        found = inject(Document("api.yaml", text), planner())
        assert found.value is not None, found.diagnostics
        assert ("key_reused_409" in found.value.after.partition("components:")[0].partition("examples:")[2]) is wanted


@pytest.mark.parametrize(
    "ref",
    ["https://problems.example/problem.yaml#/Problem", "#/components/schemas/Absent", "#anchor", "absent.yaml#/P"],
)
def test_no_example_where_the_schema_cannot_be_read(ref, planner, back_and_forth):
    api, _, _ = back_and_forth(_text("inline", f"{{$ref: '{ref}'}}"), planner())
    assert "examples" not in _media(api, "inline")[1]


def test_a_schema_of_another_file_decides(planner):
    text = _text("inline", "{$ref: 'schemas.yaml#/Problem'}")
    for required, wanted in (("type", 0), ("code", 1)):
        other = f"Problem: {{allOf: [{{$ref: '#/Base'}}]}}\nBase: {{required: [{required}]}}\n"
        opened = {"schemas.yaml": Checked(Document("schemas.yaml", other))}
        found = inject(Document("api.yaml", text), planner(), opener=opened.__getitem__)
        assert found.value is not None, found.diagnostics
        assert found.value.after.partition("components:")[0].count("examples:") == wanted


def _schema(schema: str, version: str = "3.1.0", known: str = "{}"):
    text = HEAD.format(version=version) + f"  {{}}\ncomponents: {{schemas: {{S: {schema}, Known: {known}}}}}\n"
    api = read(Document("api.yaml", text), None, lambda path: True).value
    assert api is not None
    found = schema_at(api, api.main, api.main.at(("components", "schemas", "S")))
    assert found is not None
    return found


def test_a_schema_that_holds_itself_is_read():
    found = _schema("{properties: {next: {$ref: '#/components/schemas/S'}}, required: [code]}")
    assert found.takes({"code": 1, "next": {"code": 2}})
    assert not found.takes({"code": 1, "next": {}})


def test_a_long_chain_of_references_is_read():
    links = ", ".join(f"L{n}: {{$ref: '#/components/schemas/L{n + 1}'}}" for n in range(3000))
    text = HEAD.format(version="3.1.0") + f"  {{}}\ncomponents: {{schemas: {{{links}, L3000: {{type: string}}}}}}\n"
    api = read(Document("api.yaml", text), None, lambda path: True).value
    found = schema_at(api, api.main, api.main.at(("components", "schemas", "L0")))
    assert len(found.defs) == 3000


def test_words_of_openapi_30_mean_what_they_mean_there():
    assert _schema("{type: string, nullable: true}", "3.0.3").takes(None)
    assert not _schema("{type: string, nullable: false}", "3.0.3").takes(None)
    assert not _schema("{type: integer, minimum: 3, exclusiveMinimum: true}", "3.0.3").takes(3)
    assert _schema("{type: integer, maximum: 3, exclusiveMaximum: false}", "3.0.3").takes(3)
    # A member may be called like one of these words, or like a reference.
    assert not _schema("{properties: {nullable: {type: integer}, $ref: {type: integer}}}", "3.0.3").takes(
        {"nullable": "x"}
    )
    # Beside a reference nothing counts in 3.0, and everything does from 3.1 on.
    beside = "{$ref: '#/components/schemas/Known', required: [a]}"
    assert _schema(beside, "3.0.3").takes({})
    assert not _schema(beside, "3.1.0").takes({})


def test_nothing_is_fetched():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        there = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        for schema in (f"{{$dynamicRef: '{there}'}}", f"{{$id: '{there}', $dynamicRef: 'y'}}"):
            assert not _schema(schema).takes({})
        _schema(f"{{$schema: '{there}'}}").takes({})
        with pytest.raises(BlockingIOError):
            server.accept()
