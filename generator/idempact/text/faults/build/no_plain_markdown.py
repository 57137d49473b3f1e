"""A page has no form in plain Markdown.

Why: GitHub and Docusaurus show what they don't know as it stands, so a reader would see markup.
Instead: write the line named in plain Markdown, or build without `--flavor gfm`.
Source: the docstring of `idempact.pages.gfm`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/no-plain-markdown"
SEVERITY = Severity.ERROR
