"""A JSON file is not JSON.

Why: comments, commas behind the last member and single quotes are other languages, which other readers refuse.
Instead: write what RFC 8259 allows, or give the file the ending `.yaml`.
Source: RFC 8259.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/json-syntax"
SEVERITY = Severity.ERROR
