"""The deadline over all attempts can't hold a single one.

Why: every call would be given up before its first attempt had its time.
Instead: raise the deadline, or shorten the attempt's timeout.
Source: retry.deadline bounds all attempts and waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/deadline-shorter-than-attempt"
SEVERITY = Severity.ERROR
DEPENDS = ("retry.deadline", "retry.attempt_timeout")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the deadline with one attempt."""
    retry = case.settings.retry
    if retry.deadline < retry.attempt_timeout:
        yield case.finding(
            f"the deadline ({retry.deadline}) can't hold one attempt ({retry.attempt_timeout})",
            "retry",
            "deadline",
            hint=f"raise retry.deadline above {retry.attempt_timeout}, or lower retry.attempt_timeout",
            related=(case.related("one attempt's timeout", "retry", "attempt_timeout"),),
        )
