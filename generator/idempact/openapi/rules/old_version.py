"""The file is a Swagger 2.0 document.

Why: it has no place for some of what would be inserted.
Instead: convert it to OpenAPI 3, for instance with `npx swagger2openapi FILE`.
Source: OpenAPI 2.0.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/old-version"
SEVERITY = Severity.ERROR
