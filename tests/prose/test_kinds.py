"""Every kind of input: what is prose in it, with exact places; and the kinds themselves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.prose.blocks import markdown
from idempact.prose.kinds import kind_of, kinds
from idempact.prose.lint import lint
from idempact.prose.passage import OPAQUE, STOP
from idempact.text.span import Document


def test_a_kind(kind_case: Any) -> None:
    name = kind_case.title.partition(":")[0]
    found = lint(Document(name, kind_case.text))
    told = [f"{s.line}:{s.column}-{s.end_line}:{s.end_column} {d.rule}" for d in found if (s := d.span)]
    assert told == list(kind_case.findings)


def test_every_suffix_has_a_kind_with_a_name() -> None:
    for kind in kinds():
        for suffix in kind.suffixes:
            found = kind_of(f"docs/A{suffix.upper()}")
            assert found is not None
            assert found.name == kind.name
    assert kind_of("docs/a.pdf") is None


_BITS = [
    "<p>",
    "</p>",
    "<code>",
    "</code>",
    "<pre>",
    "<!--",
    "-->",
    "<script>",
    "&",
    "'",
    '"',
    "#",
    "//",
    "/*",
    "*/",
    "--",
    "'''",
    "```",
    "..",
    "::",
    "..",
    "note::",
    "----",
    "....",
    "|===",
    "=",
    "==",
    "[source,python]",
    "exactly",
    "once",
    "idempotency_key=time.time()",
    "{{",
    "}}",
    "{%",
    "%}",
    "-",
    "*",
    ">",
    "|",
    "`",
    "\\",
]
_SPACES = [" ", "\n", "\n\n", "   ", "\r\n", "\t", "精确一次", "é"]
_TEXTS = st.lists(st.sampled_from([*_BITS, *_SPACES])).map("".join)


@given(_TEXTS, st.sampled_from([kind.suffixes[0] for kind in kinds()] + [".php", ".sql", ".md.jinja"]))
@settings(max_examples=300)
def test_any_text_of_any_kind_gets_an_answer_with_places_in_the_file(text: str, suffix: str) -> None:
    document = Document(f"a{suffix}", text)
    for finding in lint(document):
        assert finding.span is not None
        assert 1 <= finding.span.line <= finding.span.end_line <= document.lines
        assert 1 <= finding.span.column <= len(document.line(finding.span.line)) + 1
        assert 1 <= finding.span.end_column <= len(document.line(finding.span.end_line)) + 1


@given(_TEXTS, st.sampled_from([kind.suffixes[0] for kind in kinds()]))
def test_blocks_of_any_kind_hold_what_stands_at_their_places(text: str, suffix: str) -> None:
    kind = kind_of(f"a{suffix}")
    assert kind is not None
    for block in kind.outline(text).blocks:
        for i, character in enumerate(block.passage.text):
            start, end = block.passage.origin(i, i + 1)
            assert 0 <= start < end <= len(text)
            assert character in (OPAQUE, STOP, "|", "\n") or text[start:end] == character or "{" in text or "<%" in text


_LINES = st.lists(
    st.sampled_from(
        [
            "Payments run exactly once.",
            "Nothing to see here, or",
            "not exactly",
            "once.",
            "# Exactly once",
            "- exactly once",
            "  - exactly",
            "    once",
            "```",
            "```python",
            "idempotency_key = time.time()",
            "> exactly once",
            "| exactly once |",
            "<!-- exactly",
            "-->",
            "<pre>",
            "</pre>",
            "    exactly once",
            "!!! note",
            "---",
            "",
            "",
            "",
            "*ex*actly **once**",
            "We guarantee [exactly](x) `once`",
            "1. one time",
            "~~~",
            "Runs [exactly](https://a.example/b) once, or `x` exactly",
            "Runs `a` exactly `b` once [c][d] exactly [once](<e>)",
            "`exactly` once ``x` y`` exactly once https://a.example/exactly once",
            "Exactly [once] ![exactly once](a.png) exactly [o](b)nce",
            "\texactly once",
            "ex&#97;ctly once",
            "精确一次",
        ]
    ),
    max_size=14,
)


@given(_LINES, st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=400, deadline=None)
def test_what_is_left_out_for_speed_holds_nothing(lines: list[str], newline: str) -> None:
    text = newline.join(lines) + newline
    # An allowance in the text has every block read; it must stand where it changes nothing.
    whole = f"{text}{newline}<!-- another idempact: comment -->{newline}"
    assert [(d.rule, d.span) for d in lint(Document("a.md", text))] == [
        (d.rule, d.span) for d in lint(Document("a.md", whole)) if d.rule != "prose/unknown-suppression"
    ]


def test_a_fence_tells_its_language() -> None:
    outline = markdown("``` {.python title='a'}\nx = 1\n```\n\n> ~~~js\n> y\n> ~~~\n")
    assert [(code.language, code.text) for code in outline.code] == [("python", "x = 1"), ("javascript", "y")]


def test_places_in_code_count_characters_and_indents() -> None:
    text = "1. Item:\n\n   ```python\n   for attempt in range(3):\n       try:\n"
    text += "           é = 1; call(idempotency_key=uuid4())\n"
    text += "       except Timeout:\n           pass\n   ```\n"
    (found,) = lint(Document("a.md", text))
    assert found.span is not None
    line = text.split("\n")[found.span.line - 1]
    assert re.fullmatch(r"uuid4\(\)", line[found.span.column - 1 : found.span.end_column - 1])


_SUFFIXES = [suffix for kind in kinds() for suffix in (kind.suffixes[0], kind.suffixes[-1])] + [".py", ".ts", ".rb"]


def _lines_told(name: str, text: str) -> list[tuple[str, int, int, str]]:
    found = lint(Document(name, text))
    return [(d.rule, d.span.line, d.span.end_line, d.message) for d in found if d.span]


@pytest.mark.parametrize("suffix", sorted(set(_SUFFIXES)))
def test_line_ends_and_a_byte_order_mark_change_no_finding_in_any_kind(
    suffix: str, cases: Callable[[str], tuple[Any, ...]]
) -> None:
    names = ("markdown.triples", "kinds.triples", "code.triples", "code_second.triples")
    texts = [case.text for name in names for case in cases(name)]
    # One text after the other as files of this kind, whatever they were written as.
    assert any(_lines_told(f"a{suffix}", text) for text in texts)
    for text in texts:
        told = _lines_told(f"a{suffix}", text)
        for other in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), f"\ufeff{text}"):
            assert "\r" in text or text.startswith("\ufeff") or _lines_told(f"a{suffix}", other) == told, other
