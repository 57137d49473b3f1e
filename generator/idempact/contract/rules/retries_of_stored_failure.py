"""Server errors are replayed, yet the contract asks to retry them.

Why: the same key gets the same error again, so the retry is load without hope.
Instead: leave cautious.retries out (it is then taken as 0), or release server errors.
Source: stored_failures.server_error: replay or reject keeps the failure for the key.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.replay import StoredFailure
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/retries-of-stored-failure"
SEVERITY = Severity.WARNING
DEPENDS = ("retry.cautious",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for written retries of failures that stay."""
    errors = case.settings.stored_failures.server_error
    kept = (StoredFailure.REPLAY, StoredFailure.REJECT)
    if not case.given("retry", "cautious", "retries") or case.settings.retry.cautious.retries == 0:
        return
    if errors.before_effects in kept and errors.after_effects in kept:
        yield case.finding(
            f"a server error stays with its key (stored_failures.server_error: {errors.before_effects}), "
            "so a retry gets the same answer",
            "retry",
            "cautious",
            "retries",
            hint="write retries: 0, or leave it out",
            related=(case.related("what a repeat gets", "stored_failures"),),
        )
