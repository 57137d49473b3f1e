"""An answer has a status that the API's own style guide forbids.

Why: the linter of that guide then fails the OpenAPI file that this contract is injected into.
Instead: take a status that the guide allows (for a mismatch both take 400), or leave the guide out of api.guidelines.
Source: Zalando's RESTful API guidelines mark 422 "do not use", and Zally doesn't list it; IBM's OpenAPI ruleset
(ibm-response-status-codes) wants 400 in its place. Read in 2026.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import given_answers
from idempact.contract.case import Case
from idempact.contract.model.contract import Guideline
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/status-against-guideline"
SEVERITY = Severity.WARNING
DEPENDS = ("answers",)
_FORBIDDEN = {Guideline.ZALANDO: (422,), Guideline.IBM: (422,)}


def check(case: Case) -> Iterator[Diagnostic]:
    """Look up each answer's statuses in the guides that the contract names."""
    for given in given_answers(case.settings):
        for guideline in case.contract.api.guidelines:
            for status in given.statuses:
                if status in _FORBIDDEN[guideline]:
                    guide = f"the API's style guide ({guideline.value})"
                    yield case.finding(
                        f"answers.{given.name} has the status {status}, which {guide} forbids",
                        "answers",
                        given.name,
                        "status",
                        hint="write 400, which the guide allows; or take the guide out of api.guidelines",
                        related=(case.related("the style guides", "api", "guidelines"),),
                    )
