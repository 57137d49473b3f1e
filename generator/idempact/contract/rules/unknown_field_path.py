"""A note or a change is about a field that doesn't exist.

Why: pages show notes beside their field, so a note without one is lost.
Instead: the path of a field, as windows.replay or operations["POST /refunds"].windows.replay.
Source: notes[].at and changes[].at.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.paths import NoField, field
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unknown-field-path"
SEVERITY = Severity.ERROR
ONCE = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look each path up in the contract language."""
    contract = case.contract
    paths = [(item.at, "changes", str(index)) for index, item in enumerate(contract.changes)]
    paths += [(item.at, "notes", str(index)) for index, item in enumerate(contract.notes)]
    for text, *place in paths:
        try:
            field(text, contract)
        except NoField as error:
            hint = error.hint or "write a path such as windows.replay"
            yield case.finding(f"`at: {text}` names no field: {error}", *place, "at", hint=hint)
