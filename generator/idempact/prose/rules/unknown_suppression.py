"""An allowance of a rule that doesn't exist, or that can't be read.

Why: A misspelt rule is allowed for nobody; the author believes that it was.

Instead: Take the rule's id from the finding, as in "allow prose/exactly-once because we quote a competitor".
"""

from __future__ import annotations

from difflib import get_close_matches

from idempact.prose.suppress import Suppression

RULE = "prose/unknown-suppression"
PASSES = ("<!-- idempact: allow prose/exactly-once because we quote a competitor -->\nDelivered exactly once.\n",)
FAILS = (
    "<!-- idempact: allow prose/exactly-onse because we quote a competitor -->\nDelivered once.\n",
    "<!-- idempact: ignore prose/exactly-once because we quote a competitor -->\nDelivered once.\n",
    "<!-- idempact: allow because we quote a competitor -->\nDelivered once.\n",
)


def fault(suppression: Suppression, known: frozenset[str]) -> str:
    """Names the unknown rules, with the nearest known one; or says how an allowance reads."""
    if not suppression.rules:
        return 'this allowance names no rule; it reads "idempact: allow RULE because REASON"'
    unknown = [rule for rule in suppression.rules if rule not in known]
    if not unknown:
        return ""
    near = get_close_matches(unknown[0], sorted(known), 1)
    return f"there is no rule {', '.join(unknown)}" + (f"; did you mean {near[0]}?" if near else "")
