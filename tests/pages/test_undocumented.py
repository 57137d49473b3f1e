"""What an observer's contract leaves undocumented is said to be so, and nothing is claimed in its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.contract.read import Read
from idempact.contract.write import write


@pytest.mark.parametrize("carrier", ["not-documented", "{name: Idempotency-Key, required: true}"])
def test_the_home_page_says_how_a_key_is_sent_only_where_that_is_known(
    carrier: str, pages_of: Callable[[str], dict[str, str]]
) -> None:
    page = pages_of(OBSERVED.replace("key: not-documented", f"key: {carrier}"))["index.md"]
    (step,) = [line for line in page.splitlines() if line.startswith("2. ")]
    assert ("not documented" in step) is False
    assert ("`Idempotency-Key`" in step) is (carrier != "not-documented")


OBSERVED = """\
idempact: 1
written_by: observer
api: {name: Obs API, base_url: not-documented, contact: https://a.example/s}
key: not-documented
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
errors: not-documented
operations: {POST /payments: keyed, "PUT /x": {safety: not-documented}, "PUT /y": not-documented}
publish: {provider: true, locales: [en, zh]}
"""


def test_a_safety_that_nobody_documents_is_no_claim(
    read: Callable[[str], Read], pages_of: Callable[[str], dict[str, str]]
) -> None:
    found = read(OBSERVED)
    kinds = {str(op.key): (str(op.safety), op.unsafe) for op in found.contract.operations}
    assert kinds == {
        "POST /payments": ("keyed", False),
        "PUT /x": ("not-documented", True),
        "PUT /y": ("not-documented", True),
    }
    again = read(write(found.contract))
    assert again.contract == found.contract
    page = pages_of(OBSERVED)["operations.md"]
    assert "acts again" not in page
    assert "takes no key" not in page
    assert "treat it as **not safe**" in page


QUIET = """\
idempact: 1
written_by: observer
api: {name: Quiet API, base_url: none, contact: not-documented}
key: {name: Idempotency-Key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {POST /a: keyed}
"""


def test_where_nothing_is_documented_no_page_calls_a_repeat_safe_or_speaks_of_a_window(
    pages_of: Callable[[str], dict[str, str]],
) -> None:
    pages = pages_of(QUIET)
    assert "| `POST /a` | not documented, though it takes a key |" in pages["operations.md"]
    assert "don't count on a repeat to tell" in pages["failures.md"]
    assert "No request for that is named here" in pages["failures.md"]
    assert "No window is documented, so look the outcome up" in pages["windows.md"]
    for path, page in pages.items():
        assert "safe with its key" not in page, path
        assert "makes the repeat safe" not in page, path
        assert "gets after that" not in page, path
        assert "In it a repeat is recognised" not in page, path
        assert "What a fleet does" not in page, path


def test_an_unknown_begin_is_said_as_a_sentence(pages_of: Callable[[str], dict[str, str]]) -> None:
    observed = QUIET.replace("windows: not-documented", "windows: {replay: 24h}")
    assert "In it a repeat is recognised. When it begins is not documented." in pages_of(observed)["windows.md"]


def test_one_of_several_statuses_is_an_or(pages_of: Callable[[str], dict[str, str]]) -> None:
    open_ones = "expired_key: not-documented, mismatch: not-documented"
    busy = "in_flight: {status: [409, 422, 423], code: busy}"
    observed = QUIET.replace("answers: not-documented", f"answers: {{{open_ones}, {busy}}}")
    assert "409 or 422 or 423 [`busy`]" in pages_of(observed)["retry-outcomes.md"]


def test_facts_at_a_glance_keep_their_order_where_some_operations_alone_have_one(
    pages_of: Callable[[str], dict[str, str]],
) -> None:
    own = "{safety: keyed, answers: {in_flight: {status: 409, code: busy}}}"
    page = pages_of(QUIET.replace("POST /a: keyed", f"POST /a: keyed, POST /b: {own}"))["index.md"]
    facts = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    at = facts.index
    assert at("Replay window") < at("First request still in progress") < at("Attempts, the first included")


def test_without_a_loop_no_page_says_that_code_does_it(pages_of: Callable[[str], dict[str, str]]) -> None:
    directive = "{in: directive, name: idempotent.key, required: true}"
    pages = pages_of(QUIET.replace("{name: Idempotency-Key, required: not-documented}", directive))
    assert "There is no loop" in pages["code.md"]
    assert "Copy it" not in pages["code.md"]
    assert "does this for you" not in pages["index.md"]
    assert "does this for you" in pages_of(QUIET)["index.md"]
