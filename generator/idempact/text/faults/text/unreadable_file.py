"""A file can't be read, or a `$ref` leads to none.

Why: without it there is nothing to check.
Instead: check the path and its permissions.
Source: the message of the operating system.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/unreadable-file"
SEVERITY = Severity.ERROR
