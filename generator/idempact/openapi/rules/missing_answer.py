"""A keyed operation doesn't tell an answer that the contract gives.

Why: integrators meet it in production first, and generated clients have no type for it.
Instead: `idempact inject` adds the response.
Source: OpenAPI, Responses Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/missing-answer"
SEVERITY = Severity.WARNING
