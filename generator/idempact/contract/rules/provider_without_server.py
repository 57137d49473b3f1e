"""The implementer's pages are to be published, and there is nothing that they could be made of.

Why: without `server` there are no such pages, and whoever asked for them finds out by their absence.
Instead: say under `server` where records live, or leave `publish.provider` out.
Source: publish.provider includes the pages that are made from `server`.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/provider-without-server"
SEVERITY = Severity.WARNING
ONCE = True
DEPENDS = ("server", "publish.provider")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for the one without the other."""
    if case.contract.publish.provider and case.contract.server is None:
        yield case.finding(
            "publish.provider asks for the implementer's pages, which are made from `server`, and there is no `server`",
            "publish",
            "provider",
            hint="add `server: {store: …}`, or leave publish.provider out",
        )
