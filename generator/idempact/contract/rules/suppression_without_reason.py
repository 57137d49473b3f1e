"""A comment allows a finding without saying why, and so allows nothing.

Why: whoever reads the contract next can't tell an exception that was thought about from one that was in a hurry.
Instead: say why the value is right here: "allow contract/mismatch-retried because our SDKs stop at its code".
Source: an allowance without a reason has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/suppression-without-reason"
SEVERITY = Severity.WARNING
LAST = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for allowances that name rules and no reason."""
    for allowance in case.allowances:
        if allowance.rules and not allowance.reason:
            yield case.about(
                allowance,
                "this comment gives no reason, so it allows nothing",
                hint=f"write # idempact: allow {', '.join(allowance.rules)} because …, and why it is right here",
            )
