"""An external effect is to be found again by a key that isn't sent with it.

Why: after a crash nobody can tell whether the call was made.
Instead: say which key goes along (downstream_key), or find it by another reference.
Source: external_effects[].query: by-downstream-key.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.operations import QueryBy
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/query-without-downstream-key"
SEVERITY = Severity.ERROR
ONCE = True
DEPENDS = ("operation.external_effects",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for the query without its key."""
    for operation in case.contract.operations:
        for index, effect in enumerate(operation.external_effects):
            if effect.query is QueryBy.DOWNSTREAM_KEY and effect.downstream_key is None:
                yield case.finding(
                    f"{effect.name} is to be found by its downstream key, but none is sent with it",
                    "operations",
                    str(operation.key),
                    "external_effects",
                    str(index),
                    "query",
                    hint="write downstream_key, or query: by-reference",
                )
