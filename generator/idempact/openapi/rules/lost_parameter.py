"""A parameter that `--adopt` wrote into is not to be found where it was, nor under another name.

Why: what was written there stays where it is now, as its author's own: another parameter may have the same values.
Instead: nothing, where the parameter was removed; else look at its required, description and schema yourself.
Source: the ownership record.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/lost-parameter"
SEVERITY = Severity.NOTE
