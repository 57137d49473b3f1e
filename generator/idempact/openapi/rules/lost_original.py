"""A reference of ours stands in the place of one whose target is gone, so that this can't be given back.

Why: it would lead to nothing.
Instead: refer to what should stand there by hand.
Source: the ownership record.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/lost-original"
SEVERITY = Severity.WARNING
