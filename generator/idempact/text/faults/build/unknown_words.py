"""Words of your own stand under a key that no page asks for.

Why: a key that is misspelt changes nothing, and nobody is told.
Instead: use the key as the shipped words have it, or ask for the text in a template of yours.
Source: the docstring of `idempact.render.words`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/unknown-words"
SEVERITY = Severity.WARNING
