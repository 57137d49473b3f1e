"""An answer has a machine code, but the contract says that errors carry none.

Why: a client that doesn't know where the code stands can't branch on it.
Instead: say where it stands in errors.code_at (or in the answer's own code_at), or write code: none.
Source: errors.code_at: none says that the status alone must tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers
from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/code-without-place"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for codes without a place."""
    if case.settings.errors.code_at is not None:
        return
    lost = [
        given.name
        for given in given_answers(case.settings)
        if isinstance(given.answer.code, str) and given.answer.code_at is None
    ]
    if lost:
        yield case.finding(
            f"errors.code_at is none, but there are codes, which no client can find: those of {', '.join(lost)}",
            "errors",
            "code_at",
            hint="write errors.code_at as a JSON Pointer, or `code: none` under each of them",
        )
