"""A key stands twice in one mapping.

Why: readers disagree on which of the two counts, so the file says two things.
Instead: keep one of them; both places are named.
Source: YAML 1.2.2, 3.2.1.1; RFC 8259, section 4.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/duplicate-key"
SEVERITY = Severity.ERROR
