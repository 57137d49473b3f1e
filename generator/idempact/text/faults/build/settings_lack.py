"""The settings of the site that the pages are built into lack something that the pages need.

Why: without it, tabs and notes show as rubbish, or a page is not reached from the navigation.
Instead: add the lines that the finding gives.
Source: MkDocs 1.6, "Configuration"; the `mkdocs.yml` that `idempact new` brings.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/settings-lack"
SEVERITY = Severity.WARNING
