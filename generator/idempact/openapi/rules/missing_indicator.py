"""A success doesn't declare the header that tells a repeat's answer.

Why: a client can't tell the first answer from a repeat of it.
Instead: `idempact inject` declares the header.
Source: the contract's replay.indicator.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/missing-indicator"
SEVERITY = Severity.WARNING
