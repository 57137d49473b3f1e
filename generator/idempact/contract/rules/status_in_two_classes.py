"""A status stands in two classes of retry, as a number or within a class such as 5xx.

Why: the loop waits and gives up differently in each, and nobody can tell which one was meant.
Instead: name each status once; cautious is [500] unless you write it.
Source: retry.throttled, retry.transient and retry.cautious divide the statuses between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.retry import Retry
from idempact.contract.units import Status, overlap
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/status-in-two-classes"
SEVERITY = Severity.ERROR


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare every two statuses of different classes."""
    found = list(_statuses(case.settings.retry))
    for index, (one_class, one_index, one) in enumerate(found):
        for other_class, other_index, other in found[index + 1 :]:
            if one_class == other_class or not overlap(one, other):
                continue
            shared = f"{other}" if one == other else f"{other} (beside {one})"
            place = case.item("retry", other_class, "statuses", str(other_index))
            first = case.item("retry", one_class, "statuses", str(one_index))
            yield case.finding(
                f"the status {shared} is both {one_class} and {other_class}: the loop can't do both",
                *place,
                hint=f"name it in one of the two; {other_class} is {_listed(case.settings.retry, other_class)} here",
                related=(case.related(f"{one_class}", *first),),
            )


def _statuses(retry: Retry) -> Iterator[tuple[str, int, Status]]:
    for name in ("throttled", "transient", "cautious"):
        for index, status in enumerate(getattr(retry, name).statuses):
            yield name, index, status


def _listed(retry: Retry, name: str) -> str:
    return f"[{', '.join(str(status) for status in getattr(retry, name).statuses)}]"
