"""A parameter that `--adopt` would rewrite is used by others, of which the contract doesn't want the same.

Why: they would have to send a key, or another one than before.
Instead: run with --copy-shared as well, or give these operations a parameter of their own.
Source: OpenAPI, Path Item Object: its parameters are those of all operations under the path.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/shared-parameter"
SEVERITY = Severity.WARNING
