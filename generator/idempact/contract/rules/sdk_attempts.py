"""The SDK tries more often than the contract advises.

Why: then most traffic doesn't follow the advice, and deadline and budget were planned for fewer attempts.
Instead: at most retry.max_attempts.
Source: sdk.max_attempts says what differs through the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/sdk-attempts"
SEVERITY = Severity.WARNING
DEPENDS = ("sdk", "retry.max_attempts")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the SDK's attempts with the advice."""
    sdk, retry = case.contract.sdk, case.settings.retry
    if sdk is not None and sdk.max_attempts is not None and sdk.max_attempts > retry.max_attempts:
        yield case.finding(
            f"the SDK makes {sdk.max_attempts} attempts, more than the contract advises ({retry.max_attempts})",
            "sdk",
            "max_attempts",
            hint=f"lower it to {retry.max_attempts}, or raise retry.max_attempts",
            related=(case.related("the advice", "retry", "max_attempts"),),
        )
