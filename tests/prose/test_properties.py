"""What holds for any text: the lint answers, its places are true, and its work grows with the text."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    FoldedScalarString,
    LiteralScalarString,
    PlainScalarString,
    SingleQuotedScalarString,
)

from idempact.prose.blocks import markdown
from idempact.prose.lint import lint
from idempact.prose.scalars import laid_out
from idempact.text.nodes import Scalar, compose, walk
from idempact.text.span import Document
from idempact.wording.fold import fold

# Markdown's own characters, words of our phrases, and whatever else there is.
_MARKS = r"""` `` ``` ~~~ * ** _ __ # > >> - 1. | --- === !!! [ ] ]( ) ![ < > <a <b> <!-- --> <br>
& &nbsp; &#101; \ { } {:"""
_WORDS_OF_OURS = """exactly once only never twice no duplicates guarantee not impossible is 24 hours same key " ' http://a
精确 一次 不 保证 idempact: allow prose/exactly-once because"""
_BITS = st.sampled_from([*_MARKS.split(), *_WORDS_OF_OURS.split()])
_TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8")),
    st.lists(st.one_of(_BITS, st.sampled_from([" ", "\n", "\n\n", "    ", "\t", "\r\n", "\u200b", "\u2011"]))).map(
        "".join
    ),
    st.lists(_BITS).map(" ".join),
)


@given(_TEXTS)
def test_folding_keeps_places_in_order_and_in_the_text(text: str) -> None:
    folded = fold(text)
    ranges = [folded.origin(i, i + 1) for i in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in ranges)
    assert ranges == sorted(ranges)


@given(_TEXTS)
def test_the_two_ways_of_folding_agree(text: str) -> None:
    folded = fold(text)
    assert len(folded._ranges) == len(folded.text)


_HARMLESS = st.lists(
    st.text(st.characters(codec="utf-8", categories=("L", "N", "M", "P"), exclude_characters="`~<[{:"), max_size=40),
    max_size=4,
)


@given(_HARMLESS, _HARMLESS)
def test_a_phrase_is_found_where_it_stands_whatever_words_surround_it(before: list[str], after: list[str]) -> None:
    # Without characters that open code, comments or front matter, and in a paragraph of its own, nothing excuses it.
    text = "\n\n".join([*before, "---", "Payments run exactly once.", *after])
    line = text[: text.index("Payments run exactly once.")].count("\n") + 1
    assert (line, 14, line, 26) in [
        (d.span.line, d.span.column, d.span.end_line, d.span.end_column)
        for d in lint(Document("a.md", text))
        if d.span and d.rule == "prose/exactly-once"
    ]


@given(_TEXTS, st.sampled_from(["a.md", "a.yaml", "a.json", "-"]))
@settings(max_examples=200)
def test_any_text_gets_an_answer_and_every_span_lies_in_the_file(text: str, name: str) -> None:
    for wrapped in (text, f"openapi: 3.1.0\ninfo:\n  description: {text}\n"):
        document = Document(name, wrapped)
        for finding in lint(document):
            assert finding.span is not None
            assert 1 <= finding.span.line <= finding.span.end_line <= document.lines
            assert 1 <= finding.span.column <= len(document.line(finding.span.line)) + 1
            assert 1 <= finding.span.end_column <= len(document.line(finding.span.end_line)) + 1


@given(_TEXTS)
def test_blocks_come_in_order_and_every_character_has_its_place(text: str) -> None:
    outline = markdown(text)
    assert [b.start for b in outline.blocks] == sorted(b.start for b in outline.blocks)
    for block in outline.blocks:
        prose = block.passage
        for i, character in enumerate(prose.text):
            start, end = prose.origin(i, i + 1)
            assert 0 <= start < end <= len(text)
            assert character in ("\x1a", "\n") or text[start:end] == character


@given(
    st.lists(
        st.sampled_from(["Some words here.", "# Title", "- item", "> quote", "| a | b |", "我们写字。"]), max_size=8
    )
)
def test_neutral_text_before_shifts_every_finding_by_its_lines(lines: list[str]) -> None:
    body = "Payments run *exactly*\nonce.\n\nYou can retry `x` any number of times.\n"
    padding = "".join(f"{line}\n\n" for line in lines)
    moved = [
        (d.rule, d.span.line, d.span.column, d.span.end_line) for d in lint(Document("a.md", padding + body)) if d.span
    ]
    shift = 2 * len(lines)
    still = [
        (d.rule, d.span.line + shift, d.span.column, d.span.end_line + shift)
        for d in lint(Document("a.md", body))
        if d.span
    ]
    assert len(still) == 2
    assert moved == still


_STYLES = (
    PlainScalarString,
    SingleQuotedScalarString,
    DoubleQuotedScalarString,
    LiteralScalarString,
    FoldedScalarString,
)
_WORDS = st.lists(
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12),
    min_size=1,
    max_size=40,
)


@given(_WORDS, st.sampled_from(_STYLES), st.integers(20, 80), st.sampled_from([" ", "\n", "\n\n"]))
def test_every_character_of_a_yaml_value_is_found_where_it_is_written(
    words: list[str], style: Callable[[str], str], width: int, joint: str
) -> None:
    writer = YAML()
    writer.width = width
    out = io.StringIO()
    writer.dump({"openapi": "3.1.0", "info": {"description": style(joint.join(words) + "\n")}}, out)
    _same_places(Document("a.yaml", out.getvalue()))


@given(st.text(st.characters(codec="utf-8")), st.booleans())
def test_every_character_of_a_json_value_is_found_where_it_is_written(text: str, ascii_only: bool) -> None:
    _same_places(Document("a.json", json.dumps({"openapi": "3.1.0", "description": text}, ensure_ascii=ascii_only)))


def _same_places(document: Document) -> None:
    tree = compose(document).value
    if tree is None:
        return
    for node in walk(tree.root):
        if not isinstance(node, Scalar):
            continue
        layout = laid_out(document.text, node)
        assert layout.text == node.value
        last = node.start
        for i, character in enumerate(node.value):
            start, end = layout.origin(i, i + 1)
            assert last <= start <= end
            last = start
            if not character.isspace() and document.text[start] != "\\":
                assert document.text[start] == character


_GROWING = [
    "Payments run exactly once. ",
    "exactly once ",
    "not exactly once, ",
    "we guarantee that it is only ",
    "we guarantee that ",
    "` `` ``` ",
    "[a](b ",
    "](",
    "<a '<a \"",
    "<!-- ",
    "&amp",
    "> ",
    "- ",
    "|   ",
    "- - - ",
    "\n\n<!-- idempact: allow prose/exactly-once because x -->\n\nexactly once\n",
    '"once',
    "保证最多",
    "精确一次，",
    "- exactly once\n\n",
    "## A\n\n- exactly once\n\n",
    "We don't promise:\n\n- exactly once\n\n",
    "| exactly once ",
    "| exactly once | a |\n",
    "| a | b |\n|---|---|\n| exactly once | b |\n\n",
]


def _events(text: str) -> int:
    """How many calls of Python and C functions linting the text takes: a clock that doesn't depend on the machine."""
    count = 0

    def tick(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    document = Document("a.md", text)
    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        lint(document)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("part", _GROWING)
def test_twice_the_text_takes_at_most_twice_the_calls(part: str) -> None:
    _events(part)  # what is read once is read now
    small, large = _events(part * 150), _events(part * 300)
    assert large <= 2.2 * small + 200
