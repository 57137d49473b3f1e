"""A template of your own extends itself.

Why: your templates are looked for before ours, so the name of a shipped template leads to yours.
Instead: extend it under `shipped/`, as in `{% extends "shipped/pages/index.md.jinja" %}`.
Source: Jinja 3.1, "Template Inheritance".
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/template-of-itself"
SEVERITY = Severity.ERROR
