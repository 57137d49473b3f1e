"""A duration or a share has no unit, or one that isn't known.

Why: 90 could be seconds, minutes or milliseconds, and a reader would guess.
Instead: a whole number and ms, s, m, h or d, as 90s; a share with a per cent sign, as 10%.
Source: contract.yaml, its opening comment.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/wrong-unit"
SEVERITY = Severity.ERROR
