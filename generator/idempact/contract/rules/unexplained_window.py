"""An operation keeps keys for another time than the others, and no note says why.

Why: callers build one retry queue for all operations, and size it by the window that they read first.
Instead: one window for all, or a note at the operation's window, which the pages show beside it.
Source: notes, whose `at` names the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import Path, dotted, parse_dotted
from idempact.contract.rules import keyed
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unexplained-window"
SEVERITY = Severity.WARNING
ONCE = True
DEPENDS = ("notes", "operation.safety")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare each keyed operation's window with the one above, and look for a note at it."""
    above = case.contract.settings.windows.replay
    noted = {path for path in map(_path, (note.at for note in case.contract.notes)) if path}
    for operation in keyed(case.contract):
        own = operation.settings.windows.replay
        if isinstance(own, NotDocumented) or isinstance(above, NotDocumented) or own == above:
            continue
        place = ("operations", str(operation.key), "windows", "replay")
        if any(place[:length] in noted for length in (2, 3, 4)):
            continue
        yield case.finding(
            f"{operation.key} has another replay window ({own}) than the section above ({above}), and no note says why",
            *place,
            hint=f"add a note: {{at: '{dotted(place)}', text: …}}",
            related=(case.related("the window above", "windows", "replay"),),
        )


def _path(at: str) -> Path:
    try:
        return parse_dotted(at)
    except ValueError:
        return ()
