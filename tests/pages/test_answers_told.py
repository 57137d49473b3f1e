"""What pages and facts say of single answers, titles and waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.build import Built, navigation
from idempact.contract.read import Read
from idempact.facts import Facts
from idempact.facts.checklist import checklist
from idempact.pages.render import front_matter

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


def test_the_sites_name_is_no_markup(built: Callable[[str], Built]) -> None:
    made = built(MINIMAL.replace("name: Acme Payments API", "name: \"</title><script>alert('x')</script>\""))
    settings = navigation(made, None, "docs")
    assert "<" not in settings
    assert "&lt;script&gt;" in settings


def test_a_code_in_a_pages_title_is_no_markup_and_a_long_one_has_a_short_file_name(
    built: Callable[[str], Built],
) -> None:
    code = "<b>reused</b>" + "x" * 300
    made = built(MINIMAL.replace("code: idempotency_key_reused", f'code: "{code}"'))
    (page,) = [a for a in made.artifacts if a.path.startswith("errors/b-reused") and a.path.endswith(".md")]
    assert len(page.path.encode()) < 200
    assert front_matter(page.text)["title"].startswith("&lt;b&gt;reused")


def test_a_cautious_retry_is_none_by_default_where_its_failure_is_kept(read: Callable[[str], Read]) -> None:
    assert "stored_failures: replay" in MINIMAL
    kept, freed = (
        read(MINIMAL.replace("stored_failures: replay", f"stored_failures: {w}")) for w in ("replay", "release")
    )
    assert kept.contract.settings.retry.cautious.retries == 0
    assert {op.settings.retry.cautious.retries for op in kept.contract.operations} == {0}
    assert freed.contract.settings.retry.cautious.retries == 1


@pytest.mark.parametrize(("status", "proves"), [(400, False), (409, True), (422, True)])
def test_a_bare_400_is_no_proof_of_a_mismatch(status: int, proves: bool, read: Callable[[str], Read]) -> None:
    text = re.sub(r"( *)mismatch:.*", rf"\1mismatch: {{answer: reject, status: {status}, code: none}}", MINIMAL)
    rules = {rule.status: rule.retry_class.value for rule in Facts.of(read(text).contract).base.loop.statuses}
    assert (rules.get(status) == "mismatch") is proves


def test_the_checklist_says_equal_things_once(read: Callable[[str], Read]) -> None:
    text = MINIMAL + "publish: {provider: true}\nserver: {store: mysql, regions: home-region}\n"
    (row,) = [a for a in checklist(Facts.of(read(text).contract)) if a.name.key.endswith("undecided-failures")]
    words = dict(row.said[0].value.values)["words"]
    assert len(set(words)) == len(words)


def test_an_accepted_request_tells_where_its_result_comes(pages_of: Callable[[str], dict[str, str]]) -> None:
    accept = 'in_flight: {answer: accept, status: 202, status_url: "/operations/{id}"}'
    pages = pages_of(re.sub(r"in_flight: \{.*\}", accept, MINIMAL))
    assert "accepted, and `/operations/{id}` tells the result" in pages["retry-outcomes.md"]
    assert "with the same key. Ask for the result at `/operations/{id}`. |" in pages["errors/index.md"]


def test_a_least_wait_stands_beside_the_jitter_that_it_cuts(pages_of: Callable[[str], dict[str, str]]) -> None:
    page = pages_of(MINIMAL + "retry: {least_wait: 30s, deadline: 5m}\n")["retries.md"]
    assert "No wait is shorter than 30 seconds." in page
    assert "No wait is shorter" not in pages_of(MINIMAL)["retries.md"]
