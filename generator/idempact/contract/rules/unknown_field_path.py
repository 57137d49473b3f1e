"""A note or a change is about a field that doesn't exist.

Why: pages show notes beside their field, so a note without one is lost.
Instead: the path of a field, as windows.replay or operations["POST /refunds"].windows.replay.
Source: notes[].at and changes[].at.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import parse_dotted
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
            if _unread(text, case):
                continue
            hint = error.hint or "write a path such as windows.replay"
            yield case.finding(f"`at: {text}` names no field: {error}", *place, "at", hint=hint)


def _unread(text: str, case: Case) -> bool:
    """Whether the path names an operation that the file may have, as that one (or all of them) could not be read."""
    try:
        path = parse_dotted(text)
    except ValueError:
        return False
    return path[0] == "operations" and case.doubts is not None and case.doubts.above(path[:2])
