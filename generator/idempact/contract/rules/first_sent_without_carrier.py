"""The replay window is counted from the first attempt's time, but no attempt carries it.

Why: the server can't know when the first attempt was sent, if that attempt never arrived.
Instead: say in key.first_sent where each attempt repeats it, or count from the first request.
Source: windows.counted_from: first-sent (as the OASIS repeatable requests do).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.windows import CountedFrom
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/first-sent-without-carrier"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("key.first_sent",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for first-sent without a carrier."""
    if case.settings.windows.counted_from is CountedFrom.FIRST_SENT and case.settings.key.first_sent is None:
        yield case.finding(
            "the replay window is counted from the first attempt's time, but nothing carries that time",
            "windows",
            "counted_from",
            hint="write key.first_sent, as {in: header, name: First-Sent}, or counted_from: first-request",
            related=(case.related("the key", "key"),),
        )
