"""A retry loop has no deadline over all its attempts, or one that starts anew with each.

Why: attempts and waits add up while the caller's own caller has long given up, and each layer multiplies the load of
the one below.
Instead: one deadline for the whole call (retry.deadline); retry.attempt_timeout bounds a single attempt.
Source: retry.deadline: the words none, per-attempt and each-attempt are known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/refused-deadline"
SEVERITY = Severity.ERROR
