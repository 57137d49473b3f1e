"""A response doesn't tell the machine code that the contract gives.

Why: where two outcomes share a status, the code alone tells them apart: one is retried, the other must not be.
Instead: `idempact inject` adds it where the body has room; --copy-shared does so for a shared response.
Source: RFC 9457, section 3.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/missing-code"
SEVERITY = Severity.WARNING
