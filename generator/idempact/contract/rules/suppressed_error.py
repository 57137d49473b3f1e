"""A comment allows an error, which nothing can allow.

Why: an error breaks what a key is for; pages and loops that were made in spite of it would mislead their readers.
Instead: mend what the error names, and delete the comment.
Source: warnings and notes are trades that an author may take; errors are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract import rules
from idempact.contract.case import Case
from idempact.text.allowances import Suppression
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/suppressed-error"
SEVERITY = Severity.WARNING
LAST = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for allowances of rules whose findings are errors."""
    for allowance in case.allowances:
        errors = allows_errors(case, allowance)
        if errors and allowance.reason:
            yield case.about(
                allowance,
                f"{' and '.join(errors)} {'is an error' if len(errors) == 1 else 'are errors'}, and only warnings "
                "can be allowed",
                hint="mend what the error names, and delete the comment",
            )


def allows_errors(case: Case, allowance: Suppression) -> tuple[str, ...]:
    """The rules that *allowance* names and whose findings here are errors, or would be."""
    observed = case.contract.observed
    weights = {rule.id: rule.observer if observed else rule.severity for rule in rules.all_rules()}
    found = {one.rule for one in case.found if one.severity is Severity.ERROR}
    return tuple(rule for rule in allowance.rules if weights.get(rule) is Severity.ERROR or rule in found)
