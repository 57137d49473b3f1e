"""An answer has no machine code, and its status is another answer's, too.

Why: clients tell the two apart only by a code that is missing, which every proxy's own error page lacks as well.
Instead: give each answer a code.
Source: codes are what loops, pages and OpenAPI branch on.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers, look_alike
from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/answer-without-code"
SEVERITY = Severity.WARNING
FACTS = True
DEPENDS = ("answers",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for answers without a code beside an answer with the same status; same-looking pairs are another rule's."""
    settings = case.settings
    found = given_answers(settings)
    for index, one in enumerate(found):
        if one.answer.code is not None:
            continue
        for other in found:
            silent = other.answer.code is None
            if other is one or not set(one.statuses) & set(other.statuses) or (silent and other in found[index:]):
                continue  # of two without a code, the later one is told
            if other.action is one.action or not look_alike(one, other, settings):
                yield case.finding(
                    f"answers.{one.name} has no code, and shares its status with answers.{other.name}",
                    "answers",
                    one.name,
                    "code",
                    hint="give it a code, as clients branch on codes",
                    related=(case.related(f"answers.{other.name}", "answers", other.name),),
                )
                break
