"""Nothing is compared: whatever is sent under a known key gets the first result.

Why: a caller that reuses a key by mistake is told that another request was done, and its own never runs.
Instead: compare the body (fingerprint: {body: canonical}) and reject a mismatch.
Source: fingerprint: none.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/nothing-compared"
SEVERITY = Severity.WARNING
FACTS = True
DEPENDS = ("fingerprint",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for fingerprint: none."""
    if case.settings.fingerprint is None:
        yield case.finding(
            "nothing is compared: a key that is reused by mistake gets the first result, and its request never runs",
            "fingerprint",
            hint="write fingerprint: {body: canonical} and decide answers.mismatch",
        )
