"""A mismatch is answered 409, which widely used SDKs retry.

Why: they look at the status alone, so a request that can never succeed under its key is sent again and again, and its
caller learns late that the key was reused.
Instead: another status (422; or 400, where a style guide forbids 422), or a header x-should-retry: false with the
answer, written as retry.server_hint: those SDKs obey it.
Source: the SDKs that Stainless generates retry 408, 409, 429 and every 5xx unless x-should-retry says otherwise (read
in openai-python, src/openai/_base_client.py, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers
from idempact.contract.case import Case
from idempact.contract.model.retry import Hint, HintCarrier
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/mismatch-retried"
SEVERITY = Severity.WARNING
FACTS = True
DEPENDS = ("retry.server_hint",)
_RETRIED = 409


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a mismatch with the status 409, and no header that stops those SDKs."""
    mismatch = next((given for given in given_answers(case.settings) if given.name == "mismatch"), None)
    if mismatch is None or _RETRIED not in mismatch.statuses or _stopped(case.settings.retry.server_hint):
        return
    yield case.finding(
        f"a mismatch is answered {_RETRIED}, which widely used SDKs retry whatever its code says",
        "answers",
        "mismatch",
        hint="answer it with 422 or 400, or send x-should-retry: false with it (retry.server_hint)",
    )


def _stopped(hint: Hint | None) -> bool:
    return hint is not None and hint.carrier is HintCarrier.HEADER and hint.name.lower() == "x-should-retry"
