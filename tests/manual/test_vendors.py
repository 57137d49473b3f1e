"""The comparison: every vendor's contract is a row, and what it doesn't say is told as not documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.contract.read import read
from idempact.manual.vendors import COLUMNS, UNDOCUMENTED, Vendor, vendor
from idempact.text.nodes import compose
from idempact.text.span import Document

SILENT = """\
idempact: 1
written_by: observer
api: {name: Silent API, base_url: none, contact: not-documented}
key: {in: body, name: not-documented, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {operation makeThing: keyed}
"""
TALKATIVE = """\
idempact: 1
written_by: observer
api: {name: "Talk|ative", base_url: "https://a.example", contact: "https://a.example/help"}
key: {name: X-Key, required: {when: it matters}, format: uuid, length: {min: 36, max: 36}}
scope: [account, {session: the till}]
fingerprint: none
windows: {replay: {at_least: 7d, at_most: 14d}}
replay: {fidelity: stored-response, indicator: {in: header, name: Again, value: "yes"}}
stored_failures: {business_rejection: replay, server_error: {before_effects: release, after_effects: recover}}
answers:
  expired_key: {answer: execute}
  mismatch: {status: [409, 422], code: reused}
  in_flight: {answer: wait, at_most: 5s, status: 409, code: not-documented, retry_after: 2s}
operations: {POST /a: keyed}
notes:
  - {at: key, source: "https://a.example/keys", read: 2026-11-30, quote: one key, confirmed: false}
  - {at: scope, source: "https://a.example/keys"}
"""


def of(text: str) -> Vendor:
    tree = compose(Document("a.yaml", text)).value
    assert tree is not None
    found = read(tree)
    assert found.value is not None
    assert not found.broken, found.diagnostics
    return vendor("a", found.value.contract)


def test_silence_is_told_as_such_in_every_column() -> None:
    row = dict(zip(COLUMNS, of(SILENT).cells, strict=True))
    assert row.pop("Key") == f"body {UNDOCUMENTED}"
    assert {name: cell for name, cell in row.items() if UNDOCUMENTED not in cell} == {}


def test_what_is_said_is_told() -> None:
    talkative = of(TALKATIVE)
    assert dict(zip(COLUMNS, talkative.cells, strict=True)) == {
        "Key": "header `X-Key`",
        "Required": "when it matters",
        "Format": "uuid",
        "Length": "36 characters",
        "Unique within": "account, the till",
        "Fingerprint": "nothing is compared",
        "Window": "7d to 14d",
        "In flight": "waits for 5s at most, then 409, code not documented (Retry-After 2s)",
        "Mismatch": "409 or 422, `reused`",
        "Expired key": "runs as a new request",
        "Stored failures": "4xx: replay; 5xx: release, once effects began: recover",
        "Replay says so by": "`Again: yes`",
    }
    assert talkative.sources == ("https://a.example/keys",)
    assert not talkative.remarks[0].confirmed
    assert talkative.remarks[0].quote == "one key"


@pytest.mark.parametrize(
    ("old", "new", "column", "cell"),
    [
        ("{at_least: 7d, at_most: 14d}", "24h", "Window", "24h"),
        ("{at_least: 7d, at_most: 14d}", "forever", "Window", "forever"),
        ("{at_least: 7d, at_most: 14d}", "{at_most: 24h}", "Window", "at most 24h"),
        ("{at_least: 7d, at_most: 14d}", "{at_least: 24h}", "Window", "at least 24h"),
        (
            "fidelity: stored-response, indicator",
            "fidelity: error, indicator",
            "Replay says so by",
            "none: a repeat is an error",
        ),
        ("{when: it matters}", "false", "Required", "no"),
        (
            "format: uuid",
            'format: {pattern: "^[a-z|]+$"}',
            "Format",
            "<code>&#94;&#91;a&#45;z&#124;&#93;&#43;&#36;</code>",
        ),
        ("fingerprint: none", "fingerprint: {body: raw}", "Fingerprint", "body: raw"),
        ("{status: [409, 422], code: reused}", "{status: 400, code: none}", "Mismatch", "400"),
        ("{status: [409, 422], code: reused}", "{answer: reject}", "Mismatch", "reject, with what is not documented"),
    ],
)
def test_each_form_of_a_value_has_its_words(old: str, new: str, column: str, cell: str) -> None:
    assert TALKATIVE.count(old) == 1
    row = dict(zip(COLUMNS, of(TALKATIVE.replace(old, new)).cells, strict=True))
    assert row[column] == cell


def test_every_contract_in_the_vendors_folder_is_a_row(staged: Path, root: Path) -> None:
    files = sorted((root / "contract" / "vendors").glob("*.yaml"))
    page = staged / "vendors.md"
    if not files:
        assert not page.exists()
        return
    text = page.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| [")]
    assert len(rows) == len(files)
    assert len({row.count("|") for row in rows}) == 1
    assert all(f"`contract/vendors/{path.name}`" in text for path in files)
