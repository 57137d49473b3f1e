"""An allowance that lets nothing go.

Why: It was written for words that have changed since, or stands before another block than it was meant for. Left in
place, it will hide the next claim that somebody writes there.

Instead: Delete it, or move it right before the block that it is for.
"""

from __future__ import annotations

from idempact.prose.suppress import Suppression

RULE = "prose/unused-suppression"
PASSES = (
    "<!-- idempact: allow prose/exactly-once because we quote a competitor -->\nDelivered exactly once.\n",
    "<!-- another comment -->\nNothing to see.\n",
)
FAILS = (
    "<!-- idempact: allow prose/exactly-once because we quote a competitor -->\nDelivered at least once.\n",
    "<!-- idempact: allow prose/exactly-once because of the table -->\n\nFirst.\n\nDelivered exactly once.\n",
)


def fault(suppression: Suppression, known: frozenset[str]) -> str:
    """Names the rules that were allowed in vain; silent where another rule about allowances speaks."""
    if not suppression.reason:
        return ""
    unused = [rule for rule in suppression.rules if rule in known and rule not in suppression.used]
    return f"nothing here breaks {', '.join(unused)}, so this allowance is in vain" if unused else ""
