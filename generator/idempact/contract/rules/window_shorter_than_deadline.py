"""The replay window is shorter than the time in which one call's own retry loop may still repeat it.

Why: the last attempts of a call then find no record, and each of them runs the operation again.
Instead: keep keys longer than retry.deadline, or give up earlier.
Source: the deadline bounds all attempts and waits of a call, so no attempt starts after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.windows import AtMost, Forever
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/window-shorter-than-deadline"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("retry.deadline", "windows.replay")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the window's lower bound with the deadline."""
    replay, deadline = case.settings.windows.replay, case.settings.retry.deadline
    if isinstance(replay, NotDocumented | Forever) or replay.least is None or replay.least >= deadline:
        return
    promised = f"({replay.least}) is"
    if isinstance(replay, AtMost):
        promised = f"(at most {replay.value}) promises no time at all, so it is"
    yield case.finding(
        f"the replay window {promised} shorter than the retry deadline ({deadline}): "
        "the loop's own last attempts can come after the key is forgotten",
        "windows",
        "replay",
        hint=f"raise windows.replay above {deadline}, or lower retry.deadline",
        related=(case.related("the deadline", "retry", "deadline"),),
    )
