"""Decorrelated jitter is given a factor.

Why: each wait is drawn between base and three times the last wait, so the factor would be ignored.
Instead: remove factor, or write jitter: full.
Source: Marc Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/factor-with-decorrelated"
SEVERITY = Severity.ERROR
