"""Two answers look the same to a client that must act differently on them.

Why: a client that takes a reused key for a request in flight waits for nothing, and one that takes it the other way
gives up on a request that goes on.
Instead: give one of them a machine code of its own (or another status, where there are no codes).
Source: a client sees the status, and the code where the contract says that it stands; the message is for people.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import Given, alike, readable_code
from idempact.contract.case import Case
from idempact.contract.model.answers import ClientAction
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/indistinguishable-answers"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("answers", "errors.code_at")
_THEN = {
    ClientAction.WAIT_SAME_KEY: "wait, and send the same key again",
    ClientAction.NEW_KEY: "send again under a new key",
    ClientAction.FIX_REQUEST: "correct the request",
    ClientAction.STOP: "stop",
    ClientAction.ASK: "ask for the outcome",
}


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the answers by status and code."""
    for one, other in alike(case.settings):
        yield case.finding(
            f"a client can't tell answers.{other.name} ({_THEN[other.action]}) from answers.{one.name} "
            f"({_THEN[one.action]}): both have {_looks(case, one, other)}",
            "answers",
            other.name,
            hint=_remedy(case, other),
            related=(case.related(f"answers.{one.name}", "answers", one.name),),
        )


def _looks(case: Case, one: Given, other: Given) -> str:
    shared = [str(status) for status in one.statuses if status in other.statuses]
    code = readable_code(one.answer, case.settings)
    status = f"status {' and '.join(shared)}" if shared else "no status"
    return f"{status} and {f'the code {code[0]}' if isinstance(code, tuple) else 'no code'}"


def _remedy(case: Case, other: Given) -> str:
    if other.answer.code is not None and readable_code(other.answer, case.settings) is None:
        return "say where the code stands (errors.code_at), or give one of them another status"
    return "give one of them a code of its own"
