"""A comment allows a rule that doesn't exist, or can't be read.

Why: nothing is allowed by it, and its author believes that something is.
Instead: take the rule's id from the finding, as in "# idempact: allow contract/nothing-compared because …".
Source: the comment reads "idempact: allow RULE because REASON"; several rules stand with commas between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract import rules
from idempact.contract.case import Case
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unknown-suppression"
SEVERITY = Severity.WARNING
LAST = True
_LONGEST = 80  # no rule is longer, and comparing costs the length


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for comments that name no rule, or one that isn't there."""
    known = known_rules()
    for allowance in case.allowances:
        if not allowance.rules:
            yield case.about(
                allowance,
                "this comment names no rule to allow",
                hint="write # idempact: allow contract/RULE because …, before the line or at its end",
            )
            continue
        missing = [rule for rule in allowance.rules if rule not in known]
        if missing:
            from difflib import get_close_matches

            near = get_close_matches(missing[0][:_LONGEST], sorted(known), 1)
            yield case.about(
                allowance,
                f"there is no rule {', '.join(missing)}, so this comment allows nothing",
                hint=f"did you mean {near[0]}?" if near else "`idempact rules` lists every rule",
            )


def known_rules() -> frozenset[str]:
    """The rules that a contract can break."""
    return frozenset(rule.id for rule in rules.all_rules())
