"""Parameters that are left out of a long file's outline: none that may be a key, and the same result without them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.openapi import outline as outlines
from idempact.openapi import style
from idempact.openapi.declared import FAMILY
from idempact.openapi.inject import inject
from idempact.openapi.locate import keep
from idempact.openapi.outline import outline
from idempact.openapi.parameter_lists import bystanders, folded, lists_parameters
from idempact.text.dataclass import replace
from idempact.text.nodes import Skipped, compose
from idempact.text.span import Document
from idempact.text.yaml_nodes import count

# As they are, before a test changes them.
SHORTEST_OUTLINED, SHORTEST_STYLED = outlines.LEAST, style.LONG
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'
TEXT = (
    HEAD
    + """\
paths:
  /a/{id}:
    parameters:
    - name: id
      in: path
      required: true
      description: Words that make this long enough to be worth leaving out.
      schema: {type: string}
    post:
      parameters:
      - name: Trace
        in: header
      # a comment
      - in: query
        description: |
          in: header
          Long words.

        name: expand
      - name: 'filter[x]'
        in: "cookie"
        schema:
          type: string
          enum:
          - in: header
      - $ref: '#/components/parameters/Last'
      responses:
        '200': {description: ok}
components:
  parameters:
    Last:
      name: last
      in: query
"""
)


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Outlines of short files, too, and of their style what long ones show."""
    monkeypatch.setattr(outlines, "LEAST", 0)
    monkeypatch.setattr(style, "LONG", 0)


def _whole(work):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlines, "LEAST", 10**9)
        return work()


def _same(text, plan):
    document = Document("api.yaml", text)
    found = inject(document, plan)
    assert found == _whole(lambda: inject(document, plan))
    if found.value is not None:
        again = Document("api.yaml", found.value.after)
        assert inject(again, plan).value.after == found.value.after
    return found


def test_those_that_can_be_no_key_are_left_out_and_come_back():
    short = outline(Document("api.yaml", TEXT), keep, parameters=True)
    assert short.names == {"id", "expand", "filter[x]"}
    assert "name: Trace" in short.document.text
    assert "parameters/Last'" in short.document.text
    assert "# a comment" in short.document.text
    assert not any(word in short.document.text for word in ("expand", "filter", "Long words"))
    assert short.restored(short.document.text) == TEXT
    assert short.sound()


def test_the_result_is_that_of_the_whole_file(planner):
    assert "x-idempotency" in _same(TEXT, planner()).value.after
    crlf = _same(TEXT.replace("\n", "\r\n"), planner()).value
    assert crlf.after.count("\n") == crlf.after.count("\r\n")


def test_only_where_it_is_asked_for():
    assert outline(Document("api.yaml", TEXT), keep) is None


@pytest.mark.parametrize(
    "item",
    [
        "- name: Trace\n        in: header\n",
        "- name: idempotency_key\n        in: query\n",
        "- name: X-IDEM-POTENCY-KEY\n        in: query\n",
        "- {name: expand, in: query}\n",
        "- name: expand\n        'in': query\n",
        "- name: expand\n        in: query # said so\n",
        "- name: expand\n        in: que\n          ry\n",
        "- name: exp\n          and\n        in: query\n",
        "- name: expand\n        in: &a query\n",
        "- name: expand\n        in: !!str query\n",
        '- name: "exp\\u0061nd"\n        in: query\n',
        '- name: expand\n        description: "x\n        in: query\n        y"\n        in: header\n',
        '- description: "x\n        in: query\n        name: expand\n  y"\n        "in": header\n        name: T\n',
        "- ? name\n        : expand\n        in: query\n",
        "- $ref: '#/components/parameters/Last'\n        name: expand\n        in: query\n",
        "-   name: expand\n          in: query\n",
        "-\n        name: expand\n        in: query\n",
        "- - name: expand\n        in: query\n",
        "- name: expand\n        name: expand\n        in: query\n",
        "- name: expand\n",
        "- in: query\n",
        "- expand\n",
        "- name: expand\n        in: query\n        in: header\n",
    ],
)
def test_whatever_else_may_be_a_key_is_read(item, planner):
    text = TEXT[: TEXT.index("      # a comment")] + f"      {item}      responses: {{}}\n"
    short = outline(Document("api.yaml", text), keep, parameters=True)
    assert short is None or short.names == {"id"}
    _same(text, planner())


def test_every_usual_name_of_a_key_is_read():
    for name in FAMILY:
        for spelled in (name, name.lower(), name.upper(), name.replace("-", "_"), f"X-{name}", folded(name)):
            text = TEXT.replace("name: expand", f"name: {spelled}")
            assert outline(Document("api.yaml", text), keep, parameters=True).names == {"id", "filter[x]"}


def test_a_contracts_own_name_is_read(planner):
    wanted = replace(planner(), names=("Request-Id",), parameters=frozenset(["Request-Id"]))
    read = []
    for name in ("request_id", "X-Request-Id", "requestid", "other"):
        text = TEXT.replace("name: expand", f"name: {name}")
        document = Document("api.yaml", text)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(outlines.Outline, "restored", lambda self, text: read.append(self.names))
            inject(document, wanted)
        _same(text, wanted)
    # Of the other texts nothing is left out, so the whole is read.
    assert read == [{"id", "other", "filter[x]"}]


def test_every_name_of_a_contract_is_among_its_parameters(contracted):
    plan = contracted("every-write.yaml")
    found = plan.select("POST", "/anything", "", ())
    assert {found.parameter.name, *(other.name for other in found.others)} <= plan.parameters


# Four columns in parameters, which are most of what is shown, and two elsewhere.
WIDE = "".join(
    f"      - name: p{number}\n        in: query\n        schema:\n            type: array\n            items:\n"
    "                type: string\n"
    for number in range(9)
)
STYLED = f"{HEAD}paths:\n  /a:\n    post:\n      parameters:\n{WIDE}      responses: {{}}\n"


def _step(after):
    """By how many columns what is in `x-idempotency` is indented."""
    line = next(line for line in after.splitlines() if line.strip().startswith("safety:"))
    return len(line) - len(line.lstrip()) - len("      ")


def test_the_style_of_a_long_file_is_the_same_with_and_without_them(planner):
    assert _step(_same(STYLED, planner()).value.after) == 2


def test_a_short_file_shows_its_style_in_every_line(monkeypatch, planner):
    monkeypatch.setattr(style, "LONG", 10**9)
    assert _step(_whole(lambda: inject(Document("api.yaml", STYLED), planner())).value.after) == 4


def test_a_file_that_is_long_by_what_is_ours_alone_is_a_short_one(monkeypatch, planner):
    monkeypatch.setattr(style, "LONG", len(STYLED) + 1)
    monkeypatch.setattr(outlines, "LEAST", 10**9)
    first = inject(Document("api.yaml", STYLED), planner()).value.after
    assert len(first) > style.LONG
    changed = planner(code="another")
    again = inject(Document("api.yaml", first), changed).value.after
    assert again == inject(Document("api.yaml", STYLED), changed).value.after
    assert _step(again) == 4


PIECES = st.sampled_from(
    [
        *(
            "name: a",
            "in: query",
            "in: header",
            "name: Idempotency-Key",
            "- name: b",
            "- in: path",
            "- {name: c, in: query}",
        ),
        *(
            "- $ref: x",
            "schema:",
            "type: string",
            "description: |",
            "text",
            "# c",
            "",
            "'in': header",
            '"x',
            'y"',
            "- a",
        ),
        *(
            "description: 'x",
            "it''s'",
            "[a,",
            "b]",
            "-",
            "- - a",
            "required: true",
            "in: cookie",
            "? in",
            ": header",
            "in:",
        ),
    ]
)
LINES = st.lists(st.tuples(st.sampled_from([0, 2, 4, 6, 8, 8, 8, 9, 10, 12]), PIECES), min_size=1, max_size=9)


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, newline=st.sampled_from(["\n", "\r\n"]), ended=st.booleans(), last=st.booleans())
def test_any_lines_in_a_list_of_parameters(lines, newline, ended, last, planner):
    """Whatever lines stand in the list: the findings and the text are those of the whole file."""
    odd = "".join(" " * column + piece + "\n" for column, piece in lines)
    listed = "      parameters:\n      - name: first\n        in: query\n" + odd
    rest = "" if last else "      - name: third\n        in: path\n      responses: {}\n"
    text = HEAD + "paths:\n  /a:\n    post:\n" + listed + rest
    text = (text if ended else text.rstrip()).replace("\n", newline)
    _same(text, planner())


@pytest.mark.parametrize(
    ("path", "listed"),
    [
        ("paths /a parameters", True),
        ("paths /a post parameters", True),
        ("paths /a additionalOperations COPY parameters", True),
        ("components pathItems one parameters", True),
        ("components pathItems one post parameters", True),
        ("components parameters", False),
        ("components responses one links two parameters", False),
        ("paths /a post responses 409 links two parameters", False),
        ("paths /a post responses 409 content a/b example parameters", False),
        ("paths /a post x-more parameters", False),
        ("webhooks one post parameters", False),
        ("paths parameters", False),
        ("x-parameters", False),
    ],
)
def test_only_lists_of_an_operations_or_a_paths_parameters_are_meant(path, listed):
    assert lists_parameters(tuple(path.split(" "))) is listed


def test_no_file_has_an_outline_whose_style_every_line_decides_on():
    assert SHORTEST_STYLED <= SHORTEST_OUTLINED


def test_what_is_left_out_is_held_against_what_libyaml_reads():
    text = TEXT.replace("        name: expand\n", "        name: expand\n        schema: [a,\n")
    short = outline(Document("api.yaml", text), keep, parameters=True)
    assert count(Document("api.yaml", text)) < 0
    assert not short.sound()


JSON = """{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {"parameters": [
  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
  {"in": "query", "name": "expand"},
  {"name": "Trace", "in": "header"},
  {"name": "idempotency_key", "in": "query"},
  {"name": "Request-Id", "in": "cookie"},
  {"name": "late", "schema": {}, "in": "query"},
  {"name": "other", "in": "query", "$ref": "#/components/parameters/Last"},
  {"name": "hidden", "in": "query", "\\u0024ref": "#/components/parameters/Last"}
], "responses": {"200": {"description": "ok"}}}}}}
"""


def test_in_json_they_are_passed_over_without_being_read():
    found = compose(Document("api.json", JSON), keep, less=bystanders(["request_id"])).value
    listed = found.root.get("paths").get("/a").get("post").get("parameters").items
    assert [isinstance(item, Skipped) for item in listed] == [True, True, *[False] * 6]
    assert [JSON[item.start : item.end][-1] for item in listed] == ["}"] * 8


def _read_whole(document, plan):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("idempact.openapi.inject.bystanders", lambda named: None)
        return inject(document, plan)


MEMBERS = st.sampled_from(
    [
        *(
            '"name": "a"',
            '"name": "Idempotency-Key"',
            '"name": "b\\u0061"',
            '"name": 1',
            '"in": "query"',
            '"in": "header"',
        ),
        *(
            '"in": "path"',
            '"in": "co" "okie"',
            '"$ref": "#/components/parameters/Last"',
            '"schema": {"a": 1, "a": 2}',
            "x",
        ),
    ]
)
OBJECTS = st.lists(MEMBERS, max_size=4).map(lambda found: "{" + ", ".join(found) + "}")


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=st.lists(OBJECTS, max_size=4))
def test_any_list_of_parameters_in_json(items, planner):
    """Whatever stands in the list: the findings and the text are those of the whole file."""
    text = JSON[: JSON.index("[") + 1] + ", ".join(items) + JSON[JSON.index("],") :]
    document = Document("api.json", text)
    found, whole = inject(document, planner()), _read_whole(document, planner())
    rules = [d.rule for d in whole.diagnostics]
    if "text/json-syntax" in rules:
        # What is no JSON is told in the words of whoever read it.
        assert (found.value, [d.rule for d in found.diagnostics]) == (None, rules)
    else:
        assert found == whole
    if found.value is not None:
        again = Document("api.json", found.value.after)
        assert inject(again, planner()).value.after == found.value.after
