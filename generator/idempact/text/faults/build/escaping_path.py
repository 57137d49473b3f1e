"""The path of an output leads out of the output folder.

Why: a build writes below `--out` and nowhere else.
Instead: take `..` and the leading slash out of the name of the page or template.
Source: the docstring of `idempact.render.tree`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/escaping-path"
SEVERITY = Severity.ERROR
