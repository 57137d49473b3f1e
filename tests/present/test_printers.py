"""Every finding format says the same, and none is fooled by what it prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.present import formats, present
from idempact.text.present.sarif import uri
from idempact.text.present.text import WINDOW, display_width, excerpt
from idempact.text.span import Document


@pytest.fixture(params=formats())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_promised_formats_are_there() -> None:
    assert {"text", "json", "sarif", "github"} <= set(formats())


def test_a_format_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError):
        present("xml", (), {})


def test_every_finding_is_told_with_rule_place_and_severity(name: str, plain: Any) -> None:
    told = present(name, plain.diagnostics, plain.documents)
    for diagnostic in plain.diagnostics:
        assert diagnostic.rule in told
        assert diagnostic.message in told
    assert told.count("contract/contract.yaml") >= 2
    assert told.endswith("\n")
    assert told == present(name, plain.diagnostics, plain.documents)


def test_hostile_text_can_be_written_and_forges_nothing(name: str, hostile: Any) -> None:
    for color in (False, True):
        told = present(name, hostile.diagnostics, hostile.documents, color)
        told.encode("utf-8")
        assert "\x1b[31m" not in told.replace("\\u001b", "")
        assert not re.search(r"^::error", told, re.MULTILINE)


def test_a_missing_text_is_told_without_a_quote(name: str, plain: Any) -> None:
    told = present(name, plain.diagnostics, {})
    assert all(diagnostic.rule in told for diagnostic in plain.diagnostics)


def test_text_reads_as_the_house_says(plain: Any) -> None:
    assert present("text", plain.diagnostics, plain.documents) == (
        "contract/contract.yaml:2:11: error: replay window 24h is shorter than the longest retry chain 7d"
        " [contract/window-shorter-than-chain]\n"
        "  |\n"
        "2 |   replay: 24h\n"
        "  |           ^^^\n"
        "  = longest chain: contract/contract.yaml:1:1\n"
        "  = help: raise windows.replay to at least 7d, or shorten the chain\n"
        "\n"
        "contract/contract.yaml:1:1: error: another [contract/other]\n"
        "  |\n"
        "1 | windows:\n"
        "  | ^^^^^^^\n"
        "\n"
        "warning: mild [contract/mild]\n"
        "\n"
        "2 errors, 1 warning\n"
    )


def test_color_adds_nothing_but_escape_sequences(plain: Any) -> None:
    colored = present("text", plain.diagnostics, plain.documents, True)
    assert "\x1b[" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == present("text", plain.diagnostics, plain.documents)


def test_no_findings_print_nothing_for_people_and_an_empty_report_for_programs() -> None:
    assert present("text", (), {}) == ""
    assert present("github", (), {}) == ""
    assert json.loads(present("json", (), {}))["findings"] == []
    assert json.loads(present("sarif", (), {}))["runs"][0]["results"] == []


def test_chinese_characters_are_two_columns_wide_and_tabs_stay_aligned() -> None:
    assert excerpt("我们保证精确一次投递", 5, 9) == ("我们保证精确一次投递", 8, 8)
    assert excerpt("\tkey: value", 2, 5) == ("    key: value", 4, 3)
    assert excerpt("ab\tkey", 4, 7) == ("ab  key", 4, 3)


def test_a_long_line_is_cut_to_a_window_around_the_caret() -> None:
    shown, before, width = excerpt("x" * 500 + "BAD" + "y" * 500, 501, 504)
    assert shown[before : before + width] == "BAD"
    assert 20 <= before <= WINDOW - 20
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert display_width(shown) == WINDOW + 2
    shown, before, width = excerpt("x" * 500 + "BAD", 501, 504)
    assert (shown[before : before + width], display_width(shown)) == ("BAD", WINDOW + 1)


class _Counted(str):
    """A line that counts the characters taken from it."""

    taken = 0

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = super().__getitem__(key)
        _Counted.taken += len(part)
        return part

    def __iter__(self) -> Iterator[str]:
        _Counted.taken += len(self)
        return super().__iter__()


@pytest.mark.parametrize("piece", ["Payments run exactly once. ", "精确一次。", "\t", "\u0301\u200b", "\U0001f600"])
def test_many_findings_on_one_long_line_are_told_in_work_linear_in_the_findings(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(findings: int) -> tuple[int, int]:
        text = f"first\n{piece * (20 * findings)}\nlast\n"
        begin, step = text.index("\n") + 1, 20 * len(piece)
        document = Document("f.md", text)
        told = tuple(
            Diagnostic("area/rule", Severity.NOTE, "m", document.span(at, at + len(piece)))
            for at in range(begin, begin + step * findings, step)
        )
        _Counted.taken, lines = 0, 0
        plain = Document.line

        def line(self: Document, number: int) -> str:
            nonlocal lines
            lines += 1
            return _Counted(plain(self, number))

        with monkeypatch.context() as patched:
            patched.setattr(Document, "line", line)
            assert present("text", told, {"f.md": text}).count("[area/rule]") == findings
        return _Counted.taken, lines

    once, eight = work(100), work(800)
    assert once[0] > 0
    assert eight[0] <= 8.5 * once[0]
    assert (once[1], eight[1]) == (1, 1)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n")), st.integers(-5, 400), st.integers(-5, 400))
def test_the_caret_stays_within_the_shown_line_for_any_line(line: str, start: int, end: int) -> None:
    shown, before, width = excerpt(line * 3, start, end)
    assert before >= 0
    assert width >= 1
    assert before + width <= max(display_width(shown), before) + 1
    assert display_width(shown) <= WINDOW + 6


def test_json_holds_every_member(plain: Any) -> None:
    report = json.loads(present("json", plain.diagnostics, plain.documents))
    first = report["findings"][0]
    assert first["place"] == {
        "path": "contract/contract.yaml",
        "line": 2,
        "column": 11,
        "end_line": 2,
        "end_column": 14,
    }
    assert first["related"][0]["place"]["line"] == 1
    assert (first["subject"], first["severity"]) == ("windows.replay", "error")
    assert report["findings"][2]["place"] is None
    assert report["summary"] == {"errors": 2, "warnings": 1, "notes": 0}


def test_sarif_has_the_members_that_the_standard_requires(hostile: Any, plain: Any) -> None:
    for told in (hostile, plain):
        log = json.loads(present("sarif", told.diagnostics, told.documents))
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("sarif-schema-2.1.0.json")
        (run,) = log["runs"]
        driver = run["tool"]["driver"]
        assert driver["name"] == "idempact"
        assert run["columnKind"] == "unicodeCodePoints"
        assert len(run["results"]) == len(told.diagnostics)
        for result, diagnostic in zip(run["results"], told.diagnostics, strict=True):
            assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.rule
            assert result["level"] in {"error", "warning", "note"}
            assert result["message"]["text"]
            for location in [*result.get("locations", []), *result.get("relatedLocations", [])]:
                region = location["physicalLocation"]["region"]
                assert region["startLine"] >= 1
                assert region["startColumn"] >= 1
                assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
            assert ("locations" in result) == (diagnostic.span is not None)


def test_sarif_text_holds_no_placeholder_and_no_link(hostile: Any) -> None:
    text = json.loads(present("sarif", hostile.diagnostics, hostile.documents))["runs"][0]["results"][0]["message"][
        "text"
    ]
    assert "{{0}}" in text
    assert not re.search(r"(?<!\{)\{0\}", text)
    assert not re.search(r"(?<!\\)\]\(", text)


def test_sarif_paths_are_uri_references() -> None:
    assert uri("a b/c:d.yaml") == "a%20b/c%3Ad.yaml"
    assert uri("/x/y.md") == "file:///x/y.md"
    assert uri("docs\\文.md") == "docs/%E6%96%87.md"


def test_github_escapes_what_its_commands_give_a_meaning(hostile: Any) -> None:
    told = present("github", hostile.diagnostics, hostile.documents)
    (line,) = told.splitlines()
    parts = re.fullmatch(r"::warning ([^:]*)::(.*)", line)
    assert parts is not None
    head, message = parts.groups()
    properties = dict(part.split("=", 1) for part in head.split(","))
    assert properties["file"] == "a%2Cb/c%3Ad %25%0A.yaml"
    assert (properties["line"], properties["endLine"]) == ("1", "2")
    assert "col" not in properties
    assert message.startswith("50%25 of {0}, [a](1)%0A::error::forged%0A")


@given(st.text(), st.text(), st.text(st.characters(codec="utf-8")), st.integers(0, 60), st.integers(0, 60))
def test_any_text_can_be_told_in_any_format(message: str, hint: str, text: str, start: int, end: int) -> None:
    document = Document("f.md", text)
    span = document.span(min(start, len(text)), min(max(start, end), len(text)))
    diagnostic = Diagnostic("area/rule", Severity.NOTE, message, span, hint=hint)
    for name in formats():
        told = present(name, (diagnostic,), {"f.md": text})
        told.encode("utf-8")
        if name in ("json", "sarif"):
            json.loads(told)
        if name == "github":
            assert len(told.split("\n")) == 2
