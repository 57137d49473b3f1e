"""The claim needs something that the store doesn't have.

Why: it can't be built as written, and what is built in its place is mostly a look-up before an insert.
Instead: leave claim out (it then follows from the store), or take one that the store has.
Source: DynamoDB and Redis have neither unique constraints nor row locks, but writes under a condition; SQLite locks
the whole database, not rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.server import Claim, Store
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/claim-outside-store"
SEVERITY = Severity.ERROR
ONCE = True
DEPENDS = ("server",)
_SQL_ONLY = (Claim.UNIQUE_CONSTRAINT, Claim.ROW_LOCK)
_THINGS = {Claim.UNIQUE_CONSTRAINT: "unique constraints", Claim.ROW_LOCK: "row locks"}
_MISSING = {Store.DYNAMODB: _SQL_ONLY, Store.REDIS: _SQL_ONLY, Store.SQLITE: (Claim.ROW_LOCK,)}


def check(case: Case) -> Iterator[Diagnostic]:
    """Look the claim up among those that the store can't make."""
    server = case.contract.server
    if server is None or not isinstance(server.store, Store):
        return
    missing = _MISSING.get(server.store, ())
    if server.claim in missing:
        able = [claim.value for claim in Claim if claim not in (*missing, Claim.BY_STORE)]
        yield case.finding(
            f"{server.store.value} has no {_THINGS[server.claim]}, so the claim can't be made that way",
            "server",
            "claim",
            hint=f"leave it out, or write {' or '.join(able)}",
            related=(case.related("the store", "server", "store"),),
        )
