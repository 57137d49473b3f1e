"""A keyed operation doesn't declare its key.

Why: nobody sends what isn't documented, and generated clients can't.
Instead: `idempact inject` declares it.
Source: OpenAPI, Parameter Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/missing-declaration"
SEVERITY = Severity.WARNING
