"""The integrators' pages, read as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.check import checked
from idempact.facts import Facts
from idempact.pages.render import cell, fenced, front_matter, render
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
MINIMAL = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")


def pages(text: str) -> dict[str, str]:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    assert not read.broken, read.diagnostics
    return {a.path: a.text for a in render(Facts.of(read.value.contract), "en", ()).artifacts}


@pytest.fixture(scope="module")
def example() -> dict[str, str]:
    return pages(EXAMPLE)


def test_the_promise_reads_as_designed(example: dict[str, str]) -> None:
    text = " ".join(example["index.md"].split())
    assert (
        "Within 24 hours after the first request, repeats with the same key and the same content "
        "from the same account, for the same operation, return the stored response and don't run the operation again. "
        "After that, a reused key is a new request. Requests with a different key are separate operations."
    ) in text


def test_every_machine_code_has_a_page_at_its_problem_type(example: dict[str, str]) -> None:
    codes = re.findall(r"code: (idempotency_\w+)", EXAMPLE)
    shown = [code for code in codes if code != "idempotency_key_spent"]
    assert len(shown) == 6
    for code in shown:
        page = example[f"errors/{code}.md"]
        assert f"https://docs.acme.example/errors/{code}" in page
        assert f"[`{code}`]({code}.md)" in example["errors/index.md"]


def test_the_schedule_has_the_numbers_of_the_contract(example: dict[str, str]) -> None:
    rows = re.findall(r"^\| (\d) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", example["retries.md"], re.M)
    assert rows == [
        ("1", "0 seconds", "0 seconds", "0 seconds", "0 seconds"),
        ("2", "0 seconds", "1 second", "1 second", "11 seconds"),
        ("3", "0 seconds", "2 seconds", "3 seconds", "23 seconds"),
        ("4", "0 seconds", "4 seconds", "7 seconds", "37 seconds"),
        ("5", "0 seconds", "8 seconds", "15 seconds", "55 seconds"),
    ]
    assert "all attempts (5) and their waits take 65 seconds; the deadline is 75 seconds" in example["retries.md"]


def test_the_decision_table_has_nine_states_and_no_empty_cell(example: dict[str, str]) -> None:
    rows = [line.strip("|").split(" | ") for line in example["retry-outcomes.md"].splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + 9
    assert all(len(row) == 3 and all(c.strip() for c in row) for row in rows)


def test_navigation_is_in_order_and_has_no_page_per_code(example: dict[str, str]) -> None:
    orders = {path: int(front_matter(text)["order"]) for path, text in example.items() if "order" in front_matter(text)}
    assert len(set(orders.values())) == len(orders)
    assert min(orders, key=lambda path: orders[path]) == "index.md"
    assert not [path for path in orders if path.startswith("errors/") and path != "errors/index.md"]


def test_every_link_between_pages_leads_somewhere(example: dict[str, str]) -> None:
    for path, text in example.items():
        folder = Path(path).parent
        for target in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", text):
            linked = (folder / target).as_posix()
            parts: list[str] = []
            for part in linked.split("/"):
                if part == "..":
                    parts.pop()
                elif part != ".":
                    parts.append(part)
            assert "/".join(parts) in example, (path, target)


def test_an_undocumented_api_gets_no_invented_fact() -> None:
    text = """\
idempact: 1
written_by: observer
api: {name: Silent API, base_url: https://silent.example, contact: not-documented}
key: {name: Idempotency-Key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {POST /things: keyed}
"""
    found = pages(text)
    glance = found["index.md"].split("## Facts at a glance")[1]
    assert glance.count("not documented") == 6
    assert "No machine codes are documented" in found["errors/index.md"]
    assert not [path for path in found if path.startswith("errors/") and path != "errors/index.md"]
    everything = "\n".join(found.values())
    for claim in ("24 hours", "idempotency_", "409", "422", "byte for byte", "Location"):
        assert claim not in everything, claim


def test_a_key_that_is_kept_forever_promises_no_afterwards() -> None:
    found = pages(MINIMAL.replace("replay: 24h", "replay: forever"))
    assert "After that, a reused key" not in "\n".join(found.values())
    assert "A key is kept for good" in found["index.md"]


HOSTILE = [
    "a|b",
    "`tick`",
    "<script>alert(1)</script>",
    "[x](javascript:1)",
    "**bold**",
    "{{ 7*7 }}",
    "# h",
    "é中文",
    "a\\",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_of_the_contract_stays_text(name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    found = pages(MINIMAL.replace("because: takes no key", f'because: "{quoted}"').replace("Acme Payments API", "A"))
    page = found["operations.md"]
    assert "<script" not in page
    assert "](javascript" not in page
    assert "49" not in page
    table = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", line)) for line in table} == {6}


@given(st.text(max_size=80))
def test_any_code_stays_inside_its_fence(code: str) -> None:
    text = fenced(code, "text")
    lines = text.split("\n")
    assert lines[0] == lines[-1] + "text"
    assert not any(line.strip() == lines[-1] for line in lines[1:-1])


@given(st.text(alphabet="ab|\\\n `", max_size=40))
def test_a_cell_is_one_line_without_a_bare_pipe(text: str) -> None:
    assert not re.search(r"(?<!\\)\||\n", cell(text))


def test_a_rejected_expired_key_is_promised_only_while_its_record_is_kept() -> None:
    rejecting = MINIMAL.replace(
        "expired_key: {answer: execute}", "expired_key: {answer: reject, status: 410, code: key_expired}"
    )
    found = pages(rejecting)
    assert (
        "a reused key is rejected while its record is kept (72 hours in all); later it is a new request"
        in (found["index.md"])
    )


def test_an_error_instead_of_a_replay_is_not_described_as_one() -> None:
    contract = MINIMAL.replace("fidelity: stored-response", "fidelity: error").replace(
        "answers:\n", "answers:\n  completed: {status: 409, code: already_done}\n"
    )
    page = pages(contract)["retry-outcomes.md"].split("## What a replay looks like")[1]
    assert page.count("\n- ") == 1
    assert "status of the first response" not in page


def test_an_accepted_request_says_where_to_ask() -> None:
    line = next(row for row in MINIMAL.splitlines() if row.startswith("  in_flight:"))
    contract = MINIMAL.replace(line, '  in_flight: {answer: accept, status: 202, status_url: "/operations/{id}"}')
    assert "accepted, and `/operations/{id}` tells the result" in pages(contract)["retry-outcomes.md"]


def test_a_drawing_begins_with_the_first_request_only_where_that_is_documented() -> None:
    from idempact.diagrams import drawings
    from idempact.render.environment import template_roots
    from idempact.render.words import Words

    for counted, shown in (("first-request", "first request"), ("completion", "begin of the window")):
        text = MINIMAL.replace("windows:\n", f"windows:\n  counted_from: {counted}\n")
        tree = compose(Document("c.yaml", text)).value
        assert tree is not None
        read = checked(tree)
        assert read.value is not None
        made = {d.name: d.svg for d in drawings(Facts.of(read.value.contract), Words.load("en", template_roots()))}
        assert f">{shown}<" in made["timeline-1"]
