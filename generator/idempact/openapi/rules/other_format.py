"""The file is no OpenAPI 3.0, 3.1 or 3.2 document.

Why: only their structure is known.
Instead: name the API's root document, the one that begins with `openapi: 3.`
Source: OpenAPI, OpenAPI Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/other-format"
SEVERITY = Severity.ERROR
