"""The `language.yml` of a language folder isn't whole.

Why: a loop that can't be built and run can't be proven, so it isn't published.
Instead: compare it with the one of a shipped language.
Source: the docstring of `idempact.snippets.language`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "snippets/language-description"
SEVERITY = Severity.ERROR
