"""A parameter can't be read and may be the key.

Why: a key declared twice is worse than one declared once.
Instead: repair the reference, allow other files to be followed, or declare the key by hand.
Source: OpenAPI, Parameter Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unresolved-parameter"
SEVERITY = Severity.WARNING
