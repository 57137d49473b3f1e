"""The operation answers that status already, with another meaning.

Why: a client that sees the status must be able to tell both meanings apart, by the code.
Instead: describe the codes there; a compatible body gets codes and examples by itself.
Source: OpenAPI, Responses Object: one response for each status.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/existing-response"
SEVERITY = Severity.WARNING
