"""A value is of another kind than its field.

Why: it can't be read, so its field would be left open.
Instead: write what the finding says may stand there.
Source: contract.yaml gives the values of every field in its comment.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/wrong-type"
SEVERITY = Severity.ERROR
