"""An operation declares a key that does nothing there.

Why: a key on a reading or natural operation promises what nobody keeps.
Instead: drop the parameter, or call the operation keyed in the contract.
Source: RFC 9110, section 9.2.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/needless-key"
SEVERITY = Severity.WARNING
