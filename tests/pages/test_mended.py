"""Faults that a fresh pair of eyes found, each as a test of its kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from idempact.build import Built, build, navigation
from idempact.contract.check import checked
from idempact.contract.read import Read
from idempact.facts import Facts
from idempact.facts.verdicts import ResultKind, State
from idempact.pages.render import front_matter
from idempact.text.nodes import compose
from idempact.text.span import Document

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


def read(text: str) -> Read:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    found = checked(tree)
    assert found.value is not None
    assert not found.broken, found.diagnostics
    return found.value


def built(text: str) -> Built:
    made = build(read(text), contract_name="contract.yaml").value
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("window", "kinds"),
    [
        ("24h", [ResultKind.EXECUTE]),
        ("{at_least: 24h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
        ("{at_least: 24h, at_most: 48h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
    ],
)
def test_past_a_window_without_a_fixed_end_either_can_happen(window: str, kinds: list[ResultKind]) -> None:
    facts = Facts.of(read(MINIMAL.replace("  replay: 24h", f"  replay: {window}")).contract)
    row = next(row for row in facts.base.verdicts if row.state is State.EXPIRED)
    assert [result.kind for result in row.same] == kinds


def test_the_sites_name_is_no_markup() -> None:
    made = built(MINIMAL.replace("name: Acme Payments API", "name: \"</title><script>alert('x')</script>\""))
    settings = navigation(made, None, "docs")
    assert "<" not in settings
    assert "&lt;script&gt;" in settings


def test_a_code_in_a_pages_title_is_no_markup_and_a_long_one_has_a_short_file_name() -> None:
    code = "<b>reused</b>" + "x" * 300
    made = built(MINIMAL.replace("code: idempotency_key_reused", f'code: "{code}"'))
    (page,) = [a for a in made.artifacts if a.path.startswith("errors/b-reused") and a.path.endswith(".md")]
    assert len(page.path.encode()) < 200
    assert front_matter(page.text)["title"].startswith("&lt;b&gt;reused")


def test_a_cautious_retry_is_none_by_default_where_its_failure_is_kept() -> None:
    assert "stored_failures: replay" in MINIMAL
    kept, freed = (
        read(MINIMAL.replace("stored_failures: replay", f"stored_failures: {w}")) for w in ("replay", "release")
    )
    assert kept.contract.settings.retry.cautious.retries == 0
    assert {op.settings.retry.cautious.retries for op in kept.contract.operations} == {0}
    assert freed.contract.settings.retry.cautious.retries == 1


def home(overrides: str) -> str:
    operations = MINIMAL[: MINIMAL.index("operations:")] + f"operations:\n{overrides}"
    (page,) = [a for a in built(operations).artifacts if a.path == "index.md"]
    return page.text


def test_the_home_page_tells_each_window_with_the_operations_that_have_it() -> None:
    page = home("""\
  POST /a: {safety: keyed, windows: {replay: 3d}}
  POST /b: {safety: keyed, windows: {replay: 5d}}
  POST /c: {safety: keyed, windows: {replay: 5d}}
""")
    assert "24 hours" not in page
    assert "3 days (`POST /a`)<br>5 days (`POST /b`, `POST /c`)" in page
    assert "For `POST /a`\n" in page
    assert "- `POST /b`, `POST /c`: Within 5 days" in page


def test_one_window_is_told_without_operations() -> None:
    page = home(
        "  POST /a: {safety: keyed, windows: {replay: 3d}}\n  POST /b: {safety: keyed, windows: {replay: 3d}}\n"
    )
    assert "| 3 days |" in page
    assert "POST /a" not in page


def test_the_home_page_promises_no_number_of_attempts_that_one_operation_does_not_keep() -> None:
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
def test_a_second_operations_own_fact_is_told_with_its_name(override: str, page: str, both: str) -> None:
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


@pytest.mark.parametrize(
    ("form", "template"),
    [
        ("uuid-v5", "payment/{payment_id}"),
        ('{pattern: "payment-[0-9]{6,12}"}', "payment-{payment_id}"),
        ("visible-ascii", "payment-{payment_id}"),
    ],
)
def test_the_keys_page_advises_no_key_that_the_form_refuses(form: str, template: str) -> None:
    text = MINIMAL.replace("required: true", f"required: true, format: {form}").replace("  POST /refunds: keyed\n", "")
    own = f'POST /payments: {{safety: keyed, key: {{derivation: {{event: "{template}"}}}}}}'
    text = re.sub("POST /payments: keyed", lambda _: own, text)
    files = {artifact.path: artifact.text for artifact in built(text).artifacts}
    page = files["keys.md"]
    assert ("UUID version 4" in page) == (form == "visible-ascii")
    assert f"`{template}` as `" in page
    assert ("or random" in files["operations.md"]) is False


KEYED = MINIMAL[: MINIMAL.index("operations:")] + "operations:\n  POST /things: keyed\n"


def test_natural_operations_have_loops_of_their_own_that_send_no_key() -> None:
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


def test_a_contract_without_natural_operations_has_no_such_section() -> None:
    assert "## Without a key" not in {a.path: a.text for a in built(KEYED).artifacts}["code.md"]


@pytest.mark.parametrize(("status", "proves"), [(400, False), (409, True), (422, True)])
def test_a_bare_400_is_no_proof_of_a_mismatch(status: int, proves: bool) -> None:
    text = re.sub(r"( *)mismatch:.*", rf"\1mismatch: {{answer: reject, status: {status}, code: none}}", MINIMAL)
    rules = {rule.status: rule.retry_class.value for rule in Facts.of(read(text).contract).base.loop.statuses}
    assert (rules.get(status) == "mismatch") is proves
