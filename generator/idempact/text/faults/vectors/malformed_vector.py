"""A retry vector isn't whole.

Why: a client is measured by it, so a step or an expectation that nobody understands would measure nothing.
Instead: write the fields that the message names; the shipped `vectors.json` shows each of them.
Source: the docstring of `idempact.vectors.model`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "vectors/malformed-vector"
SEVERITY = Severity.ERROR
