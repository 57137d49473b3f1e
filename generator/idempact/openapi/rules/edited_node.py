"""Somebody edited what idempact had inserted.

Why: an edit may be meant: it is neither overwritten nor taken out unasked.
Instead: keep the edit, or run with --force to have the contract's value again.
Source: the ownership record, which keeps a digest of every inserted value.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/edited-node"
SEVERITY = Severity.WARNING
