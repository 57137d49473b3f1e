"""A known key with another content is executed as a new request.

Why: a retry whose body differs in an unimportant way (a timestamp, a trace id) then has a second effect.
Instead: reject a mismatch, and list what doesn't count in fingerprint.ignores.
Source: answers.mismatch: {answer: execute} makes key and content together the identity.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import possible
from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/executed-mismatch"
SEVERITY = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for mismatch: execute."""
    mismatch = case.settings.answers.mismatch
    if mismatch is None or isinstance(mismatch, NotDocumented) or not possible("mismatch", case.settings):
        return
    if mismatch.answer is Verb.EXECUTE:
        yield case.finding(
            "a known key with another content is executed: a retry that differs in one byte has a second effect",
            "answers",
            "mismatch",
            hint="reject it with a status and a code, and let unimportant members be ignored (fingerprint.ignores)",
        )
