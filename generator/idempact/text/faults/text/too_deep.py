"""Brackets or indents nest deeper than any sensible file.

Why: readers run out of stack on such a file; mostly a bracket isn't closed.
Instead: check the brackets around the place named.
Source: RFC 8259, section 9, which lets a reader set such a limit.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/too-deep"
SEVERITY = Severity.ERROR
