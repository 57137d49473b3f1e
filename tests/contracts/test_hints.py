"""Slips of a first-time author, each alone in a sound contract: what the finding tells to write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked

Check = Callable[..., Checked[Read]]
CHAINS = "retry_chains: [{name: dead-letter queue replay, lasts: 20h}]"
# What an author writes in place of what, and the advice that the one finding gives.
SLIPS = (
    ("replay: 24h", "replay: 24", "a duration needs its unit; write 24s, 24m, 24h or 24d (or ms)"),
    ("replay: 24h", "replay: PT24H", "ISO 8601 durations aren't used here; write 24h, 7d or 90s"),
    ("replay: 24h", "replay: 24H", "write 24h"),
    ("replay: 24h", "replay: 24 hours", "write 24h"),
    ("replay: 24h", "replay: 1.5h", "a duration is a whole number with a unit; write 90m"),
    ("replay: 24h", "replay: 2 weeks", "write 14d; a day is the longest unit"),
    ("replay: 24h", "replay: 1 month", "write 30d; a day is the longest unit"),
    ("replay: 24h", "replay: never", "write forever, if keys are never forgotten"),
    ("replay: 24h", "ttl: 24h", "did you mean `replay`?"),
    ("{fidelity: stored-response}", "{fidelity: Stored_Response}", "did you mean `stored-response`?"),
    ("{fidelity: stored-response}", "24h", "write {fidelity: …}, or a line for each"),
    ("required: true", "required: yes", "write true"),
    ("required: true", "required: optional", "write false"),
    ("required: true", "required: true, format: UUID", "did you mean `uuid`?"),
    ("required: true", 'required: true, format: "^[a-z]+$"', "write {pattern: '^[a-z]+$'}"),
    ("required: true", "required: true, length: 64", "write {min: …, max: …}, or a line for each"),
    ("name: Idempotency-Key", "header: Idempotency-Key", "did you mean `name`?"),
    ("[account, operation]", "account, operation", "write [account, operation]"),
    ("[account, operation]", "[tenant]", "for a scope of your own write {session: what that is}"),
    ("[account, operation]", "[acount]", "did you mean `account`?"),
    (
        "status: 422",
        "status: 4xx",
        "an answer has a status from 100 to 599, or a list of them as [409, 422], and no class",
    ),
    ("{answer: execute}", "execute", "write {answer: execute}"),
    ("{status: 422, code: idempotency_key_reused}", "422", "write {status: 422, code: …}"),
    ("mismatch:", "conflict:", "did you mean `mismatch`?"),
    ("in_flight:", "in-flight:", "did you mean `in_flight`?"),
    (CHAINS, "retry_chains: none", "write at least one, as [{name: …, lasts: …}]"),
    (CHAINS, "retry_chains: [20h]", "write {name: …, lasts: …}, or a line for each"),
    ("POST /payments: keyed", "post /payments: keyed", "write the method in capitals: POST /payments"),
    ("POST /payments: keyed", "/payments: keyed", "a method comes first, as POST /payments"),
    (
        "POST /payments: keyed",
        "POST:/payments: keyed",
        "the method comes first, with one space behind it: POST /payments",
    ),
    (
        "POST /payments: keyed",
        "/payments POST: keyed",
        "the method comes first, with one space behind it: POST /payments",
    ),
    ("POST /payments: keyed", "- POST /payments", "write each as `POST /payments: keyed`, without a dash"),
    (
        "POST /payments: keyed",
        "POST /payments: {safety: keyed, key: {derivation: {event: payment_id}}}",
        'write "{payment_id}"',
    ),
    (
        "POST /payments: keyed",
        'POST /payments: {safety: keyed, key: {derivation: {event: "pay-${payment_id}"}}}',
        'placeholders stand in single braces: write "pay-{payment_id}"',
    ),
    (
        "https://acme.example/support",
        "mailto:support@acme.example",
        "write the address of a page that says how to reach you, as https://example.com/help",
    ),
    (
        "operations:",
        "retry: {max_retries: 5}\noperations:",
        "did you mean `max_attempts`, which counts the first one, too?",
    ),
    ("operations:", "fidelity: error\noperations:", "`fidelity` belongs under `replay`: indent it there"),
    ("operations:", "retry: {transient: [502]}\noperations:", "write {statuses: …, codes: …}, or a line for each"),
    ("  replay: 24h", "\treplay: 24h", "write spaces in place of the tab"),
)


@pytest.mark.parametrize(("old", "new", "hint"), SLIPS, ids=[row[1] for row in SLIPS])
def test_a_slip_gets_one_finding_that_says_what_to_write(
    old: str, new: str, hint: str, base: str, check_text: Check
) -> None:
    assert old in base
    found = check_text(base.replace(old, new, 1)).diagnostics
    assert [diagnostic.hint for diagnostic in found] == [hint]
