"""An answer asks for a longer wait than a caller has time for.

Why: a wait that doesn't fit into what is left of the deadline ends the loop, so such an answer is never retried.
Instead: a shorter retry_after, or a longer retry.deadline.
Source: a Retry-After is a floor for the next wait (RFC 9110, section 10.2.3); retry.deadline is over all attempts
and waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers
from idempact.contract.case import Case
from idempact.contract.units import Duration
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/retry-after-longer-than-deadline"
SEVERITY = Severity.WARNING
DEPENDS = ("retry.deadline", "retry.least_wait", "answers")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the waits that the answers, and the contract itself, ask for with the deadline."""
    deadline = case.settings.retry.deadline
    waits = [
        (f"answers.{given.name}", given.answer.retry_after, ("answers", given.name, "retry_after"))
        for given in given_answers(case.settings)
    ]
    for name, wait, path in (*waits, ("retry.least_wait", case.settings.retry.least_wait, ("retry", "least_wait"))):
        if isinstance(wait, Duration) and wait >= deadline:
            yield case.finding(
                f"{name} asks for a wait of {wait}, but the whole call has {deadline}: the loop ends without a retry",
                *path,
                hint=f"ask for less than {deadline}, or raise retry.deadline well above {wait}",
                related=(case.related("the deadline", "retry", "deadline"),),
            )
