"""Two outputs of one build have the same path.

Why: one would silently take the place of the other.
Instead: rename the hand-written page or template that has the path of a shipped one.
Source: the docstring of `idempact.render.tree`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/colliding-artifact"
SEVERITY = Severity.ERROR
