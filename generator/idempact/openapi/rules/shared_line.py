"""Something of ours shares its line with something else and can't be taken out.

Why: taking the line would take that, too.
Instead: move it to a line of its own, or remove it by hand.
Source: the promise that only inserted bytes differ.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/shared-line"
SEVERITY = Severity.WARNING
