"""The contract carries the key in the body, and the operation has no body that could hold it.

Why: a client made from the file would have no place for the key.
Instead: give the operation a request body with a schema, or correct key.in in the contract.
Source: OpenAPI, Request Body Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/bodiless-operation"
SEVERITY = Severity.WARNING
