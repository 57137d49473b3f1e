"""An attempt's timeout isn't two to three times the slowest of a hundred answers.

Why: shorter, it gives up on answers that would have come and adds load; longer, it holds callers in a dead call.
Instead: set it to two to three times the measured 99th percentile.
Source: retry.p99 is measured; the factor leaves room for its growth under load.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/attempt-timeout-off-p99"
SEVERITY = Severity.WARNING
DEPENDS = ("retry.attempt_timeout", "retry.p99")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the timeout with the percentile."""
    timeout, p99 = case.settings.retry.attempt_timeout, case.settings.retry.p99
    if p99 is None or 2 * p99.ms <= timeout.ms <= 3 * p99.ms:
        return
    low, high = f"{2 * p99.count}{p99.unit}", f"{3 * p99.count}{p99.unit}"
    yield case.finding(
        f"an attempt's timeout of {timeout} is not two to three times the 99th percentile ({p99})",
        "retry",
        "attempt_timeout",
        hint=f"write a value from {low} to {high}",
        related=(case.related("the 99th percentile", "retry", "p99"),),
    )
