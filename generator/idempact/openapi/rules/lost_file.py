"""A file that holds something of ours can't be read now.

Why: what was inserted there can't be updated or taken out.
Instead: put the file back and run again; if it is gone for good, nothing needs to be done.
Source: the ownership record.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/lost-file"
SEVERITY = Severity.WARNING
