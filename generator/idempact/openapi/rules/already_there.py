"""What idempact would write is there already, with the very same content, and not in this file's record.

Why: a second one beside it would say the same twice; what is not recorded was put there by somebody else or for another
root document, and is not ours to take out.
Instead: nothing needs to be done. Where it is to follow the contract, remove it and run again.
Source: the root extension x-idempotency.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/already-there"
SEVERITY = Severity.NOTE
