"""The job that finishes what dead runs left starts while a run's lease still holds.

Why: it would finish requests whose own run is still going on.
Instead: let server.completer_after be longer than the lease.
Source: until the lease ends nobody can know that a run has died.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/completer-within-lease"
SEVERITY = Severity.ERROR
DEPENDS = ("server",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the completer's start with the lease."""
    server, lease = case.contract.server, case.settings.windows.lease
    if server is None or isinstance(lease, NotDocumented) or server.completer_after > lease:
        return
    yield case.finding(
        f"the job that finishes dead runs starts after {server.completer_after}, but a run counts as alive for {lease}",
        "windows",
        "lease",
        hint=f"raise server.completer_after above {lease}",
        related=(case.related("when the job starts", "server", "completer_after"),),
    )
