"""Aliases of a YAML file expand to far more than the file holds.

Why: a few lines can stand for billions of nodes, and reading them would take all memory.
Instead: write the value out where it is needed.
Source: YAML 1.2.2, 7.1.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/alias-bomb"
SEVERITY = Severity.ERROR
