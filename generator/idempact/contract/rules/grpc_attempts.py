"""More attempts are advised than a gRPC client makes.

Why: gRPC clients cut maxAttempts to five, so their callers get fewer attempts than the pages promise.
Instead: max_attempts: 5 at most, for the API or for the operations that speak gRPC.
Source: gRFC A6, Client Retries: a maxAttempts above five is treated as five.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.contract import Protocol
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/grpc-attempts"
SEVERITY = Severity.WARNING
DEPENDS = ("retry.max_attempts", "api.protocols")
_MOST = 5


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the attempts with the most that gRPC allows, where the API speaks gRPC."""
    attempts = case.settings.retry.max_attempts
    if attempts > _MOST and Protocol.GRPC in case.contract.api.protocols:
        yield case.finding(
            f"{attempts} attempts are advised, but gRPC clients make {_MOST} at most",
            "retry",
            "max_attempts",
            hint=f"write max_attempts: {_MOST} or less",
        )
