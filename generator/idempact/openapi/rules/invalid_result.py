"""The result would not be a valid OpenAPI document.

Why: nothing is written that validators refuse.
Instead: nothing was written; report this with the lines that the finding shows.
Source: OpenAPI: references, parameter identity, component names.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/invalid-result"
SEVERITY = Severity.ERROR
