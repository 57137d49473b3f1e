"""A response was added beside a range that covered its status.

Why: an explicit status beats a range, so the range's text no longer holds for it.
Instead: read whether the range's description still fits.
Source: OpenAPI, Responses Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/narrowed-range"
SEVERITY = Severity.NOTE
