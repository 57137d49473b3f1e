"""There is no place for the addition that leaves everything else as it is.

Why: a line break at the end of the file would become part of its last text.
Instead: end the file with a line break, then run again.
Source: YAML 1.2.2, section 8.1.1.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/no-place"
SEVERITY = Severity.ERROR
