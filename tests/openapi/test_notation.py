"""What is written reads back as what was meant, by readers that are not ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from idempact.openapi.inject import inject
from idempact.openapi.notation import Notation
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

WORDS = [
    "true",
    "No",
    "on",
    "null",
    "~",
    "1e3",
    "0x1F",
    "1_000",
    "12:30",
    "2024-04-31",
    "-",
    "?",
    "'",
    "''",
    '"',
    "{a}",
    "[a]",
    "a,b",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "<<",
    "=",
    "é",
    "漢",
    "😀",
    "$ref",
    "24h",
    "/a/{b}",
    "...",
    "---",
    "#/components/parameters/A",
    "a\\b",
    "NaN",
    ".inf",
]
words = st.sampled_from(
    [*WORDS, "", " a", "a ", "a: b", "a #b", "- a", "\ufeff", "\u0085", "\u2028", "a\nb", "\t", "\x00", "\x7f"]
)
texts = words | st.text(max_size=20)
keys = texts.filter(lambda key: key != "$ref")
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
yaml_notations = st.builds(
    Notation,
    json=st.just(False),
    step=st.sampled_from([" ", "  ", "    "]),
    dash=st.integers(0, 4),
    lead=st.integers(2, 4),
    quote=st.sampled_from(["'", '"']),
    status_quote=st.sampled_from(["'", '"', ""]),
)
json_notations = st.builds(
    Notation,
    json=st.just(True),
    step=st.sampled_from(["", "  ", "\t"]),
    colon=st.sampled_from([":", ": ", " : "]),
    comma=st.sampled_from([",", ", "]),
    newline=st.sampled_from(["\n", "\r\n"]),
    ascii=st.booleans(),
)


def _read(text: str) -> object:
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    return reader.load(text)


def _ours(text: str) -> object:
    tree = compose(Document("any.yaml", text)).value
    assert tree is not None
    return plain(tree.root)


@given(value=values, key=keys, notation=yaml_notations)
def test_any_block_member_reads_back(value, key, notation):
    text = "\n".join(notation.member(key, value, 0)) + "\n"
    assert _ours(text) == {key: value}
    if not any(ord(c) > 0xFFFF or 0xD800 <= ord(c) <= 0xDFFF for c in text):
        assert _read(text) == {key: value}


@given(value=values, notation=yaml_notations)
def test_any_item_and_any_flow_value_reads_back(value, notation):
    assert _ours("\n".join(notation.item(value, 1)) + "\n") == [value]
    assert _ours(f"[{notation.inline(value)}]\n") == [value]
    assert _ours("{" + notation.inline_member("k", value) + "}\n") == {"k": value}


@given(value=values, key=texts, notation=json_notations)
def test_any_json_member_reads_back(value, key, notation):
    assert json.loads("{" + notation.spread_member(key, value, "") + "}") == {key: value}
    assert json.loads("{" + notation.inline_member(key, value) + "}") == {key: value}
    if notation.ascii:
        assert notation.spread(value, "").isascii()


@pytest.mark.parametrize(("quote", "shown"), [("'", "'409': "), ('"', '"409": '), ("", "409: ")])
def test_statuses_are_quoted_as_asked(quote, shown):
    notation = Notation(json=False, status_quote=quote, ref_quote='"', ref_key_quote='"')
    assert notation.member("409", {"$ref": "#/a"}, 0) == (shown.strip(), '  "$ref": "#/a"')
    assert notation.inline({"409": {"$ref": "#/a"}}) == "{" + shown + '{"$ref": "#/a"}}'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("4XX: {description: d}", "'409': "),
        ("4XX: {description: d}\n        default: {description: d}", "'409': "),
        ("200: {description: d}\n        4XX: {description: d}", "409: "),
        ('"4XX": {description: d}', '"409": '),
        ("'200': {description: d}\n        4XX: {description: d}", "'409': "),
    ],
)
def test_a_bare_range_says_nothing_about_quotes(text, shown, planner):
    """`4XX` is a text however it is written, and `409` is a number without quotes, which is no key of JSON."""
    head = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post:\n      responses:\n        '
    found = inject(Document("api.yaml", f"{head}{text}\n"), planner())
    assert f"\n        {shown.strip()}\n" in found.value.after
