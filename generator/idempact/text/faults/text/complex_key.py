"""A key of a mapping is a list, a mapping or an alias, not a text.

Why: neither a contract nor OpenAPI has such keys; mostly it is a template such as `{id}` without its quotes.
Instead: put the key into quotes.
Source: YAML 1.2.2, 8.2.2 and 10.3.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/complex-key"
SEVERITY = Severity.ERROR
