"""A template replaces a block that the template it extends does not have.

Why: Jinja passes over it, so what it says is shown nowhere, and nobody is told.
Instead: name one of the blocks that the finding lists.
Source: Jinja 3.1, "Template Inheritance".
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/unknown-block"
SEVERITY = Severity.WARNING
