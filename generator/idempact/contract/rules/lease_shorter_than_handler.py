"""A claim's lease ends while the slowest handler may still run.

Why: a retry then takes the request over while the first run goes on, and both have their effects.
Instead: let the lease outlast the slowest handler, with room for a pause of the process.
Source: past the lease a claim counts as stale (answers.stale).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/lease-shorter-than-handler"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the lease with the slowest handler."""
    lease, slowest = case.settings.windows.lease, case.settings.windows.slowest_handler
    if isinstance(lease, NotDocumented) or slowest is None or isinstance(slowest, NotDocumented) or lease > slowest:
        return
    yield case.finding(
        f"the lease ({lease}) doesn't outlast the slowest handler ({slowest}): a retry can take over a live run",
        "windows",
        "lease",
        hint=f"raise windows.lease well above {slowest}",
        related=(case.related("the slowest handler", "windows", "slowest_handler"),),
    )
