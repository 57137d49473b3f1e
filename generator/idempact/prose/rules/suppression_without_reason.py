"""An allowance that gives no reason, and so allows nothing.

Why: Whoever reads the words next can't tell an exception that was thought about from one that was in a hurry.

Instead: Say why the words are right here: "allow prose/exactly-once because we quote a competitor".
"""

from __future__ import annotations

from idempact.prose.suppress import Suppression

RULE = "prose/suppression-without-reason"
PASSES = ("<!-- idempact: allow prose/exactly-once because we quote a competitor -->\nDelivered exactly once.\n",)
FAILS = (
    "<!-- idempact: allow prose/exactly-once -->\nDelivered exactly once.\n",
    "<!-- idempact: allow prose/exactly-once because -->\nDelivered exactly once.\n",
)


def fault(suppression: Suppression, known: frozenset[str]) -> str:
    """Speaks where rules are named and no reason is."""
    return (
        "this allowance gives no reason, so it allows nothing" if suppression.rules and not suppression.reason else ""
    )
