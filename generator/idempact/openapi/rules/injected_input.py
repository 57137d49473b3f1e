"""An overlay was asked for a file that holds the contract already.

Why: it would add everything a second time.
Instead: `idempact eject` first, or go on with `inject`.
Source: Overlay 1.1: updates append to lists.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/injected-input"
SEVERITY = Severity.ERROR
