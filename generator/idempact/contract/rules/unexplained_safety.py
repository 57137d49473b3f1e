"""An operation is called natural or unsafe without a reason.

Why: "natural" is where duplicates hide: a PUT that appends, a DELETE that counts. The reason is what a reader checks.
Instead: one sentence in `because`.
Source: safety: natural (because), unsafe (because, instead).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.operations import Safety
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unexplained-safety"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
ONCE = True
DEPENDS = ("operation.safety", "operation.because")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a missing `because`; an operation of which nothing is documented needs none."""
    for operation in case.contract.operations:
        if operation.safety not in (Safety.NATURAL, Safety.UNSAFE) or operation.because is not None:
            continue
        name = str(operation.key)
        if case.source.written("operations", name, "safety").strip("\"'") != operation.safety.value:
            continue
        yield case.finding(
            f"{name} is {operation.safety.value}, but nobody says why",
            "operations",
            name,
            hint=f"write {{safety: {operation.safety.value}, because: …}}",
        )
