"""The key travels where OpenAPI has no place for it.

Why: a parameter would describe something else.
Instead: nothing needs to be done; the extension tells the carrier.
Source: GraphQL directives, gRPC metadata.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unsupported-carrier"
SEVERITY = Severity.NOTE
