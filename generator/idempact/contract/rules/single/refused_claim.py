"""The claim on a key lets two requests through, or is kept by a dead one.

Why: look-up then insert: two requests both find nothing, and both run. SETNX alone: the claim doesn't commit with the
change, so a crash loses one of the two.
Instead: let the store decide who wins (unique-constraint, row-lock-serializable, conditional-write, fencing-token),
in one transaction with the change.
Source: server.claim: check-then-insert, setnx and bare-setnx are known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/refused-claim"
SEVERITY = Severity.ERROR
