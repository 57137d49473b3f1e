"""The waits get shorter from retry to retry.

Why: the longer a server is in trouble, the harder it would be hit.
Instead: a factor of 2, or of 1 for equal windows.
Source: the window before retry n is min(cap, base x factor^n).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.retry import JitterKind
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/shrinking-backoff"
SEVERITY = Severity.ERROR
DEPENDS = ("retry.backoff.jitter", "retry.backoff.factor")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a factor below 1."""
    backoff = case.settings.retry.backoff
    if backoff.jitter is JitterKind.FULL and backoff.factor < 1:
        yield case.finding(
            f"with a factor of {backoff.factor:g} each wait is shorter than the one before",
            "retry",
            "backoff",
            "factor",
            hint="write a factor of 1 or more, as 2",
        )
