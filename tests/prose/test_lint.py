"""What the lint finds, and where: cases in text files, every rule's own cases, and sentences with verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.facts.derive import Facts
from idempact.prose.catalog import Rule, all_rules
from idempact.prose.evaluate import Tally, evaluate, wilson
from idempact.prose.lint import lint
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.span import Document


def _told(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    assert span is not None
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column} {diagnostic.rule}"


def test_markdown(markdown_case: Any) -> None:
    assert [_told(d) for d in lint(Document("a.md", markdown_case.text))] == list(markdown_case.findings)


def test_markdown_with_other_line_ends(markdown_case: Any) -> None:
    for newline in ("\r\n", "\r"):
        text = markdown_case.text.replace("\n", newline)
        assert [_told(d) for d in lint(Document("a.md", text))] == list(markdown_case.findings)


def test_openapi(openapi_case: Any) -> None:
    name = "a.json" if openapi_case.text.startswith("{") else "a.yaml"
    assert [_told(d) for d in lint(Document(name, openapi_case.text))] == list(openapi_case.findings)


def test_openapi_with_windows_line_ends(openapi_case: Any) -> None:
    name = "a.json" if openapi_case.text.startswith("{") else "a.yaml"
    text = openapi_case.text.replace("\n", "\r\n")
    assert [_told(d) for d in lint(Document(name, text))] == list(openapi_case.findings)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_a_rules_own_cases(rule: Rule, contract_facts: Facts) -> None:
    assert re.fullmatch(r"prose/[a-z]+(-[a-z]+)*", rule.id)
    assert rule.what
    assert rule.why
    assert rule.instead
    assert rule.passes
    assert rule.fails
    facts = contract_facts if rule.id.startswith("prose/drift-") else None
    for text in rule.fails:
        assert rule.id in {d.rule for d in lint(Document("a.md", text), facts=facts)}, text
    for text in rule.passes:
        assert [d for d in lint(Document("a.md", text), facts=facts) if facts is None or d.rule == rule.id] == [], text


def test_a_finding_says_why_and_what_to_do() -> None:
    (finding,) = lint(Document("a.md", "Payments run *exactly* once."))
    assert finding.severity is Severity.WARNING
    assert '"exactly once"' in finding.message
    assert "effectively once" in finding.hint


def test_the_subject_names_the_operation() -> None:
    text = "openapi: 3.1.0\npaths:\n  /a:\n    post:\n      summary: exactly once\n"
    assert [d.subject for d in lint(Document("a.yaml", text))] == ["POST /a summary"]


def test_what_has_no_suffix_is_judged_by_what_it_is() -> None:
    assert [_told(d) for d in lint(Document("-", "openapi: 3.1.0\ninfo: {title: exactly once}\n"))] == [
        "2:15-2:27 prose/exactly-once"
    ]
    assert [_told(d) for d in lint(Document("-", "about openapi: it runs exactly once"))] == [
        "1:24-1:36 prose/exactly-once"
    ]


def test_a_broken_document_without_a_name_that_begins_as_openapi_is_told() -> None:
    assert [_told(d) for d in lint(Document("-", "openapi: 3.1.0\ninfo: [\n"))] == ["3:1-3:1 text/yaml-syntax"]


def test_only_the_languages_asked_for() -> None:
    text = "It runs exactly once.\n\n我们提供精确一次投递。\n"
    assert [_told(d) for d in lint(Document("a.md", text), ("zh",))] == ["3:5-3:9 prose/exactly-once"]


# The goals are those of the design for sentences that nobody tuned to; ours were tuned to, so they may not fall below.
_GOALS = {"en": 0.95, "zh": 0.9, "ja": 0.9, "ko": 0.9, "de": 0.9, "fr": 0.9, "es": 0.9, "pt": 0.9}
_TABLES = (
    "sentences.tsv",
    "held_out.tsv",
    "heldout_first.tsv",
    "heldout_second.tsv",
    "heldout_third.tsv",
    "heldout_fourth.tsv",
    "heldout_fifth.tsv",
    "heldout_sixth.tsv",
    "heldout_seventh.tsv",
    "heldout_eighth.tsv",
    "heldout_ninth.tsv",
    "heldout_tenth.tsv",
    "heldout_eleventh.tsv",
    "heldout_twelfth.tsv",
)


def _tallies(paths: Iterable[Path]) -> dict[str, Tally]:
    """The counts per language over several tables."""
    sums: dict[str, list[int]] = {}
    for path in paths:
        evaluation = evaluate(Document(path.name, path.read_text(encoding="utf-8"))).value
        assert evaluation is not None
        for tally in evaluation.tallies:
            counts = sums.setdefault(tally.language, [0, 0, 0, 0])
            for n, count in enumerate((tally.found, tally.missed, tally.wrong, tally.passed)):
                counts[n] += count
    return {language: Tally(language, *counts) for language, counts in sums.items()}


def test_our_sentences_are_judged_as_people_do(sentences: Callable[[str], Path]) -> None:
    tallies = _tallies(map(sentences, _TABLES))
    assert set(tallies) == set(_GOALS)
    for language, goal in _GOALS.items():
        tally = tallies[language]
        assert tally.found + tally.missed >= 30
        assert min(tally.precision or 0, tally.recall or 0) >= goal, tally


def test_the_shared_claims(shared_claims: Path) -> None:
    for language, tally in _tallies([shared_claims]).items():
        assert min(tally.precision or 0, tally.recall or 0) >= _GOALS[language], tally


@pytest.mark.parametrize(
    ("hits", "trials", "bounds"), [(0, 0, None), (10, 10, (0.722, 1.0)), (0, 10, (0.0, 0.278)), (9, 10, (0.596, 0.982))]
)
def test_intervals_are_wilsons(hits: int, trials: int, bounds: tuple[float, float] | None) -> None:
    found = wilson(hits, trials)
    assert (found is None) == (bounds is None)
    if found and bounds:
        assert found == pytest.approx(bounds, abs=0.001)


def test_a_table_of_verdicts_that_is_none() -> None:
    checked = evaluate(
        Document("a.tsv", "verdict\tlang\tsentence\nflag\ten\tExactly once.\nmaybe\ten\tExactly once.\n\nok\ten\n")
    )
    assert checked.value is None
    assert [_told(d) for d in checked.diagnostics] == [
        "3:1-3:23 prose/malformed-verdict",
        "5:1-5:6 prose/malformed-verdict",
    ]


def test_counts() -> None:
    table = (
        "verdict\tlang\tsentence\nflag\ten\tExactly once.\nflag\ten\tHello.\nok\ten\tExactly once.\nok\ten\tHello.\n"
    )
    evaluation = evaluate(Document("a.tsv", table)).value
    assert evaluation is not None
    (tally,) = evaluation.tallies
    assert (tally.found, tally.missed, tally.wrong, tally.passed) == (1, 1, 1, 1)
    assert (tally.precision, tally.recall) == (0.5, 0.5)
    assert [m.line for m in evaluation.misjudged] == [3, 4]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Unsere API ist vollständig idempotent.", "vollständig idempotent"),
        ("再試行は何度でも安全です。", "何度でも"),
        ("Runs Exactly\nONCE.", "Exactly ONCE"),
        ("Runs ex\u200bactly\u202e once.", "exactly once"),
        ("每筆付款保證只會執行一次。", "執行一次"),
        ("Runs **exactly**&nbsp;_once_.", '"exactly once"'),
    ],
)
def test_a_message_quotes_its_author(text: str, quoted: str) -> None:
    found = lint(Document("a.md", text))
    assert found
    assert any(quoted in d.message for d in found), [d.message for d in found]


@given(st.sampled_from(["exactly once", "guarantees that it is done only once"]), st.text(max_size=300))
def test_a_quotation_is_short_and_on_one_line(claim: str, around: str) -> None:
    for found in lint(Document("a.md", f"Each payment runs {claim} {around} exactly once.")):
        assert len(found.message) < 200
        assert found.message.isprintable()


def test_of_a_long_finding_both_ends_are_quoted() -> None:
    text = "We ensure that " + "each of the very many and very different " * 2 + "payments is done only once."
    found = [d for d in lint(Document("a.md", text)) if d.rule == "prose/only-once-promise"]
    assert [d.message.count(" … ") for d in found] == [1]
    assert found[0].message.startswith('"ensure that each of the very many')
    assert 'only once"' in found[0].message
