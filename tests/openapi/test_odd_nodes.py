"""Nodes as nobody expects them: with tags and anchors in front, empty, an alias, of another kind than OpenAPI says."""

from __future__ import annotations

import itertools

import pytest

from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n'
PROPERTIES = ["!!map", "!own", "&x", "&x !!map", "!!map &x", "!<tag:yaml.org,2002:map>", "&x-", "&-"]
# Each with something in front of a container that gets something of ours.
CONTAINERS = [
    "    post:\n      responses: P {}\n",
    "    post:\n      responses: P { }\n",
    "    post:\n      responses: P\n        {}\n",
    "    post:\n      responses: P # so far\n        {'200': {description: made}}\n",
    "    post:\n      responses: {'200': P {description: made}}\n",
    "    post:\n      parameters: P []\n",
    "    post:\n      parameters: P\n      - {name: q, in: query}\n",
    "    post:\n      parameters: P\n        - {name: q, in: query}\n",
    "    post:\n      parameters: P # the list\n      # of all\n      -   name: q\n          in: query\n",
    "    post: P\n      responses:\n        '409': {description: no}\n",
    "    post:\n      responses:\n        '409': P\n          description: no\n",
    "    post:\n      responses:\n        '409':\n          description: no\n          headers: P {}\n",
    "    post: {}\ncomponents: P\n  responses: {}\n",
    "    post: {}\ncomponents:\n  parameters: P {}\n",
]


@pytest.mark.parametrize("properties", PROPERTIES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_tag_or_an_anchor_in_front_of_a_container(container, properties, planner, back_and_forth, unchanged):
    if "post:\n      parameters: P" in container:
        properties = properties.replace("map", "seq")
    text = HEAD + container.replace(" P", f" {properties}")
    api, after, _ = back_and_forth(text, planner(indicator="X"))
    assert "Idempotency400" in str(api["paths"])
    assert "IdempotencyKey" in str(api["paths"])
    if "!own" not in text:
        unchanged("api.yaml", text, after)


ODD = ["", "~", "text", "5", "*there", "{}", "[]", "[a]", "{a: b}", "!!str 5", "&own 5", "|\n                text"]
MEMBERS = ("required", "description", "schema", "maxLength")


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("odd", ODD)
def test_a_declaration_with_something_odd_in_it_is_adopted_or_told(member, odd, planner, back_and_forth):
    values = {"required": "false", "description": "a key", "schema": "{maxLength: 9}", member: odd}
    if member == "maxLength":
        values["schema"] = f"\n            maxLength: {values.pop(member)}"
    lines = "".join(f"          {name}: {value}\n" for name, value in values.items())
    lead = "    post:\n      parameters:\n        - name: Idempotency-Key\n          in: header\n"
    text = f"x-there: &there 7\n{HEAD}{lead}{lines}"
    api, after, findings = back_and_forth(text, planner(), wishes=Wishes(adopt=True))
    (key,) = api["paths"]["/a"]["post"]["parameters"]
    assert key["name"] == "Idempotency-Key"
    told = {finding.rule for finding in findings}
    if key["required"] is not True:
        assert "openapi/different-declaration" in told
    assert "#/components/parameters" not in after


@pytest.mark.parametrize("nothing", ["", " null", " ~", " NULL"])
def test_nothing_where_operations_would_be_is_no_fault_of_the_file(nothing, planner):
    """A path that is only named has no operations; an operation that is only named is told, and the rest goes on."""
    text = f"{HEAD}    post: {{}}\n  /named:{nothing}\n"
    found = inject(Document("api.yaml", text), planner())
    assert found.value is not None
    assert found.diagnostics == ()
    found = inject(Document("api.yaml", f"{text}  /b:\n    patch:{nothing}\n    put: {{}}\n"), planner())
    (told,) = found.diagnostics
    assert (told.rule, told.severity, told.span.line) == ("openapi/other-format", Severity.WARNING, 8)
    assert "nothing stands here" in told.message
    assert "/paths/~1b/put/x-idempotency" in found.value.owned
    found = inject(Document("api.yaml", f"{HEAD.replace('  /a:', '').rstrip()}{nothing}\n"), planner())
    assert found.diagnostics == ()


@pytest.mark.parametrize("value", ["5", "text", "[]", "''"])
def test_anything_else_there_is(value, planner):
    for text in (f"{HEAD}    post: {value}\n", f"{HEAD.rstrip()} {value}\n"):
        found = inject(Document("api.yaml", text), planner())
        assert found.value is None
        assert {finding.rule for finding in found.diagnostics} == {"openapi/other-format"}


UNSEEN = "\x85\u2028\u2029"
PLACES = ("      description: one{0}two\n", "      # one{0}two\n", "      description: |\n        one{0}two\n")


@pytest.mark.parametrize(("unseen", "place"), list(itertools.product(UNSEEN, PLACES)))
def test_a_line_break_that_nobody_sees_is_named_where_it_stands(unseen, place, planner):
    text = f"{HEAD}    post:\n{place.format(unseen)}"
    found = inject(Document("api.yaml", text), planner())
    assert found.value is None
    (told,) = found.diagnostics
    line = 1 + text[: text.index(unseen)].count("\n")
    column = text.index(unseen) - text.rindex("\n", 0, text.index(unseen))
    assert f"U+{ord(unseen):04X} at {line}:{column} " in told.hint


@pytest.mark.parametrize("unseen", UNSEEN)
def test_such_a_line_break_in_quotes_or_at_the_end_stays(unseen, planner, back_and_forth):
    back_and_forth(f'{HEAD}    post:\n      description: "one{unseen}two"\n', planner())
    back_and_forth(f"{HEAD}    post: {{}}\n{unseen}", planner())


API = (
    '{{"openapi": "3.1.0", "info": {{}}, "x-v": {0}, "paths": {{"/a": {{"post": {{"x-v": {1}, "responses": {2}}}}}}}}}'
)
LONG = ["1" * 5000, "-" + "9" * 5000, "1" * 5000 + ".5", "1e" + "9" * 400, "0." + "3" * 9000]


@pytest.mark.parametrize(("place", "number"), list(itertools.product(range(3), LONG)))
def test_a_number_longer_than_python_converts_stays(place, number, planner, back_and_forth):
    values = ["[1]", "{}", "{}"]
    values[place] = f'{{"200": {{"content": {{"a/b": {{"example": {{"n": {number}}}}}}}}}}}'
    text = API.format(*values)
    _, after, _ = back_and_forth(text, planner(), "api.json")
    assert number in after
    back_and_forth(text, planner())


# Everything that the design says must simply work, in one file.
ODD_INPUT = (
    'openapi: 3.1.0\ninfo: {title: t, version: "1", x-day: 2024-04-31}\n'
    "x-common: &common\n  x-octal: 0o17\n  x-old-octal: 017\n  x-word: no\n  x-text: 'no'\n"
    "x-idempotency-of-ours: mine\nx-long: " + "many words " * 2_000 + "\n"
    "paths:\n"
    "  /merged:\n    post:\n      <<: *common\n      responses:\n        200: {description: made}\n        409:\n"
    "          description: |\n            one\ttab\n              and more\n"
    "      # between the last key and the next operation\n\n"
    "    # and the next\n    patch:\n      parameters: []\n      x-idempotency: {mine: true}\n"
    '  "/\\u0061/\U0001f600":\n    post: {summary: "\\u00e9 \U0001f600"}\n'
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_odd_input_that_must_simply_work(newline, planner, back_and_forth, unchanged):
    text = ODD_INPUT.replace("\n", newline)
    assert max(map(len, text.splitlines())) > 20_000
    api, after, findings = back_and_forth(text, planner())
    unchanged("api.yaml", text, after)
    assert {finding.rule for finding in findings} == {"openapi/existing-response", "openapi/taken-name"}
    merged, plain = api["paths"]["/merged"], api["paths"]["/a/\U0001f600"]["post"]
    for operation in (merged["post"], merged["patch"], plain):
        assert operation["parameters"] == [{"$ref": "#/components/parameters/IdempotencyKey"}]
        assert operation["responses"]["400"] == {"$ref": "#/components/responses/Idempotency400"}
    assert f"{newline}        400:{newline}" in after, "a bare status as its neighbours"
    assert merged["patch"]["x-idempotency"] == {"mine": True}
    assert merged["patch"]["x-idempotency-contract"]["safety"] == "keyed"
    assert api["x-idempotency-of-ours"] == "mine"


BARE = [
    "{summary: a, b}",
    "{b}",
    "{b, summary: a}",
    "{b, c}",
    "{summary: a, 'b'}",
    "{summary: a, b: }",
    "{summary: a, b }",
    "{summary: a,\n      b\n    }",
    "{summary: a, ? b}",
    "{summary: a, ? b : }",
    "{responses: {'200'}}",
    "{responses: {'200', }}",
]


@pytest.mark.parametrize("bare", BARE)
@pytest.mark.parametrize("tail", ["", "  /b: {post: {}, get: {}}\n", "# the end: here\n"])
def test_a_key_without_a_value_in_brackets(bare, tail, planner, back_and_forth, unchanged):
    text = f"{HEAD}    post: {bare}\n{tail}"
    api, after, _ = back_and_forth(text, planner())
    assert api["paths"]["/a"]["post"]["x-idempotency"]["safety"] == "keyed"
    unchanged("api.yaml", text, after)
