"""A fact that holds for some operations alone is told with their names, on every page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.build import Built

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


@pytest.fixture
def home(pages_of: Callable[[str], dict[str, str]]) -> Callable[[str], str]:
    """The home page of the minimal contract with other operations."""

    def page(operations: str) -> str:
        text = MINIMAL[: MINIMAL.index("operations:")] + f"operations:\n{operations}"
        return pages_of(text)["index.md"]

    return page


def test_the_home_page_tells_each_window_with_the_operations_that_have_it(home: Callable[[str], str]) -> None:
    page = home("""\
  POST /a: {safety: keyed, windows: {replay: 3d}}
  POST /b: {safety: keyed, windows: {replay: 5d}}
  POST /c: {safety: keyed, windows: {replay: 5d}}
""")
    assert "24 hours" not in page
    assert "3 days (`POST /a`)<br>5 days (`POST /b`, `POST /c`)" in page
    assert "For `POST /a`:\n" in page
    assert "- `POST /b`, `POST /c`: Within 5 days" in page


def test_one_window_is_told_without_operations(home: Callable[[str], str]) -> None:
    page = home(
        "  POST /a: {safety: keyed, windows: {replay: 3d}}\n  POST /b: {safety: keyed, windows: {replay: 3d}}\n"
    )
    assert "| 3 days |" in page
    assert "POST /a" not in page


def test_the_home_page_promises_no_number_of_attempts_that_one_operation_does_not_keep(
    home: Callable[[str], str],
) -> None:
    page = home("  POST /a: {safety: keyed, retry: {max_attempts: 2}}\n  POST /b: keyed\n")
    assert "up to" not in page.split("## Three steps")[1].split("##")[0]
    assert "2 (`POST /a`)" in page


def test_no_page_tells_the_first_operations_settings_as_those_of_all() -> None:
    """``facts.base`` is one profile of several; what may name it is an example, or the same in all of them."""
    allowed = {"index.md.jinja": 1, "retries.md.jinja": 1}
    folder = Path(__file__).parents[2] / "templates" / "pages"
    found = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8").count("facts.base")
        for path in folder.rglob("*.jinja")
    }
    assert {name: count for name, count in found.items() if count} == allowed


@pytest.mark.parametrize(
    ("override", "page", "both"),
    [
        ("answers: {unknown_outcome: {status: 410, code: gone}}", "failures.md", "410"),
        ("errors: {code_at: /reason}", "errors/index.md", "/reason"),
        ("scope: [path]", "no-promise.md", "path"),
        ("windows: {replay: 3d}", "no-promise.md", "3 days"),
    ],
)
def test_a_second_operations_own_fact_is_told_with_its_name(
    override: str, page: str, both: str, built: Callable[[str], Built]
) -> None:
    text = (
        MINIMAL[: MINIMAL.index("operations:")]
        + f"""\
operations:
  POST /a: keyed
  POST /b: {{safety: keyed, {override}}}
"""
    )
    (found,) = [a.text for a in built(text).artifacts if a.path == page]
    line = next(line for line in found.splitlines() if both in line and "POST /b" in line)
    assert "POST /a" in found.replace(line, "") or "POST /a" in line


KEYED = MINIMAL[: MINIMAL.index("operations:")] + "operations:\n  POST /things: keyed\n"


def test_natural_operations_have_loops_of_their_own_that_send_no_key(built: Callable[[str], Built]) -> None:
    text = (
        KEYED
        + """\
  DELETE /sessions/{id}: {safety: natural, because: gone stays gone, repeat_status: 404}
  PUT /a: {safety: natural, because: replaces the whole}
  PUT /b: {safety: natural, because: replaces the whole}
"""
    )
    artifacts = {a.path: a.text for a in built(text).artifacts}
    section = artifacts["code.md"].split("## Without a key")[1]
    headings = [line for line in section.splitlines() if line.startswith("### ")]
    assert headings == ["### `DELETE /sessions/{id}`", "### `PUT /a`, `PUT /b`"]
    assert "answers 404" in section.split("### `PUT")[0]
    links = re.findall(r"\]\((downloads/[^)]+)\)", section)
    assert len(links) == len(set(links)) >= 6
    for link in links:
        assert artifacts[link] not in {a for path, a in artifacts.items() if path != link}


def test_a_contract_without_natural_operations_has_no_such_section(built: Callable[[str], Built]) -> None:
    assert "## Without a key" not in {a.path: a.text for a in built(KEYED).artifacts}["code.md"]


WITHOUT_OPERATIONS = MINIMAL.split("operations:")[0]
"""The minimal contract without its operations."""


OWN_ERRORS = """\
errors: {media_type: application/json, code_at: /error/code, example: {error: {code: "{code}"}}}
operations:
  POST /payments:
    safety: keyed
    answers: {mismatch: {status: 422, code: pay_reused}}
    errors: {media_type: application/vnd.pay+json, code_at: /pay/code, example: {pay: {code: "{code}"}}}
  POST /refunds: keyed
"""


def test_an_error_page_shows_the_form_of_the_operations_that_answer_it(
    pages_of: Callable[[str], dict[str, str]],
) -> None:
    pages = pages_of(WITHOUT_OPERATIONS + OWN_ERRORS)
    own = pages["errors/pay_reused.md"]
    assert '"pay": {' in own
    assert "application/vnd.pay+json" in own
    assert "application/json" not in own
    general = pages["errors/idempotency_key_reused.md"]
    assert '"error": {' in general
    assert "vnd.pay" not in general
    shared = pages["errors/idempotency_request_in_progress.md"]
    blocks = shared.split("## The response")[1].split("**`")[1:]
    assert [("POST /payments" in block, '"pay": {' in block, '"error": {' in block) for block in blocks] == [
        (True, True, False),
        (False, False, True),
    ]
    assert len(re.findall(r"\| Retry-After \|", shared)) == 1
    assert len(re.findall("^## First request", shared, re.MULTILINE)) == 1
