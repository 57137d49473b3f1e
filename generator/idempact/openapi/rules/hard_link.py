"""A file that is written has other names (hard links), which keep the old text.

Why: a new file is renamed over the old one, so that a crash leaves one of the two; other names still lead to the old.
Instead: make the other name a symbolic link, which is kept, or link it to the file again.
Source: POSIX, rename.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/hard-link"
SEVERITY = Severity.WARNING
