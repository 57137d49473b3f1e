"""A repeat of a request that still runs is refused without a word about when to come back.

Why: each caller then guesses, most of them too soon, and all of the answers until the first run ends are wasted.
Instead: retry_after: a little longer than the operation usually takes, as 1s; or varies, where the server knows better.
Source: Retry-After, RFC 9110, section 10.2.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/in-flight-without-retry-after"
SEVERITY = Severity.WARNING
FACTS = True
DEPENDS = ("answers.in_flight",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for an answer with a status and no Retry-After."""
    answer = case.settings.answers.in_flight
    if isinstance(answer, NotDocumented) or answer.answer not in (Verb.REJECT, Verb.WAIT) or not answer.status:
        return
    if isinstance(answer.status, NotDocumented) or answer.retry_after is not None:
        return
    yield case.finding(
        "a request that still runs is answered without Retry-After, so its callers guess when to come back",
        "answers",
        "in_flight",
        hint="add retry_after: 1s (a little longer than the operation usually takes), or varies",
    )
