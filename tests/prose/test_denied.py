"""Heads that deny what stands under them, and heads that don't."""

from __future__ import annotations

import pytest

from idempact.prose.lint import lint
from idempact.text.span import Document
from idempact.wording.disclaimer import disclaimers, disclaims

CLAIM = "Every payment is processed exactly once."
CHINESE = "保证每笔支付只会执行一次。"
HEADS = [(head, True) for one in disclaimers().values() for head in one.disclaims]
HEADS += [(head, False) for one in disclaimers().values() for head in one.claims]


def rules(text: str, name: str = "a.md") -> list[str]:
    return [d.rule for d in lint(Document(name, text))]


@pytest.mark.parametrize("claim", [CLAIM, CHINESE])
def test_the_claims_of_these_tests_are_found_where_nothing_denies_them(claim: str) -> None:
    assert rules(claim)


@pytest.mark.parametrize(("head", "denies"), HEADS)
def test_heads_of_every_language_deny_their_column_their_list_and_nothing_else(head: str, denies: bool) -> None:
    assert disclaims(head) is denies
    assert bool(rules(f"| {head} | Why |\n|---|---|\n| {CLAIM} | It can't. |\n")) is not denies
    assert bool(rules(f"## {head}\n\n- {CLAIM}\n- Another line.\n")) is not denies
    assert bool(rules(f"<h2>{head}</h2>\n<ul>\n<li>{CLAIM}</li>\n</ul>\n", "a.html")) is not denies
    row = f"<table><tr><th></th><th>{head}</th></tr><tr><td></td><td>{CLAIM}</td></tr></table>"
    assert bool(rules(row, "a.html")) is not denies


@pytest.mark.parametrize(
    "text",
    [
        f"| Myth | Reality |\n|---|---|\n| It can't. | {CLAIM} |\n",
        f"| Topic | Myth |\n|---|---|\n| {CLAIM} | {CLAIM} |\n",
        f"## Myths\n\n{CLAIM}\n",
        f"## Myths\n\n- A line.\n\n## Features\n\n- {CLAIM}\n",
        f"### Myths\n\n- A line.\n\n## Features\n\n- {CLAIM}\n",
        f"| Myth |\n|---|\n| A line. |\n\n| {CLAIM} |\n",
        f"We don't promise much. We do promise:\n\n- {CLAIM}\n",
        f"We don't promise anything.\n\n- {CLAIM}\n",
        f"| {CLAIM} | not guaranteed elsewhere |\n",
    ],
)
def test_a_head_denies_no_more_than_what_stands_under_it(text: str) -> None:
    assert rules(text)


@pytest.mark.parametrize(
    "text",
    [
        f"We don't promise any of the following:\n\n- A line.\n- {CLAIM}\n",
        f"Don't write:\n\n1. A line.\n2. {CLAIM}\n",
        f"| Not guaranteed | {CLAIM} |\n|---|---|\n| x | y |\n",
        f"# Guide\n\nText.\n\n## What we don't promise\n\n### Payments\n\n- {CLAIM}\n",
        f"What we don't promise\n----------------------\n\n* {CLAIM}\n",
        f"## What we don't promise\n\n| Words | Why |\n|---|---|\n| {CLAIM} | It can't. |\n",
        f"我们不承诺以下内容：\n\n- {CHINESE}\n",
        f"| 我们不承诺 | 原因 |\n|---|---|\n| {CHINESE} | 网络会中断。 |\n",
    ],
)
def test_what_a_list_or_a_row_denies_is_no_finding(text: str) -> None:
    assert rules(text) == []


def test_restructured_and_asciidoc_lists_under_such_a_heading_are_denied_too() -> None:
    assert rules(f"Myths\n=====\n\n* {CLAIM}\n", "a.rst") == []
    assert rules(f"== Myths\n\n* {CLAIM}\n", "a.adoc") == []
    assert rules(f"Features\n========\n\n* {CLAIM}\n", "a.rst")
    assert rules(f"== Features\n\n* {CLAIM}\n", "a.adoc")


def test_every_language_of_the_claims_has_heads_that_deny() -> None:
    from idempact.wording.measure import measures

    assert set(disclaimers()) == {one.language for one in measures()}
