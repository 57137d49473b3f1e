"""The contract asks for a retry loop in a language that has none.

Why: the site would promise a tab that it can't fill.
Instead: take the language out of `publish.languages`, or add a folder for it below `snippets/` of a template folder.
Source: the contract language, `publish.languages`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/language-without-loop"
SEVERITY = Severity.NOTE
