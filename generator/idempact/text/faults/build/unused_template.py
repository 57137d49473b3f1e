"""A template lies where none is looked for.

Why: it makes no page, and no other template uses it.
Instead: put a page into `pages/`, as in the shipped templates.
Source: Jinja 3.1, "Template Inheritance".
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/unused-template"
SEVERITY = Severity.WARNING
