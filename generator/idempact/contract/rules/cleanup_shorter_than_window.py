"""The record of a key is removed before its replay window has ended.

Why: a repeat within the window finds nothing and runs the operation again, against the promise.
Instead: remove records after the window's end (its at_most) only; later still leaves people time to recover.
Source: the default is three times the window, or its at_most; a window with nothing but an at_most may end at any time.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.windows import AtMost, Forever
from idempact.contract.units import Duration, NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/cleanup-shorter-than-window"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the cleanup with the window's upper bound, or with its lower bound where its end is open."""
    replay, cleanup = case.settings.windows.replay, case.settings.windows.cleanup
    if isinstance(replay, NotDocumented | AtMost) or not isinstance(cleanup, Duration):
        return
    end = None if isinstance(replay, Forever) else replay.most or replay.least
    if end is None:
        yield case.finding(
            f"keys are kept forever, but their records are removed after {cleanup}",
            "windows",
            "cleanup",
            hint="write cleanup: forever, or give the replay window an end",
            related=(case.related("the replay window", "windows", "replay"),),
        )
    elif cleanup < end:
        yield case.finding(
            f"records are removed after {cleanup}, before the replay window has ended ({end}): "
            "a repeat in between runs the operation again",
            "windows",
            "cleanup",
            hint=f"raise windows.cleanup to at least {end}, or leave it out",
            related=(case.related("the replay window", "windows", "replay"),),
        )
