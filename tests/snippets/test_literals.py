"""Each escaper is proven by reading what it emitted with its family's own reader."""

from __future__ import annotations

import ast
import html
import io
import json
import os
import re
import shutil
import subprocess

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from idempact.render import literals
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

NASTY = (
    "",
    " ",
    "a'b\"c`d",
    "$(exit 9) ${HOME} $'x' !! \\",
    "line\nbreak\r\ttab\0nul\x7f\x85\u2028\u2029",
    "*/ --> ]]> {{ 7 }} {% raw %} <script> ?> <?php exit(9) ?>",
    "#{exit 9} #$0 #@x \\#{1} #\\{2} {$x} ${y} $this->z \\u{41}",
    "-*- coding: nowhere -*- coding=nowhere",
    "| a | b | **bold** __x__ [l](u) `c` <b> &amp; ~~s~~ :smile: ==m== ^^i^^ {: .x } $x$ # h",
    "1. list", "- item", "+ item", "# heading", "2) list", "= x", "(c) (tm) ... --",
    "0x1F", "yes", "null", "1e3", "~", "2026-11-01", "é 漢字 😀 \u202e \ufeff",
)  # fmt: skip
TEXTS = st.one_of(st.sampled_from(NASTY), st.text())
ANY_TEXTS = st.text(st.characters(exclude_categories=()))
SCALARS = st.one_of(
    TEXTS, ANY_TEXTS, st.booleans(), st.integers(), st.none(), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=8)
SURROGATE = re.compile("[\ud800-\udfff]")


def listed(value: object) -> object:
    """Tuples as the lists that JSON and YAML have."""
    return [listed(item) for item in value] if isinstance(value, tuple) else value


@settings(deadline=None)
@given(VALUES)
def test_python_reads_back(value: literals.Literal) -> None:
    emitted = literals.python(value)
    assert ast.literal_eval(emitted) == value
    assert emitted.isprintable()


@settings(deadline=None)
@given(VALUES)
def test_json_reads_back(value: literals.Literal) -> None:
    emitted = literals.javascript(value)
    assert json.loads(emitted) == listed(value)
    assert emitted.isprintable()


def test_javascript_reads_back() -> None:
    expressions = f"[{', '.join(literals.javascript(text) for text in NASTY)}]"
    try:
        done = subprocess.run(
            ["node", "-e", f"console.log(JSON.stringify({expressions}))"], capture_output=True, text=True, check=True
        )
    except FileNotFoundError:
        pytest.skip("node is not installed here")
    assert json.loads(done.stdout) == list(NASTY)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.one_of(TEXTS, ANY_TEXTS), min_size=1, max_size=12))
def test_bash_reads_back(texts: list[str]) -> None:
    script = "printf '%s\\0' " + " ".join(literals.shell(text) for text in texts)
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    kept = [SURROGATE.sub("\ufffd", text.replace("\0", "\ufffd")) for text in texts]
    assert done.stdout.decode().split("\0")[:-1] == kept


def test_shell_takes_one_word() -> None:
    assert [literals.shell(value) for value in (True, False, None, 7, "a b")] == ["true", "false", "''", "7", "'a b'"]
    with pytest.raises(TypeError):
        literals.shell(("a", "b"))


def held(value: object) -> object:
    """What a family of UTF-8 texts can hold: no half of a surrogate pair."""
    if isinstance(value, tuple):
        return [held(item) for item in value]
    return SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value


def printed(words: list[str], program: str) -> str:
    """What a program prints; skips where its interpreter is missing, which CI must have."""
    if shutil.which(words[0]) is None and os.environ.get("CI") != "true":
        pytest.skip(f"{words[0]} is not installed here")
    return subprocess.run(words, input=program, capture_output=True, text=True, check=True).stdout


@settings(deadline=None, max_examples=10)
@given(st.lists(VALUES, max_size=30).map(tuple))
def test_ruby_reads_back(values: tuple[literals.Literal, ...]) -> None:
    values = (*NASTY, *values)
    emitted = literals.ruby(values)
    assert emitted.isprintable()
    output = printed(
        ["ruby", "-w", "-rjson"], f"def Warning.warn(text, **) = abort(text)\nputs JSON.generate({emitted})"
    )
    assert json.loads(output) == held(values)


@settings(deadline=None, max_examples=10)
@given(st.lists(VALUES, max_size=30).map(tuple))
def test_php_reads_back(values: tuple[literals.Literal, ...]) -> None:
    values = (*NASTY, *values)
    emitted = literals.php(values)
    assert emitted.isprintable()
    exact = ["php", "-d", "serialize_precision=17"]
    assert json.loads(printed(exact, f"<?php echo json_encode({emitted}, JSON_THROW_ON_ERROR);")) == held(values)


@settings(deadline=None, max_examples=10)
@given(st.lists(st.one_of(TEXTS, ANY_TEXTS), max_size=30))
def test_a_comment_ends_with_its_line_in_ruby_and_php(texts: list[str]) -> None:
    comments = [literals.comment(text) for text in (*NASTY, *texts)]
    ruby = "".join(f"# {comment}\n" for comment in comments)
    assert printed(["ruby", "-w"], f"{ruby}def Warning.warn(text, **) = abort(text)\nputs 'the end'") == "the end\n"
    php = "".join(f"// {comment}\n" for comment in comments)
    assert printed(["php"], f"<?php\n{php}echo 'the end';") == "the end"


@settings(deadline=None)
@given(st.one_of(TEXTS, ANY_TEXTS))
def test_yaml_reads_back_with_both_readers(text: str) -> None:
    emitted = f"key: {literals.yaml(text)}\n"
    kept = SURROGATE.sub("\ufffd", text)
    assert YAML(typ="safe").load(io.StringIO(emitted)) == {"key": kept}
    tree = compose(Document("x.yaml", emitted)).value
    assert tree is not None
    assert plain(tree.root) == {"key": kept}


@settings(deadline=None)
@given(st.lists(st.one_of(TEXTS, st.booleans(), st.integers(), st.none()), max_size=5).map(tuple))
def test_yaml_lists_read_back(values: tuple[literals.Literal, ...]) -> None:
    assert YAML(typ="safe").load(literals.yaml(values)) == list(values)


def shown(rendered: str, tag: str) -> str:
    """The text inside the one element *tag*."""
    inner = re.search(rf"<{tag}[^>]*>(.*?)</{tag}>", rendered, re.DOTALL)
    assert inner is not None, rendered
    assert "<" not in inner.group(1).replace("<code>", "").replace("</code>", ""), rendered
    return html.unescape(inner.group(1).replace("<code>", "").replace("</code>", ""))


def expected(text: str) -> str:
    kept = "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)
    return " ".join(kept.split())


@settings(deadline=None)
@given(TEXTS)
def test_markdown_text_shows_itself(text: str) -> None:
    rendered = markdown.markdown(f"{literals.md_text('x' + text)}", extensions=["tables", "attr_list", "def_list"])
    assert shown(rendered, "p") == expected("x" + text)


@settings(deadline=None)
@given(TEXTS.filter(lambda text: expected(text) != ""))
def test_markdown_text_shows_itself_at_the_start_of_a_line(text: str) -> None:
    rendered = markdown.markdown(literals.md_text(text), extensions=["tables", "attr_list", "def_list"])
    assert shown(rendered, "p") == expected(text)


@settings(deadline=None)
@given(TEXTS)
def test_markdown_cell_shows_itself(text: str) -> None:
    table = f"| head | other |\n| --- | --- |\n| {literals.md_cell(text)} | end |\n"
    rendered = markdown.markdown(table, extensions=["tables", "attr_list"])
    assert rendered.count("<td>") == 2
    assert shown(rendered, "td") == (expected(text) or "–")


@settings(deadline=None)
@given(TEXTS)
def test_markdown_code_shows_itself_in_a_cell(text: str) -> None:
    table = f"| head | other |\n| --- | --- |\n| {literals.md_code(text)} | end |\n"
    rendered = markdown.markdown(table, extensions=["tables", "attr_list"])
    assert rendered.count("<td>") == 2
    assert shown(rendered, "td") == expected(text)


@settings(deadline=None)
@given(st.one_of(TEXTS, ANY_TEXTS))
def test_a_comment_stays_one_line_and_does_not_end(text: str) -> None:
    emitted = literals.comment(text)
    assert emitted.isprintable()
    assert "*/" not in emitted
    assert ast.parse(f"# {emitted}\n".encode()).body == []


def test_jq_reads_paths() -> None:
    cases = [
        (("code",), {"code": "x"}),
        (("errors", "*", "code"), {"errors": [{"code": "x"}]}),
        (("data", "*", "c"), {"data": {"m": {"c": "x"}}}),
        (('we"ird\\(1)', "é"), {'we"ird\\(1)': {"é": "x"}}),
        (("errors", "0", "code"), {"errors": [{"code": "x"}, {"code": "y"}]}),
    ]
    for path, document in cases:
        words = ["jq", "-r", f"first({literals.jq_path(path)} | strings)"]
        try:
            done = subprocess.run(words, input=json.dumps(document), capture_output=True, text=True, check=True)
        except FileNotFoundError:
            pytest.skip("jq is not installed here")
        assert done.stdout == "x\n", (path, done)


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_seconds_are_milliseconds(milliseconds: int) -> None:
    assert round(literals.seconds(milliseconds) * 1000) == milliseconds
