"""A response that must carry a new meaning is a reference to one that other operations may use.

Why: they would get that meaning, too.
Instead: run with --copy-shared, or give this operation a response of its own.
Source: OpenAPI, Reference Object: nothing may stand beside `$ref`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/shared-response"
SEVERITY = Severity.WARNING
