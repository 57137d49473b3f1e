"""One operation is reached by two paths, for which the contract says different things.

Why: one text can't say both.
Instead: give each path an operation of its own, or say the same of both in the contract.
Source: OpenAPI, Path Item Object, `$ref`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/shared-operation"
SEVERITY = Severity.WARNING
