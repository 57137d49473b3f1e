"""Somebody edited the record of what idempact inserted.

Why: without it nothing tells our part of the file from its author's.
Instead: undo the edit (version control has it), or run with --force to trust the record as it stands.
Source: the root extension x-idempotency.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/edited-record"
SEVERITY = Severity.ERROR
