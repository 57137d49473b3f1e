"""What should be added would go through an anchor, a merge or an empty value.

Why: an edit behind an anchor shows wherever its aliases stand, and a key beside `<<` hides the merged one.
Instead: write the value out at this place, then run again.
Source: YAML 1.2.2, section 7.1; the merge key.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/indirect-container"
SEVERITY = Severity.WARNING
