"""A comment allows a finding that isn't there.

Why: it was written for a value that has changed since, or stands before another field than it was meant for; left in
place it hides the next finding, which nobody has thought about.
Instead: delete the comment, or move it right before the field that it is for.
Source: an allowance holds for the field or item that follows it, with everything below.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.rules.suppressed_error import errors_of
from idempact.contract.rules.unknown_suppression import known_rules
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unused-suppression"
SEVERITY = Severity.WARNING
LAST = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for rules that were allowed in vain, where no other rule about allowances speaks."""
    if case.source.unread:  # what could not be read breaks no rule, and its allowance may well be needed
        return
    told = known_rules() - errors_of(case)  # of the others, another rule speaks
    for allowance in case.allowances:
        if not allowance.reason:
            continue
        unused = [rule for rule in allowance.rules if rule in told and rule not in allowance.used]
        if unused:
            yield case.about(
                allowance,
                f"nothing in the field that follows breaks {' or '.join(unused)}, so this comment allows nothing",
                hint="delete the comment, or move it right before the field that it is for",
            )
