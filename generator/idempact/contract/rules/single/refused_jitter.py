"""Waits before a retry aren't spread.

Why: all callers that failed together come back together, again and again.
Instead: jitter: full or decorrelated.
Source: Marc Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015: with equal jitter half of each wait
stays the same for all.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/refused-jitter"
SEVERITY = Severity.ERROR
