"""An operation changes how keys work, though it takes none.

Why: the override has no effect, so whoever wrote it expects something that doesn't happen.
Instead: safety: keyed, or no override; retry and errors hold for operations without a key, too.
Source: operations may override the sections from key to retry.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.operations import Safety
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/override-without-key"
SEVERITY = Severity.WARNING
ONCE = True
DEPENDS = ("operation.safety",)


_WITHOUT_KEY = ("retry", "errors")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for overrides of the key's sections."""
    for operation in case.contract.operations:
        if operation.safety is Safety.KEYED:
            continue
        for section in operation.overrides:
            if section not in _WITHOUT_KEY:
                name = str(operation.key)
                yield case.finding(
                    f"{name} overrides {section}, but takes no key (safety: {operation.safety.value})",
                    "operations",
                    name,
                    section,
                    hint="write safety: keyed, or remove the override",
                )
