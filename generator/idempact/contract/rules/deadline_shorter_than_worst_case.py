"""All attempts with their longest waits take longer than the deadline.

Why: the last attempts then never run when they are needed most, though the pages show them.
Instead: raise the deadline to the worst case, or plan fewer attempts, shorter waits or shorter attempts.
Source: the worst case is each attempt at its timeout and each wait at its longest.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.units import Duration
from idempact.contract.waits import worst_case_ms
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/deadline-shorter-than-worst-case"
SEVERITY = Severity.WARNING
DEPENDS = ("retry.deadline", "retry.max_attempts", "retry.attempt_timeout", "retry.backoff", "retry.least_wait")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the deadline with the worst case; a deadline that can't hold one attempt is another rule's."""
    retry = case.settings.retry
    worst = Duration(worst_case_ms(retry))
    if not retry.attempt_timeout <= retry.deadline < worst:
        return
    waits = Duration(worst.ms - retry.max_attempts * retry.attempt_timeout.ms)
    yield case.finding(
        f"{retry.max_attempts} attempts of {retry.attempt_timeout} and waits of up to {waits} take {worst} at worst, "
        f"longer than the deadline ({retry.deadline}): the last attempts may never run",
        "retry",
        "deadline",
        hint=f"raise retry.deadline to {worst}, or lower max_attempts, attempt_timeout or backoff.cap",
    )
