"""Located nodes: the same data as other readers read, at their places; what is refused, and where."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from idempact.text import span
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order
from idempact.text.edit import Insertion, insert, remove
from idempact.text.emit import Verbatim, emit
from idempact.text.nodes import (
    MAX_DEPTH,
    Mapping,
    Scalar,
    Skipped,
    Style,
    Tree,
    compose,
    decode,
    load,
    plain,
    resolve,
    walk,
)
from idempact.text.span import Document, Span

_TEXT = st.text(st.characters(blacklist_categories=("Cs",)), max_size=12)
_TRICKY = st.sampled_from(
    ("", "null", "true", "yes", "on", "1:30", "3.10", "0o17", "1e3", ".inf", "2026-11-30", "- a", "a: b", "a #b", "#a",
     "<<", "=", "---", "...", "&a", "*a", "!t", "%d", "@x", "`", "{", "[", "?", "|", ">", "'", '"', "a\nb", " a", "a ",
     "\ufeffa", "\u2028", "\x85", "\x7f", "名\u3000字", "~", "+1", "-", "0x1F", "1_000", "y", "N", "\t")
)  # fmt: skip
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT | _TRICKY
DATA: st.SearchStrategy[Any] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT | _TRICKY, inner, max_size=3),
    max_leaves=12,
)


def tree(text: str, name: str = "a.yaml") -> Tree:
    found = compose(Document(name, text))
    assert found.value is not None, found.diagnostics
    return found.value


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(DATA)
def test_any_data_reads_back_from_what_is_emitted(data: Any) -> None:
    assert plain(tree(emit(data)).root) == data


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(DATA)
def test_another_yaml_reader_reads_the_same(data: Any) -> None:
    def keys_as_texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): keys_as_texts(item) for key, item in value.items()}
        return [keys_as_texts(item) for item in value] if isinstance(value, list) else value

    assert keys_as_texts(YAML(typ="safe", pure=True).load(StringIO(emit(data)))) == data


def test_what_is_emitted_is_easy_to_read() -> None:
    data = {
        "name": "Acme Payments API",
        "list": ["a", 1, True, None],
        "408": "release",
        "quoted": Verbatim("none"),
        "POST /payments/{id}": {"at": 'operations["x"]', "why": "it's"},
        "items": [{"a": 1, "b": []}, {"c": {}}],
    }
    assert emit(data, lambda path: "default" if path == ("name",) else "") == (
        "name: Acme Payments API  # default\n"
        "list: [a, 1, true, null]\n"
        "408: release\n"
        'quoted: "none"\n'
        "POST /payments/{id}:\n"
        "  at: 'operations[\"x\"]'\n"
        '  why: "it\'s"\n'.replace('"it\'s"', "it's")
        + "items:\n"
        "  - a: 1\n"
        "    b: []\n"
        "  - c: {}\n"
    )


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXT | _TRICKY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=12,
)


@given(
    data=st.lists(_JSON, max_size=3) | st.dictionaries(_TEXT, _JSON, max_size=3), indent=st.none() | st.integers(0, 4)
)
def test_any_json_reads_as_the_standard_library_reads_it(data: Any, indent: int | None) -> None:
    found = tree(json.dumps(data, indent=indent), "a.json")
    assert plain(found.root) == data
    assert found.json


@given(data=st.lists(_JSON, max_size=3) | st.dictionaries(_TEXT, _JSON, max_size=3))
def test_every_node_stands_where_its_offsets_say(data: Any) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    for node in walk(tree(text, "a.json").root):
        found = json.loads(text[node.start : node.end])
        assert found == plain(node)


def test_scalars_are_kept_as_written_and_resolved_by_yaml_1_2() -> None:
    text = "a: 3.10\nb: on\nc: 1:30\nd: 0o17\ne: 0x1F\nf: '12'\ng: no\nh: 1_000\ni: ~\nj:\nk: 012\nl: !!str 5\nm: .5\n"
    root = tree(text).root
    assert plain(root) == {
        "a": 3.1, "b": "on", "c": "1:30", "d": 15, "e": 31, "f": "12", "g": "no", "h": "1_000", "i": None, "j": None,
        "k": 12, "l": "5", "m": 0.5,
    }  # fmt: skip
    assert isinstance(root, Mapping)
    value = root.get("a")
    assert isinstance(value, Scalar)
    assert (value.value, value.style) == ("3.10", Style.PLAIN)


def test_an_empty_value_stands_behind_its_colon() -> None:
    text = "a:\n\n  # later\nb: 1\n"
    root = tree(text).root
    assert isinstance(root, Mapping)
    value = root.get("a")
    assert value is not None
    assert (value.start, value.end) == (2, 2)


def test_a_block_ends_with_its_last_leaf() -> None:
    text = "a:\n  b: 1\n\n# about c\nc: |\n  x\n\n\nd: 2\n"
    root = tree(text).root
    assert isinstance(root, Mapping)
    first, literal = root.get("a"), root.get("c")
    assert first is not None
    assert literal is not None
    assert text[first.start : first.end] == "b: 1"
    assert text[literal.start : literal.end] == "|\n  x"


def test_an_alias_stands_for_its_anchor() -> None:
    found = tree("a: &x {b: 1}\nc: *x\n")
    assert found.aliased == {"x"}
    assert plain(found.root) == {"a": {"b": 1}, "c": {"b": 1}}
    assert isinstance(found.root, Mapping)
    alias = found.root.get("c")
    assert alias is not None
    assert alias is not resolve(alias)


JSON_PIECES = st.sampled_from(
    [
        *('{"a":', '"b"', '{"', '":', ":", ",", "[", "]", "{", "}", "1", "-0", "1.5e3", "01", ".5", "-", "NaN"),
        *("Infinity", "true", "nul", " ", "\n", "\t", "\r", "\x0b", "\u00a0", '"\\u00e9"', '"\\', '"\n"', "'", "/*"),
        *('"\\ud800"', '{"a": 1}', "[1, 2]", '{"\\u0061": 1}', "\ufeff"),
    ]
)


@given(
    st.lists(JSON_PIECES, max_size=10).map("".join),
    st.sampled_from([None, lambda path: False, lambda path: "a" in path]),
)
def test_any_text_is_json_where_the_standard_library_says_so(text: str, keep: Any) -> None:
    """Read in part or whole. NaN is refused, and a key that stands twice where it is read."""

    def refuse(word: str) -> Any:
        raise ValueError(word)

    doubled: list[bool] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    try:
        # We take a byte-order mark, and the library takes one in bytes alone.
        value = json.loads(text.removeprefix("\ufeff"), parse_constant=refuse, object_pairs_hook=members)
    except ValueError:
        value = refuse
    found = compose(Document("a.json", text), keep)
    if value is refuse:
        assert found.value is None
    elif found.value is None:
        assert any(doubled)
        assert {d.rule for d in found.diagnostics} == {"text/duplicate-key"}
    elif keep is None:
        assert plain(found.value.root) == value


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_what_is_not_wanted_is_skipped_but_has_its_place(name: str) -> None:
    text = '{"keep": {"x": [1]}, "drop": {"y": [2]}}'
    found = compose(Document(name, text), lambda path: path[0] == "keep").value
    assert found is not None
    assert isinstance(found.root, Mapping)
    dropped = found.root.get("drop")
    assert isinstance(dropped, Skipped)
    assert text[dropped.start : dropped.end] == '{"y": [2]}'
    assert plain(found.root.get("keep")) == {"x": [1]}
    with pytest.raises(ValueError, match="skipped"):
        plain(found.root)


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{below}'] * 10)}]\n" for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)
CHAIN = (
    "x0: &x0 "
    + "[" * 150
    + "]" * 150
    + "\n"
    + "".join(f"x{i}: &x{i} {'[' * 150}*x{i - 1}{']' * 150}\n" for i in range(1, 12))
)


@pytest.mark.parametrize(
    ("name", "text", "rule", "place"),
    [
        ("a.yaml", "a: 1\nb: 2\na: 3\n", "text/duplicate-key", (3, 1)),
        ("a.json", '{"a": 1,\n "a": 2}', "text/duplicate-key", (2, 2)),
        ("a.yaml", "a: 1\n---\nb: 2\n", "text/several-documents", (2, 1)),
        ("a.yaml", "a: [1, 2\nb: 3\n", "text/yaml-syntax", (2, 2)),
        ("a.yaml", "a: b: c\n", "text/yaml-syntax", (1, 5)),
        ("a.yaml", "a:\n\t- b\n", "text/yaml-syntax", (2, 1)),
        ("a.yaml", "a: *nobody\n", "text/yaml-syntax", (1, 4)),
        ("a.yaml", "a: &x [*x]\n", "text/yaml-syntax", (1, 8)),
        ("a.yaml", "[1, 2]: a\n", "text/complex-key", (1, 1)),
        ("a.yaml", "? {a: 1}\n: b\n", "text/complex-key", (1, 3)),
        ("a.json", '{"a": 1,}', "text/json-syntax", (1, 9)),
        ("a.json", "{'a': 1}", "text/json-syntax", (1, 2)),
        ("a.json", '{"a": NaN}', "text/json-syntax", (1, 7)),
        ("a.json", '{"a": 1} x', "text/json-syntax", (1, 10)),
        ("a.json", "", "text/json-syntax", (1, 1)),
        ("a.json", "[" * 5000, "text/too-deep", (1, MAX_DEPTH + 1)),
        ("a.yaml", "[" * 300, "text/too-deep", (1, MAX_DEPTH + 1)),
        ("a.yaml", "[" * 100_000, "text/too-deep", None),
        ("a.yaml", "".join(f"{' ' * i}a:\n" for i in range(300)), "text/too-deep", (MAX_DEPTH + 1, MAX_DEPTH + 1)),
        ("a.yaml", BOMB, "text/alias-bomb", None),
        ("a.yaml", CHAIN, "text/too-deep", (2, 159)),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_place(
    name: str, text: str, rule: str, place: tuple[int, int] | None
) -> None:
    found = compose(Document(name, text))
    assert found.value is None
    assert found.broken
    (finding,) = found.diagnostics
    assert finding.rule == rule
    assert finding.span is not None
    assert place in (None, (finding.span.line, finding.span.column))


@pytest.mark.parametrize(
    ("data", "rule", "place"),
    [
        (b"a: 1\nb: \xff\n", "text/not-utf-8", (2, 4)),
        (b"\xff\xfea\x00", "text/not-utf-8", (1, 1)),
        (b"a: \x07\n", "text/control-character", (1, 4)),
        (b"a: \xc2\x9b\n", "text/control-character", (1, 4)),
    ],
)
def test_bytes_that_are_no_text_are_refused_at_their_place(data: bytes, rule: str, place: tuple[int, int]) -> None:
    found = decode("a.yaml", data)
    assert found.value is None
    (finding,) = found.diagnostics
    assert finding.rule == rule
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == place


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        found = load(path)
        assert found.value is None
        assert [d.rule for d in found.diagnostics] == ["text/unreadable-file"]


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text("[]{}:,-&*a\"'\n #|>?!%@0", max_size=40).map(str.encode))
def test_any_bytes_give_a_tree_or_findings(data: bytes) -> None:
    document = decode("a.yaml", data).value
    if document is None:
        return
    for name in ("a.yaml", "a.json"):
        found = compose(Document(name, document.text))
        assert (found.value is None) == found.broken
        for node in walk(found.value.root if found.value else None):
            assert 0 <= node.start <= node.end <= len(document.text)


@given(st.text("ab\r\n名", max_size=30), st.integers(1, 12), st.data())
def test_any_place_leads_back_to_its_offset_whatever_the_stretches(
    text: str, stretch: int, data: st.DataObject
) -> None:
    document = Document("a", text)
    offset = data.draw(st.integers(0, len(text)))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    with patch.object(span, "STRETCH", stretch):
        line, column = document.place(offset)
        assert document.offset(line, column) == offset
        assert document.lines == len(lines)
        assert [document.line(number) for number in range(1, len(lines) + 1)] == lines
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    assert line == sum(start <= offset for start in starts)
    assert column == offset - starts[line - 1] + 1


def test_lines_outside_the_file_are_empty() -> None:
    document = Document("a", "x\n")
    assert [document.line(n) for n in (0, 1, 2, 3)] == ["", "x", "", ""]


@given(
    st.text(max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.text(max_size=4)), max_size=5),
)
def test_removing_undoes_any_insertions(text: str, pieces: list[tuple[int, str]]) -> None:
    insertions = [Insertion(min(offset, len(text)), piece) for offset, piece in pieces]
    changed, ranges = insert(text, insertions)
    assert remove(changed, ranges) == text
    ordered = sorted(insertions, key=lambda i: i.offset)
    assert [changed[start:end] for start, end in ranges] == [i.text for i in ordered]


def test_insertions_and_ranges_outside_the_text_are_our_own_mistakes() -> None:
    with pytest.raises(ValueError, match="outside"):
        insert("ab", [Insertion(3, "x")])
    with pytest.raises(ValueError, match="overlaps"):
        remove("abcd", [(0, 2), (1, 3)])


def test_findings_come_in_order_of_place_each_once() -> None:
    def finding(rule: str, line: int | None) -> Diagnostic:
        return Diagnostic(rule, Severity.WARNING, "m", None if line is None else Span("a", line, 1, line, 2))

    told = in_order([finding("b", 2), finding("a", 2), finding("c", 1), finding("a", None), finding("b", 2)])
    assert [(d.rule, d.span.line if d.span else None) for d in told] == [("a", None), ("c", 1), ("a", 2), ("b", 2)]
    assert not Checked(1, told).broken


@settings(max_examples=200, deadline=None)
@given(st.text('{}[]":,a1\r\n \\', max_size=24))
def test_what_is_wrong_in_any_json_is_told_within_its_line(text: str) -> None:
    document = Document("a.json", text)
    for diagnostic in compose(document).diagnostics:
        span = diagnostic.span
        assert span is not None
        for line, column in ((span.line, span.column), (span.end_line, span.end_column)):
            assert 1 <= column <= len(document.line(line)) + 1
