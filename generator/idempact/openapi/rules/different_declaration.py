"""The key is declared already, and otherwise than the contract says.

Why: generated clients follow the file: they refuse keys that the server accepts, or send keys that it refuses.
Instead: correct the file or the contract; `--adopt` writes the contract's values.
Source: OpenAPI, Parameter Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/different-declaration"
SEVERITY = Severity.WARNING
