"""Under `--check`, a file is not what the contract makes of it.

Why: the contract or the file has changed since the last run, and readers of the file don't see it.
Instead: run the command that the finding names, look at the difference, and commit it.
Source: decision of this project; text output shows the difference instead.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/not-current"
SEVERITY = Severity.ERROR
