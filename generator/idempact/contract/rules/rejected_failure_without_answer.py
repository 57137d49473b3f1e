"""A failure spends the key, but nobody says what the repeat then gets.

Why: the caller must learn that this key never gives a result, or it repeats in vain.
Instead: decide answers.previous_failure, as {status: 409, code: idempotency_key_spent}.
Source: stored_failures: reject means that the repeat gets answers.previous_failure.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import failure_words
from idempact.contract.case import Case
from idempact.contract.model.replay import StoredFailure
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/rejected-failure-without-answer"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("answers.previous_failure",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for the word reject without its answer."""
    if StoredFailure.REJECT in failure_words(case.settings) and case.settings.answers.previous_failure is None:
        yield case.finding(
            "`answers.previous_failure` is not decided: what does a repeat get whose key a failure has spent?",
            "answers",
            "previous_failure",
            hint="add `previous_failure: {status: 409, code: idempotency_key_spent}`",
            related=(case.related("failures are rejected here", "stored_failures"),),
        )
