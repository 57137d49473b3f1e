"""The shortest key is longer than the longest one.

Why: no key could ever be accepted.
Instead: swap min and max.
Source: key.length counts from min to max, both included.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/contradictory-length"
SEVERITY = Severity.ERROR
