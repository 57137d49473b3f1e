"""Somebody edited what idempact had inserted.

Why: an edit may be meant: it is neither overwritten nor taken out unasked. `eject` takes out nothing then, since
the record of what is ours would go with the rest.
Instead: keep the edit, or run with --force to have the contract's value again (`eject --force`: to take it out).
Source: the ownership record, which keeps a digest of every inserted value.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/edited-node"
SEVERITY = Severity.WARNING
