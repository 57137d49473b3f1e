"""An operation can't be repeated, and nobody says what to do instead.

Why: callers of an unsafe operation still lose answers, and need a way on.
Instead: name in `instead` an operation that can be repeated, or the look-up that finds the outcome.
Source: safety: unsafe (because, instead).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.operations import Safety
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unsafe-without-alternative"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
ONCE = True
DEPENDS = ("operation.safety", "operation.instead")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a missing `instead`; an operation of which nothing is documented needs none."""
    for operation in case.contract.operations:
        if operation.safety is not Safety.UNSAFE or operation.instead is not None:
            continue
        name = str(operation.key)
        if case.source.written("operations", name, "safety").strip("\"'") == "unsafe":
            yield case.finding(
                f"{name} is unsafe, but nobody says what to do instead",
                "operations",
                name,
                hint="write {safety: unsafe, because: …, instead: …}",
            )
