"""Expired keys are to be rejected, but their records go when the window ends.

Why: the server can tell that a key has expired only while it still has the key's record; without it the key is new.
Instead: keep records for a while beyond the replay window (beyond at_most, where it has two bounds).
Source: answers.expired_key holds from the window's end to the cleanup.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.model.windows import AtMost, Between, Forever
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/rejection-without-record"
SEVERITY = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a rejection that has no time in which it could be given."""
    answer, windows = case.settings.answers.expired_key, case.settings.windows
    if isinstance(answer, NotDocumented) or answer.answer is not Verb.REJECT:
        return
    replay, cleanup = windows.replay, windows.cleanup
    if (
        isinstance(replay, NotDocumented | Forever | AtMost)
        or replay.most is None
        or isinstance(cleanup, NotDocumented)
    ):
        return
    if cleanup == replay.most:
        never = "no key is ever found to be expired"
        if isinstance(replay, Between):
            never = f"only a key whose window ends sooner (of {replay}) is found to be expired"
        yield case.finding(
            f"an expired key is rejected, but its record is removed at the very end of the window ({cleanup}), "
            f"so that {never}",
            "answers",
            "expired_key",
            hint=f"raise windows.cleanup above {replay.most}, or write expired_key: {{answer: execute}}",
            related=(case.related("the cleanup", "windows", "cleanup"),),
        )
