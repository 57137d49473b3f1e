"""The newest change of a field that is in force says something else than the field.

Why: the changelog and the pages then tell two truths.
Instead: correct the field, or the change's `to`; announce what isn't in force yet with a later date.
Source: once in force, the newest `to` of a field must equal it.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.contract import Change
from idempact.contract.paths import ABSENT, NoField, field, value
from idempact.contract.same import same
from idempact.contract.units import Free
from idempact.text.diagnostic import Diagnostic, Related, Severity

RULE = "contract/contradicted-change"
SEVERITY = Severity.ERROR
ONCE = True
DEPENDS = ("changes",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare each field with its newest change in force; nothing is told where nobody said which day it is."""
    if case.today is None:
        return
    by_field: dict[tuple[str, ...], list[tuple[int, Change]]] = {}
    for index, change in enumerate(case.contract.changes):
        if change.after is None or not isinstance(change.date, str):
            continue
        try:
            by_field.setdefault(field(change.at, case.contract), []).append((index, change))
        except NoField:
            continue
    for path, changes in by_field.items():
        found = value(path, case.contract)
        in_force = [pair for pair in changes if str(pair[1].date) <= case.today.isoformat()]
        if found is ABSENT or not in_force or case.doubtful(path):
            continue
        index, newest = max(in_force, key=lambda pair: str(pair[1].date))
        if _equal(newest, found):
            continue
        place = _written(case, path)
        yield case.finding(
            f"this change says that {newest.at} is {newest.after}, but it is {_shown(found)}",
            "changes",
            str(index),
            "to",
            hint="correct the field or the change; a change that isn't in force yet needs a later date",
            related=(place,) if place else (),
        )


def _equal(change: Change, found: object) -> bool:
    return change.after is not None and same(change.after.value, found)


def _shown(found: object) -> str:
    return Free.of(found).json.strip('"')


def _written(case: Case, path: tuple[str, ...]) -> Related | None:
    return Related("the field", case.source.span(*path)) if case.source.given(*path) else None
