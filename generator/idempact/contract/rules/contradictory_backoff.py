"""The largest wait is shorter than the first, or the first is nothing.

Why: with a base of 0 every caller comes back at once, and a cap below the base leaves no growth to cap.
Instead: a base of some hundred milliseconds or more, and a cap above it.
Source: the window before retry n is min(cap, base x factor^n).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/contradictory-backoff"
SEVERITY = Severity.ERROR
DEPENDS = ("retry.backoff.base", "retry.backoff.cap")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare base and cap."""
    backoff = case.settings.retry.backoff
    if backoff.base.ms == 0:
        yield case.finding(
            "the base of the backoff is 0: every retry comes at once",
            "retry",
            "backoff",
            "base",
            hint="write a base such as 1s",
        )
    elif backoff.cap < backoff.base:
        yield case.finding(
            f"the cap ({backoff.cap}) is below the base ({backoff.base}), so that the waits never grow",
            "retry",
            "backoff",
            "cap",
            hint=f"raise the cap above {backoff.base}, or lower the base",
            related=(case.related("the base", "retry", "backoff", "base"),),
        )
