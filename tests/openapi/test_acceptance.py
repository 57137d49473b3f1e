"""Fifteen things that people found broken after other tools had edited their files, each as a small file."""

from __future__ import annotations

import difflib
import json

import pytest

from idempact.openapi.inject import inject
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'


@pytest.fixture
def injected(planner, back_and_forth, unchanged):
    """Inject into a text, prove it by the general means, and give the result with its removed lines."""

    def run(text, path="api.yaml"):
        api, after, diagnostics = back_and_forth(text, planner(), path)
        unchanged(path, text, after)
        old, new = (part.splitlines(keepends=True) for part in (text, after))
        removed = [line for line in difflib.ndiff(old, new) if line.startswith("- ")]
        return api, after, removed, diagnostics

    return run


def _operation(extra="", responses="'200':\n          description: ok"):
    return f"{HEAD}  /a:\n    post:\n{extra}      responses:\n        {responses}\n"


def test_1_every_comment_stays(injected):
    text = (
        "# licence\n"
        + HEAD
        + "  # about /a\n  /a:   # behind a key\n    # about post\n    post:\n      # parameters: none yet\n"
        "      responses:   # below\n        '200':   # fine\n          description: ok   # yes\n        # after 200\n"
        "      # end of post\n  # end of paths\n# end of the file\n"
    )
    _, after, removed, _ = injected(text)
    assert removed == []
    assert [line for line in after.splitlines() if line in text.splitlines()] == text.splitlines()


def test_2_the_dashes_leading_comments_and_the_order_stay(injected):
    text = "# first\n---\n# second\n" + _operation() + "zebra: 1\nalpha: 2\n"
    text = text.replace("zebra", "x-zebra").replace("alpha", "x-alpha")
    _, after, removed, _ = injected(text)
    assert removed == []
    assert after.startswith("# first\n---\n# second\nopenapi: 3.1.0\n")
    assert after.index("x-zebra") < after.index("x-alpha")


ALIASED = (
    HEAD
    + "  /a:\n    post:\n      responses: &r\n        '200': {description: ok}\n"
    + "  /b:\n    post:\n      responses: *r\n  /c:\n    post:\n      <<: {summary: s}\n      responses: {'200': {}}\n"
)


def test_3_anchors_and_merges_stay_and_nothing_is_edited_through_them(injected):
    api, after, _, diagnostics = injected(ALIASED)
    assert after.count("&r") == 1
    assert after.count("*r") == 1
    assert "<<: {summary: s}" in after
    assert "      responses: &r\n        '200': {description: ok}\n" in after, "the anchored responses grow nowhere"
    assert "parameters" in api["paths"]["/b"]["post"], "beside the alias, at its use, the operation is edited"
    assert set(api["paths"]["/c"]["post"]["responses"]) == {"200", "400", "409"}, "the merge supplies none of these"
    told = [(d.severity, d.span.line) for d in diagnostics if d.rule == "openapi/indirect-container"]
    assert {line for _, line in told} >= {6, 10}
    assert all(severity is Severity.WARNING for severity, _ in told)


@pytest.mark.parametrize("word", ["'no'", '"on"', "'12:30:45'", "'2026-11-30'", "'~'", "'0x1F'", "'null'"])
def test_4_quotes_stay(word, injected):
    text = _operation(f"      summary: {word}\n      x-list: [{word}, {word}]\n")
    _, after, removed, _ = injected(text)
    assert removed == []
    assert f"      summary: {word}\n      x-list: [{word}, {word}]\n" in after


@pytest.mark.parametrize("word", ['"0755"', '"015711521886"', '"1e3"', "0755", "1e3", "0o17", "1_000", "9" * 40])
def test_5_leading_zeros_and_exponents_stay(word, injected):
    _, after, removed, _ = injected(_operation(f"      x-example: {word}\n"))
    assert removed == []
    assert f"      x-example: {word}\n" in after


@pytest.mark.parametrize("date", ["2024-04-31", "2024-04-31T12:50:14+00:00", '"2024-02-30"', "2024-13-01"])
def test_6_dates_that_do_not_exist_are_only_texts(date, injected):
    _, after, removed, _ = injected(_operation(f"      x-created: {date}\n"))
    assert removed == []
    assert f"x-created: {date}\n" in after


def test_7_long_lines_are_not_folded(injected):
    long = "word " * 4_000 + "end"
    text = _operation(f"      description: {long}\n      summary: '{long}'\n")
    _, after, removed, _ = injected(text)
    assert removed == []
    assert after.count(long) == 2


@pytest.mark.parametrize("head", ["|", "|-", "|+", "|2-", "|2+", ">", ">-", ">+", ">2"])
@pytest.mark.parametrize("tail", ["", "\n", "\n\n"])
def test_8_block_texts_keep_their_signs_and_blank_lines(head, tail, injected):
    lines = ["          two more", "        text"]
    if "2" not in head:
        lines.reverse()
    block = f"      description: {head}\n{lines[0]}\n{lines[1]}\n\n        end\n{tail}"
    text = _operation(block)
    for place in (text, text.replace(block, "") + block):
        _, after, removed, _ = injected(place)
        assert removed == []
        # Blank lines that the text keeps are a part of it; others belong to what follows.
        assert (block if "+" in head else block.rstrip("\n") + "\n") in after


def test_9_crlf_stays_everywhere(injected):
    _, after, removed, _ = injected(_operation().replace("\n", "\r\n"))
    assert removed == []
    assert after.count("\n") == after.count("\r\n") > 50
    _, after, _, _ = injected(_operation().replace("\n", "\r\n").rstrip("\r\n"))
    assert after.count("\n") == after.count("\r\n")
    assert not after.endswith("\n")


def test_10_a_byte_order_mark_and_tabs_in_texts_stay(injected, planner):
    text = "\ufeff" + _operation("      description: |\n        a\tb\n        \tc\n")
    _, after, removed, _ = injected(text)
    assert removed == []
    assert after.startswith("\ufeffopenapi")
    assert "        a\tb\n        \tc\n" in after
    refused = inject(Document("api.yaml", HEAD + "\t/a: {}\n"), planner())
    assert refused.value is None
    assert (refused.diagnostics[0].span.line, refused.diagnostics[0].span.column) == (4, 1)
    assert refused.diagnostics[0].hint


VALUE = {
    "openapi": "3.1.0",
    "paths": {"/a": {"post": {"tags": ["a", "b"], "responses": {"200": {"description": "\u00e9 \U0001f600"}}}}},
}


@pytest.mark.parametrize("indent", [None, 1, 2, 3, 4, "\t"])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (",", " : ")])
@pytest.mark.parametrize("end", ["", "\n"])
def test_11_json_keeps_its_form(indent, separators, end, injected):
    text = json.dumps(VALUE, indent=indent, separators=separators) + end
    _, after, removed, _ = injected(text, "api.json")
    assert after.endswith("}" + end)
    assert ("\n" in after.rstrip("\n")) == (indent is not None)
    assert '"\\u00e9 \\ud83d\\ude00"' in after, "escapes stay"
    assert len(removed) <= 4, "only a line that gains a comma differs"
    if indent is not None:
        step = "\t" if indent == "\t" else " " * indent
        assert f'\n{step}"x-idempotency"{separators[1]}{{\n{step}{step}"' in after


@pytest.mark.parametrize(
    "text",
    [
        _operation(responses="'200': {description: a}\n        '200': {description: b}"),
        HEAD + "  /a: {post: {}}\n  /a: {post: {}}\n",
        HEAD + "  /a:\n    post: {}\n    post: {}\n",
        json.dumps(VALUE).replace('"tags"', '"responses": {}, "tags"'),
    ],
)
def test_12_duplicate_keys_are_refused_with_both_places(text, planner):
    path = "api.json" if text.startswith("{") else "api.yaml"
    found = inject(Document(path, text), planner())
    assert found.value is None
    (finding,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
    assert finding.rule == "text/duplicate-key"
    assert finding.span != finding.related[0].span
    assert finding.hint


@pytest.mark.parametrize(("quote", "status"), [("", "409"), ("'", "409"), ('"', "409")])
def test_13_a_bare_status_is_the_same_status(quote, status, injected):
    text = _operation(responses=f"{quote}{status}{quote}: {{description: closed}}")
    api, after, _, _ = injected(text)
    assert list(api["paths"]["/a"]["post"]["responses"]) == ["409", "400"]
    assert f"\n        {quote}400{quote}:\n" in after


@pytest.mark.parametrize("word", ["😀 mollie", '"caf\\u00e9"', "'漢字: no'", '"\\U0001F600"', "é\u00a0x"])
def test_14_emoji_and_escapes_stay(word, injected):
    word = word if word[0] in "\"'" else f"'{word}'"
    _, after, removed, _ = injected(_operation(f"      summary: {word}\n"))
    assert removed == []
    assert f"      summary: {word}\n" in after


SAME = "required: true, description: d, schema: {type: string, maxLength: 255}"
DECLARED = [
    _operation(f"      parameters: [{{name: idempotency-KEY, in: header, {SAME}}}]\n"),
    _operation().replace("    post:", f"    parameters: [{{name: Idempotency-Key, in: header, {SAME}}}]\n    post:"),
    _operation("      parameters: [{$ref: '#/components/parameters/K'}]\n")
    + f"components: {{parameters: {{K: {{name: X-Idempotency-Key, in: header, {SAME}}}}}}}\n",
    _operation(f"      parameters: [{{name: idempotency_key, in: query, {SAME}}}]\n"),
]


@pytest.mark.parametrize("text", DECLARED)
def test_15_a_key_that_is_there_gets_no_twin(text, injected):
    _, after, _, _ = injected(text)
    assert "IdempotencyKey" not in after
    assert after.lower().count("name: ") == text.lower().count("name: ")
