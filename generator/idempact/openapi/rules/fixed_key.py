"""A declared key has an example or a default: the same key for everybody.

Why: readers and tools send it as it is, and the second request gets the answer of the first one, or is refused.
Instead: take it out, and describe how a key is made.
Source: OpenAPI, Parameter Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/fixed-key"
SEVERITY = Severity.WARNING
