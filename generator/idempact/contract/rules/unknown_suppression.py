"""A comment allows a rule that doesn't exist, or can't be read.

Why: nothing is allowed by it, and its author believes that something is.
Instead: take the rule's id from the finding, as in "# idempact: allow contract/nothing-compared because …".
Source: the comment reads "idempact: allow RULE because REASON"; several rules stand with commas between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from idempact.contract import rules
from idempact.contract.case import Case
from idempact.text.allowances import Suppression
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unknown-suppression"
SEVERITY = Severity.WARNING
LAST = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for comments that name no rule, or one that isn't there."""
    for allowance in case.allowances:
        if not allowance.rules:
            yield case.about(
                allowance,
                "this comment names no rule to allow",
                hint="write # idempact: allow contract/RULE because …, on a line of its own",
            )
            continue
        missing = unknown(case, allowance)
        if missing:
            near = get_close_matches(missing[0], sorted(_known()), 1)
            yield case.about(
                allowance,
                f"there is no rule {', '.join(missing)}, so this comment allows nothing",
                hint=f"did you mean {near[0]}?" if near else "`idempact rules` lists every rule",
            )


def unknown(case: Case, allowance: Suppression) -> tuple[str, ...]:
    """The rules that *allowance* names and that no contract can break."""
    known = _known()
    return tuple(rule for rule in allowance.rules if rule not in known)


def _known() -> frozenset[str]:
    return frozenset(rule.id for rule in rules.all_rules())
