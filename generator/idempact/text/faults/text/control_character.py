"""A character stands in the file that YAML and JSON forbid.

Why: it can't be seen, and programs cut or drop it: what people read isn't what machines read.
Instead: remove it, or write it as an escape inside double quotes.
Source: YAML 1.2.2, 5.1; RFC 8259, section 7.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/control-character"
SEVERITY = Severity.ERROR
