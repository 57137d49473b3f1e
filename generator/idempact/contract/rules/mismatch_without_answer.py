"""Requests are compared, but nobody says what a known key with another content gets.

Why: without an answer the first result is replayed in silence, and the caller believes that its new request was done.
Instead: decide answers.mismatch, as {status: 422, code: idempotency_key_reused}; or fingerprint: none.
Source: answers.mismatch may be left out only where nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/mismatch-without-answer"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("answers", "fingerprint")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a fingerprint without a mismatch."""
    if case.settings.fingerprint is not None and case.settings.answers.mismatch is None:
        yield case.finding(
            "`answers.mismatch` is not decided: what does a known key with another content get? "
            "Replayed in silence, the caller believes that a request was done that never ran",
            "answers",
            "mismatch",
            hint="add `mismatch: {status: 422, code: idempotency_key_reused}`, or write fingerprint: none",
            related=(case.related("what is compared", "fingerprint"),),
        )
