"""The figures on libraries' retry switches aren't whole.

Why: a page shows them, and a figure that nobody can read would be a claim without proof.
Instead: run `make switches` again; the message names the field.
Source: the docstring of `idempact.vectors.switches`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "vectors/malformed-switches"
SEVERITY = Severity.ERROR
