"""The eleven anti-patterns of idempotency, and the trades that experience teaches: each has its rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.contract.read import Read
from idempact.contract.rules import all_rules
from idempact.text.diagnostic import Checked, Severity

Check = Callable[..., Checked[Read]]
RANDOM = "required: true, derivation: {random: per-attempt}"
MISMATCH = "mismatch: {status: 422, code: idempotency_key_reused}"
IN_FLIGHT = "in_flight: {status: 409, code: idempotency_request_in_progress, retry_after: 1s}"
SERVER = "operations:", "server: {store: postgresql, claim: %s}\noperations:"
# The pattern, what an author would write for it in place of what, and the rule that speaks.
ANTI_PATTERNS = (
    ("a key accepted but unused", "fidelity: stored-response", "fidelity: none", "refused-fidelity"),
    (
        "a new key per attempt",
        "required: true",
        "required: true, derivation: {random: per-attempt}",
        "new-key-per-attempt",
    ),
    ("look-up then insert", SERVER[0], SERVER[1] % "check-then-insert", "refused-claim"),
    ("no in-progress state", IN_FLIGHT, "in_flight: {answer: execute}", "refused-answer"),
    ("a mismatch replayed in silence", MISMATCH, "mismatch: {answer: replay}", "refused-answer"),
    ("a mismatch run in silence", MISMATCH, "mismatch: {answer: execute}", "executed-mismatch"),
    ("a window shorter than the longest chain", "replay: 24h", "replay: 12h", "window-shorter-than-chain"),
    ("bare SETNX", SERVER[0], SERVER[1] % "setnx", "refused-claim"),
    ("stored failures undecided", "stored_failures: replay", "stored_failures: undecided", "undecided-decision"),
    ("stored failures left out", "stored_failures: replay\n", "", "missing-decision"),
    ("a deadline reset per attempt", "operations:", "retry: {deadline: per-attempt}\noperations:", "refused-deadline"),
    ("no jitter", "operations:", "retry: {backoff: {jitter: none}}\noperations:", "refused-jitter"),
    ("exactly once", "dead-letter queue replay", "a queue that delivers exactly once", "overclaim"),
)
# The trades, each with its rule and its weight for a provider.
TRADES = {
    "a mismatch answered 409, which SDKs retry": ("mismatch-retried", Severity.WARNING),
    "422 against guidelines that forbid it": ("status-against-guideline", Severity.WARNING),
    "in flight without Retry-After": ("in-flight-without-retry-after", Severity.WARNING),
    "500 retried while failures are replayed": ("retries-of-stored-failure", Severity.WARNING),
    "more than five gRPC attempts": ("grpc-attempts", Severity.WARNING),
    "attempt timeout outside two to three times p99": ("attempt-timeout-off-p99", Severity.WARNING),
    "Retry-After longer than the deadline": ("retry-after-longer-than-deadline", Severity.WARNING),
    "a lease shorter than the slowest handler": ("lease-shorter-than-handler", Severity.ERROR),
    "a claim that doesn't fit the store": ("claim-outside-store", Severity.ERROR),
    "a region in the scope": ("region-in-scope", Severity.WARNING),
    "a key template with a time or an amount": ("changing-template", Severity.WARNING),
    "personal data in a template": ("personal-template", Severity.WARNING),
    "natural, though it appends or counts": ("natural-that-adds", Severity.WARNING),
    "windows that differ without a note": ("unexplained-window", Severity.WARNING),
    "a store that fails open": ("executed-without-store", Severity.WARNING),
    "a replay that holds secrets": ("replayed-secret", Severity.WARNING),
}


@pytest.mark.parametrize(("name", "old", "new", "rule"), ANTI_PATTERNS, ids=[row[0] for row in ANTI_PATTERNS])
def test_an_anti_pattern_is_found_by_its_rule_alone(
    name: str, old: str, new: str, rule: str, base: str, check_text: Check
) -> None:
    assert base.count(old) == 1, name
    assert [d.rule for d in check_text(base.replace(old, new)).diagnostics] == [f"contract/{rule}"]
    assert check_text(base).diagnostics == ()


def test_every_trade_has_its_rule_and_its_weight() -> None:
    weights = {rule.id.removeprefix("contract/"): rule.severity for rule in all_rules()}
    assert {trade: (rule, weights.get(rule)) for trade, (rule, _) in TRADES.items()} == TRADES


def test_a_rule_that_the_reader_tells_is_an_error_and_never_runs() -> None:
    told = [rule for rule in all_rules() if rule.check is None]
    assert len(told) > 15
    assert {rule.severity for rule in told} == {Severity.ERROR}
