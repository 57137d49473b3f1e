"""A window ends before it is promised to end.

Why: the promise (at_least) and the moment after which nothing holds (at_most) exclude each other.
Instead: swap the two, or leave one of them out.
Source: promises use at_least; "afterwards" begins at at_most.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/contradictory-window"
SEVERITY = Severity.ERROR
