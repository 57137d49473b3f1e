"""The operations stand behind something that isn't followed.

Why: they are neither edited nor checked, and the inventory doesn't hold them.
Instead: repair the reference, leave --no-follow away, or write the operations out here. What leads over the network
is never fetched.
Source: OpenAPI, Path Item Object, `$ref`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/indirect-path"
SEVERITY = Severity.WARNING
