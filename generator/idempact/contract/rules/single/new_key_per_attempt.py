"""Each attempt gets a key of its own.

Why: no server can see such a retry as a repeat, so the key has no effect at all.
Instead: name the key after the business event, or make it once before the loop, and send it with every attempt.
Source: key.derivation: a placeholder that counts attempts, and the words per-attempt and new-for-each-attempt, are
known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/new-key-per-attempt"
SEVERITY = Severity.ERROR
