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
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/status-in-two-classes"
SEVERITY = Severity.ERROR
DEPENDS = ("retry",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare every two statuses of different classes."""
    found = list(_statuses(case.settings.retry))
    for index, one in enumerate(found):
        for other in found[index + 1 :]:
            if one.retry_class != other.retry_class and overlap(one.status, other.status):
                # The place is one that the author wrote, if any: cautious is [500] unless it is written.
                told, beside = (other, one) if case.given(*_place(case, other)) else (one, other)
                yield case.finding(
                    f"the status {_shared(one.status, other.status)} is both {one.retry_class} and "
                    f"{other.retry_class}: the loop can't do both",
                    *_place(case, told),
                    hint=f"name it in one of the two; {beside.retry_class} is {_listed(case, beside.retry_class)} here",
                    related=(case.related(beside.retry_class, *_place(case, beside)),),
                )


@dataclass(frozen=True, slots=True)
class _Named:
    retry_class: str
    index: int
    status: Status


def _place(case: Case, named: _Named) -> tuple[str, ...]:
    return case.item("retry", named.retry_class, "statuses", str(named.index))


def _shared(one: Status, other: Status) -> str:
    if one == other:
        return str(one)
    number, whole = (one, other) if isinstance(one, int) else (other, one)
    return f"{number} (which {whole} includes)"


def _statuses(retry: Retry) -> Iterator[_Named]:
    for name in ("throttled", "transient", "cautious"):
        for index, status in enumerate(getattr(retry, name).statuses):
            yield _Named(name, index, status)


def _listed(case: Case, name: str) -> str:
    return f"[{', '.join(str(status) for status in getattr(case.settings.retry, name).statuses)}]"
