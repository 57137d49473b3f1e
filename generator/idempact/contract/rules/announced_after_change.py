"""A change is announced after it came into force.

Why: the pages would show a notice that nobody could have had.
Instead: an announcement date before the change's date, or none.
Source: changes[].announced and changes[].date.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/announced-after-change"
SEVERITY = Severity.ERROR
ONCE = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the two dates (ISO 8601 dates compare as texts)."""
    for index, change in enumerate(case.contract.changes):
        if change.announced is not None and isinstance(change.date, str) and change.announced > change.date:
            yield case.finding(
                f"this change is in force from {change.date} on, but was announced on {change.announced} only",
                "changes",
                str(index),
                "announced",
                hint="correct one of the dates",
            )
