"""Connecting may take longer than the whole attempt.

Why: the attempt's timeout then ends first, and a fault before anything was sent looks like a lost answer.
Instead: a connect timeout well below the attempt's timeout.
Source: retry.attempt_timeout counts one attempt from its start, the connecting included.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/connect-longer-than-attempt"
SEVERITY = Severity.ERROR
DEPENDS = ("retry.connect_timeout", "retry.attempt_timeout")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the two timeouts."""
    retry = case.settings.retry
    if retry.connect_timeout >= retry.attempt_timeout:
        yield case.finding(
            f"connecting may take {retry.connect_timeout}, but the whole attempt ends after {retry.attempt_timeout}",
            "retry",
            "connect_timeout",
            hint=f"lower retry.connect_timeout below {retry.attempt_timeout}",
            related=(case.related("the attempt's timeout", "retry", "attempt_timeout"),),
        )
