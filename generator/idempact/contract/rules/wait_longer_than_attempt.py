"""The server holds a repeat longer than the client waits for an answer.

Why: the client gives up on the attempt and sends the next one, which the server holds, too.
Instead: keep at_most well under retry.attempt_timeout.
Source: answers.in_flight: {answer: wait, at_most: …}.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/wait-longer-than-attempt"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
DEPENDS = ("retry.attempt_timeout",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the server's wait with the attempt's timeout."""
    answer, timeout = case.settings.answers.in_flight, case.settings.retry.attempt_timeout
    if isinstance(answer, NotDocumented) or answer.answer is not Verb.WAIT or answer.at_most is None:
        return
    if answer.at_most >= timeout:
        yield case.finding(
            f"the server holds a repeat for up to {answer.at_most}, but the client gives an attempt up after {timeout}",
            "answers",
            "in_flight",
            "at_most",
            hint=f"lower at_most below {timeout}, or raise retry.attempt_timeout",
            related=(case.related("the attempt's timeout", "retry", "attempt_timeout"),),
        )
