"""A file that idempact didn't make stands where an output belongs.

Why: what somebody else wrote is never overwritten.
Instead: move the file away, or build into another folder with `--out`.
Source: the docstring of `idempact.render.tree`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/foreign-file"
SEVERITY = Severity.ERROR
