"""A repeat of a completed request is an error, but nobody says which.

Why: the caller must learn that its request was done, or it takes the error for a failure.
Instead: decide answers.completed, as {status: 409, code: already_exists, resource_at: /id}.
Source: replay.fidelity: error means that the repeat gets answers.completed.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.replay import Fidelity
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/completed-without-answer"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("answers.completed", "replay.fidelity")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for the fidelity error without its answer."""
    if case.settings.replay.fidelity is Fidelity.ERROR and case.settings.answers.completed is None:
        yield case.finding(
            "`answers.completed` is not decided: which error tells a repeat that the first request was done?",
            "answers",
            "completed",
            hint="add `completed: {status: 409, code: already_exists, resource_at: /id}`",
            related=(case.related("replays are errors", "replay", "fidelity"),),
        )
