"""A file that holds something of ours can't be read now, or is not to be followed in this run.

Why: what was inserted there can't be updated or taken out, and it may refer to any of our components, so these stay.
Instead: put the file back, or let it be followed; if it is gone for good, take out what refers to it.
Source: the ownership record.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/lost-file"
SEVERITY = Severity.WARNING
