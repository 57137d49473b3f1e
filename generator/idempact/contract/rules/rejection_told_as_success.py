"""A rejecting answer has a status that says no rejection: 1xx, 2xx or 3xx.

Why: clients, proxies and dashboards take a 2xx for done, follow a 3xx, and never see a 1xx as an answer, so that a
request which was refused counts as one that was run.
Instead: a 4xx or 5xx. Over GraphQL a refusal may come with 200, where it has a machine code and errors.code_at says
where: there the body tells.
Source: RFC 9110, sections 15.2 to 15.4; the GraphQL over HTTP draft, which answers 200 to what it could carry out in
part.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import Given, given_answers, readable_code
from idempact.contract.case import Case
from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Protocol
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/rejection-told-as-success"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("api.protocols", "errors.code_at", "answers")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look at the statuses of the answers that refuse."""
    for given in given_answers(case.settings):
        if given.answer.answer is Verb.ACCEPT or _told_by_its_code(given, case):
            continue
        told = [status for status in given.statuses if status < 400]
        if told:
            yield case.finding(
                f"answers.{given.name} refuses the request with the status {told[0]}, which {_MEANING[told[0] // 100]}",
                "answers",
                given.name,
                "status",
                hint="write a status from 400 on" + _also(told[0]),
            )


_MEANING = {1: "is no final answer", 2: "says that it was done", 3: "sends the client elsewhere"}


def _also(status: int) -> str:
    return ", or, in a GraphQL API, its code and errors.code_at beside 200" if status == 200 else ""


def _told_by_its_code(given: Given, case: Case) -> bool:
    """Whether a GraphQL answer has a code in its body, as far as is documented."""
    graphql = Protocol.GRAPHQL in case.contract.api.protocols
    return graphql and set(given.statuses) <= {200} and readable_code(given.answer, case.settings) is not None
