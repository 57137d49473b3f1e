"""The template of a retry loop failed.

Why: the other languages are rendered all the same, this one isn't.
Instead: mend the line named; a loop's template sees `loop` and `language`, and nothing else.
Source: the docstring of `idempact.snippets.render`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "snippets/template-fault"
SEVERITY = Severity.ERROR
