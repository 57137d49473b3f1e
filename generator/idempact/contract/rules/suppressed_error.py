"""A comment allows an error, which nothing can allow.

Why: an error breaks what a key is for; pages and loops that were made in spite of it would mislead their readers.
Instead: mend what the error names, and delete the comment.
Source: warnings and notes are trades that an author may take; errors are none. A rule may tell both, and a comment that
lets its warnings go is of use even so: the errors are told all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract import rules
from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/suppressed-error"
SEVERITY = Severity.WARNING
LAST = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for allowances of rules whose findings are errors, where no warning of the rule was let go."""
    errors = errors_of(case)
    for allowance in case.allowances:
        named = [rule for rule in allowance.rules if rule in errors and rule not in allowance.used]
        if named and allowance.reason:
            yield case.about(
                allowance,
                f"{' and '.join(named)} {'is an error' if len(named) == 1 else 'are errors'}, and only warnings "
                "can be allowed",
                hint="mend what the error names, and delete the comment",
            )


def errors_of(case: Case) -> frozenset[str]:
    """The rules whose findings in this contract are errors, or would be."""
    observed = case.contract.observed
    known = rules.all_rules()
    heavy = {rule.id for rule in known if (rule.observer if observed else rule.severity) is Severity.ERROR}
    return frozenset(heavy | {one.rule for one in case.found if one.severity is Severity.ERROR})
