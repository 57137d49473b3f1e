"""A file holds the marks of a merge that nobody has finished.

Why: both sides of the conflict stand in it, and it can be read as neither.
Instead: keep one side or write both into one, and take the three marks out.
Source: git-merge(1), how conflicts are presented.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/conflict-marker"
SEVERITY = Severity.ERROR
