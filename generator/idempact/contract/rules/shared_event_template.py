"""Two operations name their keys after the same event, and a key isn't bound to its operation.

Why: the second operation's request comes under the first one's key, as a mismatch or, worse, as its replay.
Instead: an event template for each operation, or a scope with operation.
Source: key.derivation.event names one business event; scope says within what a key is unique.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import ScopeWord
from idempact.contract.rules import keyed
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Related, Severity

RULE = "contract/shared-event-template"
SEVERITY = Severity.WARNING
ONCE = True
DEPENDS = ("key.derivation", "scope", "operation.key")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for an event template that two keyed operations share."""
    first: dict[str, str] = {}
    for operation in keyed(case.contract):
        scope, template = operation.settings.scope, operation.settings.key.derivation.event
        if template is None or isinstance(scope, NotDocumented) or {ScopeWord.OPERATION, ScopeWord.PATH} & set(scope):
            continue
        name = str(operation.key)
        known = first.setdefault(template, name)
        if known != name:
            path = case.source.holds(name, "key", "derivation", "event")
            span = case.source.key("operations", known)
            yield case.finding(
                f"{name} and {known} name their keys after the same event, and the scope holds no operation: "
                "one gets the other's answer",
                *path,
                hint="give each operation a template of its own, or add operation to the scope",
                related=(Related(known, span),),
            )
