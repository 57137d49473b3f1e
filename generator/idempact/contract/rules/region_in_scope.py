"""A key is known in one region only.

Why: a client that fails over to another region sends the same key there, where nobody knows it, and the operation
runs a second time. That is just when regions fail, and many requests end without an answer.
Instead: take region out of the scope, and share the record (server.regions: home-region or shared-store); or tell
clients never to retry in another region.
Source: scope: region makes the same key in another region another request.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import ScopeWord
from idempact.contract.model.server import Regions
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/region-in-scope"
SEVERITY = Severity.WARNING
FACTS = True
DEPENDS = ("server",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a region in the scope, unless the provider writes that there is one region."""
    scope, server = case.settings.scope, case.contract.server
    if isinstance(scope, NotDocumented) or ScopeWord.REGION not in scope:
        return
    shared = server is not None and server.regions is not Regions.ONE
    if server is not None and not shared and case.source.given("server", "regions"):
        return
    also = f", though server.regions ({server.regions.value}) shares its record" if server and shared else ""
    yield case.finding(
        f"a key counts in one region only{also}: a client that fails over runs the operation a second time",
        "scope",
        hint="take region out of the scope and share the record, or tell clients not to retry in another region",
    )
