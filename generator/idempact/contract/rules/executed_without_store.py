"""Requests are executed while the server can't look their keys up.

Why: every retry in that time has a second effect, and an outage is when retries come.
Instead: reject with 503 and a Retry-After; the client repeats with the same key.
Source: answers.store_unavailable: {answer: execute}.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/executed-without-store"
SEVERITY = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for store_unavailable: execute."""
    answer = case.settings.answers.store_unavailable
    if not isinstance(answer, NotDocumented) and answer.answer is Verb.EXECUTE:
        yield case.finding(
            "requests are executed while keys can't be looked up: every retry in that time has a second effect",
            "answers",
            "store_unavailable",
            hint="write {answer: reject, status: 503, code: idempotency_unavailable, retry_after: 2s}",
        )
