"""The body's schema is shared, so the key's member isn't added to it.

Why: its other users would get the member, too.
Instead: add it by hand if all of them take a key, or run with --copy-shared.
Source: OpenAPI, Reference Object.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/shared-body"
SEVERITY = Severity.WARNING
