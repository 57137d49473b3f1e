"""Something belongs into another file, which an overlay of the root document doesn't reach.

Why: the overlay alone would leave those operations without key and answers.
Instead: bundle the API into one file first, or use `inject`.
Source: Overlay 1.1: a target names nodes of one document.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unreached-file"
SEVERITY = Severity.WARNING
