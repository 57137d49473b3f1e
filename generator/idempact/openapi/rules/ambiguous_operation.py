"""Two keys of the contract name one operation alike, and neither is more specific.

Why: then it depends on their order which of two contracts is published.
Instead: name the operation itself in the contract, or drop one of the keys.
Source: the contract language: the most specific key wins; a tie is an error.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/ambiguous-operation"
SEVERITY = Severity.ERROR
