"""The contract names an operation that the file doesn't have.

Why: a key that matches nothing protects nothing.
Instead: compare the path with those of the file.
Source: OpenAPI, Paths Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unknown-operation"
SEVERITY = Severity.WARNING
