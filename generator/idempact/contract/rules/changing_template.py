"""A key's template holds a time, or an amount that can change.

Why: where the template is filled in again for a retry, the time has moved on or the amount was corrected, and the
retry is another request. Where the amount is the same, two payments of one amount share a key.
Instead: an identifier that was given to the event before its first attempt, as payment-{payment_attempt_id}.
Source: a key must be the same on every attempt of one event, and another one for another event.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.placeholders import Placeholder, placeholders
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/changing-template"
SEVERITY = Severity.WARNING
_NOW = frozenset({"now", "today", "timestamp", "epoch", "millis", "current", "clock"})
_ALONE = frozenset({"time", "date", "day", "hour", "minute", "second", "ts", "datetime", "unixtime"})
_DONE_AT = frozenset({"sent", "requested", "updated", "modified", "retried", "attempted", "received"})
_MOMENT = frozenset({"request", "send", "retry", "attempt", "server", "system", "local"})
_AMOUNT = frozenset(
    {"amount", "price", "total", "subtotal", "sum", "balance", "quantity", "qty", "fee", "cost", "tax", "discount"}
)


def check(case: Case) -> Iterator[Diagnostic]:
    """Read the placeholders' names."""
    for found in placeholders(case):
        kind = _kind(found)
        if kind:
            yield case.finding(
                f"the key is named after {{{found.name}}}, {kind}: filled in again for a retry it can be another key",
                *found.path,
                hint="name the key after an identifier that the event has before its first attempt",
            )


def _kind(found: Placeholder) -> str:
    words = found.words
    if found.identifier or not words:
        return ""
    time = _NOW & set(words) or (len(words) == 1 and words[0] in _ALONE)
    done = words[-1] == "at" and words[-2:-1] != () and words[-2] in _DONE_AT
    requested = words[-1] == "time" and words[-2:-1] != () and words[-2] in _MOMENT
    if time or done or requested:
        return "a time"
    return "an amount that can change" if _AMOUNT & set(words) else ""
