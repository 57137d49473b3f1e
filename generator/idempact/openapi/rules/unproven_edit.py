"""An edit could not be proven to only add, and was dropped.

Why: nothing is written that wasn't proven.
Instead: nothing was written; report this with the file's lines around the place.
Source: the proof by events and by value.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unproven-edit"
SEVERITY = Severity.ERROR
