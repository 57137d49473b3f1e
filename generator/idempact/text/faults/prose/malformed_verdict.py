"""A line of the file given to `lint --evaluate` isn't a verdict.

Why: precision and recall count what the file says, so each line must say it.
Instead: write `flag` or `ok`, the language and the sentence, with tabs between them.
Source: the first line of the file, which names its columns.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "prose/malformed-verdict"
SEVERITY = Severity.ERROR
