"""A machine code stands in two classes of retry, or in a class and among the answers.

Why: a code decides before its status, so two meanings of one code are a coin toss; the answers' codes have theirs.
Instead: name each code once; the answers' codes need no class.
Source: loops take the answers' codes from answers, and the API's other codes from retry.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers
from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/code-in-two-classes"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
DEPENDS = ("answers", "retry")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the codes of all classes and answers."""
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for given in given_answers(case.settings):
        if isinstance(given.answer.code, str):
            first.setdefault(given.answer.code, (f"answers.{given.name}", ("answers", given.name, "code")))
    for name in ("throttled", "transient", "cautious", "final"):
        for index, code in enumerate(getattr(case.settings.retry, name).codes):
            place = case.item("retry", name, "codes", str(index))
            known = first.setdefault(code, (f"retry.{name}", place))
            if known[1] != place:
                yield case.finding(
                    f"the code {code} is in retry.{name} and in {known[0]}: it can't mean both",
                    *place,
                    hint="name it once; what a client does with an answer is its `client`",
                    related=(case.related(known[0], *known[1]),),
                )
