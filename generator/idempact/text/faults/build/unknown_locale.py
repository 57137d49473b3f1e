"""The contract asks for pages in a language that has no words.

Why: pages would be half in one language and half in another.
Instead: take one that is there, or add its words below `locales/` of a template folder.
Source: the contract language, `publish.locales`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/unknown-locale"
SEVERITY = Severity.ERROR
