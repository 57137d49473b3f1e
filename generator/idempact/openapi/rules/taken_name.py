"""A name that idempact would use is taken by the file's author.

Why: what is somebody else's is never overwritten.
Instead: nothing needs to be done: another name is used, or theirs stays.
Source: OpenAPI, Components Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/taken-name"
SEVERITY = Severity.NOTE
