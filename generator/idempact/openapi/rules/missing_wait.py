"""A response doesn't declare the Retry-After that the contract's answer carries.

Why: clients then wait by guess, or not at all.
Instead: `idempact inject` declares the header.
Source: RFC 9110, section 10.2.3.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/missing-wait"
SEVERITY = Severity.WARNING
