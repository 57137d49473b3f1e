"""A YAML file holds more than one document.

Why: most tools read the first one alone and drop the rest in silence.
Instead: remove the `---` line, or split the file.
Source: YAML 1.2.2, 9.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/several-documents"
SEVERITY = Severity.ERROR
