"""A declared key's schema beside the contract's: each keyword that is stricter or looser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from idempact.openapi.accepted import otherwise
from idempact.openapi.audit import audit
from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.emit import emit
from idempact.text.nodes import Mapping, compose
from idempact.text.span import Document

CONTRACT = """\
idempact: 1
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {name: Idempotency-Key, required: true, length: {min: 16, max: 64}, format: url-safe}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
operations: {POST /**: keyed}
"""
PATTERN = "^[A-Za-z0-9_.~-]+$"
WANTED = {"type": "string", "minLength": 16, "maxLength": 64, "pattern": PATTERN}
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post:\n      parameters:\n'
KEY = "        - {{name: Idempotency-Key, in: header, required: true, description: Kept for 24 hours., {}}}\n"
FULL = f"type: string, minLength: 16, maxLength: 64, pattern: '{PATTERN}'"
WHOLE = f"schema: {{{FULL}}}"

# What is declared, what is said of it, and what --adopt makes of the schema; none where it has to be left.
CASES = {
    "minLength: 40, maxLength: 64": (["minLength is 40, and 16", "no pattern"], WANTED),
    "minLength: 1, maxLength: 99": (["minLength is 1, and 16", "maxLength is 99, and 64", "no pattern"], WANTED),
    "maxLength: 64": (["no minLength", "no pattern"], WANTED),
    f"minLength: 16, pattern: '{PATTERN}'": (["no maxLength"], WANTED),
    "pattern: '^[0-9]+$', minLength: 16, maxLength: 64": ([f"pattern is ^[0-9]+$, and {PATTERN}"], WANTED),
    "format: uuid": (["its format refuses keys that the contract accepts"], None),
    "format: uuid, maxLength: 36": (["maxLength is 36, and 64", "its format refuses"], None),
    f"format: date, minLength: 16, maxLength: 64, pattern: '{PATTERN}'": (["its format refuses"], None),
    "enum: [a, b]": (["its enum refuses"], None),
    "const: a": (["its const refuses"], None),
    "format: opaque": ([], {"type": "string", "format": "opaque"}),
}


# How a parameter gives its schema (Parameter Object), and where it is then.
GIVEN = {"schema": ("{}", ()), "content": ("content: {{text/plain: {{{}}}}}", ("content", "text/plain"))}


def _schema(parameter, given):
    for key in GIVEN[given][1]:
        parameter = parameter[key]
    return parameter["schema"]


def _contradictions(diagnostics):
    return sorted(d.message for d in diagnostics if d.rule == "openapi/different-declaration")


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("declared", CASES)
def test_each_keyword_that_contradicts_the_contract_is_told_and_adopted_whole_or_not(
    declared, given, contracted, back_and_forth
):
    messages, adopted = CASES[declared]
    schema = GIVEN[given][0].format(f"schema: {{type: string, {declared}}}")
    text, plan = HEAD + KEY.format(schema), contracted(CONTRACT)
    for found in (inject(Document("api.yaml", text), plan), audit(Document("api.yaml", text), plan)):
        told = _contradictions(found.diagnostics)
        assert len(told) == len(messages)
        assert all(any(one.startswith(start) for one in told) for start in messages)
    api, after, diagnostics = back_and_forth(text, plan, wishes=Wishes(adopt=True))
    (key,) = api["paths"]["/a"]["post"]["parameters"]
    if adopted is None:
        assert f"{{type: string, {declared}}}" in after, "a part of it brought into line contradicts the rest"
        assert len(_contradictions(diagnostics)) == len(messages)
    else:
        assert _schema(key, given) == adopted
        assert _contradictions(diagnostics) == []


@pytest.mark.parametrize(
    ("declared", "adopted"),
    [("{type: integer}", True), ("{type: integer, format: int64}", False), ("{type: [integer, 'null']}", False)],
)
def test_a_key_of_another_type_is_told(declared, adopted, contracted, back_and_forth):
    text = HEAD + KEY.format(f"schema: {declared}")
    told = _contradictions(inject(Document("api.yaml", text), contracted(CONTRACT)).diagnostics)
    assert any(one.startswith("its type is") for one in told)
    api, _, _ = back_and_forth(text, contracted(CONTRACT), wishes=Wishes(adopt=True))
    assert (api["paths"]["/a"]["post"]["parameters"][0]["schema"] == WANTED) is adopted


@pytest.mark.parametrize("content", ["application/json", "text/csv", "text/plain, x/y"])
def test_what_another_media_type_describes_is_not_the_keys_own_text(content, contracted, back_and_forth):
    media = ", ".join(f"{name}: {{schema: {{type: integer}}}}" for name in content.split(", "))
    text = HEAD + KEY.format(f"content: {{{media}}}")
    _, after, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=Wishes(adopt=True))
    assert _contradictions(diagnostics) == []
    assert media in after


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize(
    "fixed",
    [
        f"example: a, {WHOLE}",
        f"examples: {{one: {{value: a}}}}, {WHOLE}",
        f"schema: {{{FULL}, default: a}}",
        f"schema: {{{FULL}, example: a}}",
        f"schema: {{{FULL}, examples: [a]}}",
    ],
)
def test_a_fixed_key_is_told_and_not_in_a_copy(fixed, given, contracted, back_and_forth):
    fixed = GIVEN[given][0].format(fixed)
    text, plan = HEAD + KEY.format(fixed), contracted(CONTRACT)
    for found in (inject(Document("api.yaml", text), plan), audit(Document("api.yaml", text), plan)):
        (told,) = (d for d in found.diagnostics if d.rule.endswith(("fixed-key", "different-declaration")))
        assert told.rule == "openapi/fixed-key"
    bare = KEY.format(fixed).replace("required: true", "required: false")
    path = HEAD.replace("    post:\n      parameters", "    post: {}\n    get: {}\n    parameters") + bare
    api, _, _ = back_and_forth(path, plan, wishes=Wishes(copy_shared=True, adopt=True))
    (own,) = api["paths"]["/a"]["post"]["parameters"]
    copy = api["components"]["parameters"][own["$ref"].rpartition("/")[2]]
    assert (_schema(copy, given), copy["required"]) == (WANTED, True)
    assert "example" not in emit(copy)


def test_one_header_under_two_spellings_is_told(contracted):
    text = HEAD + KEY.format(WHOLE) + KEY.format(WHOLE).replace("Idempotency-Key", "idempotency-key")
    for found in (
        inject(Document("api.yaml", text), contracted(CONTRACT)),
        audit(Document("api.yaml", text), contracted(CONTRACT)),
    ):
        (told,) = _contradictions(found.diagnostics)
        assert told.startswith("the key is declared twice, as Idempotency-Key and as idempotency-key")


@pytest.mark.parametrize("name", ["idempotency_key, in: query", "X-Idempotency-Key, in: header"])
def test_what_is_declared_in_another_place_or_under_another_name_is_not_written_to(name, contracted, back_and_forth):
    text = HEAD + f"        - {{name: {name}, schema: {{type: string, maxLength: 9}}}}\n"
    _, after, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=Wishes(adopt=True))
    assert f"        - {{name: {name}, schema: {{type: string, maxLength: 9}}}}\n" in after
    assert not any("--adopt" in d.hint for d in diagnostics)


SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "boolean"]),
        "minLength": st.integers(0, 80),
        "maxLength": st.integers(0, 80),
        "pattern": st.sampled_from([PATTERN, "^[0-9]+$", "^.+$", "^[a-z]{8}$"]),
        "format": st.sampled_from(["uuid", "date-time", "opaque"]),
        "enum": st.lists(st.sampled_from(["a", "b" * 20]), min_size=1, unique=True),
    },
)


@given(declared=SCHEMAS, key=st.from_regex(r"[A-Za-z0-9_.~-]{16,64}", fullmatch=True))
def test_a_schema_that_refuses_any_key_of_the_contract_is_told_of(declared, key):
    """Held against another validator than ours; and all remedies together make a schema that takes every such key."""
    tree = compose(Document("schema.yaml", emit(declared) if declared else "{}\n")).value
    assert isinstance(tree.root, Mapping)
    told = otherwise(tree.root, WANTED)
    if not Draft202012Validator(declared, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(key):
        assert told
    if all(one.remedy for one in told):
        adopted = {**declared, **dict(one.remedy for one in told)}
        assert Draft202012Validator(adopted, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(key)
