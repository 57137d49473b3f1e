"""A file isn't written in UTF-8.

Why: in another encoding each reader guesses, and names and texts change from one to the next.
Instead: save the file as UTF-8.
Source: RFC 8259, section 8.1; YAML 1.2.2, 5.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/not-utf-8"
SEVERITY = Severity.ERROR
