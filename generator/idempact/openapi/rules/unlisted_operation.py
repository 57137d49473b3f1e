"""An operation may change something, and the contract doesn't say whether a repeat is safe.

Why: what nobody has decided is retried by some clients and not by others.
Instead: add it to the contract's operations: keyed, natural, unsafe or read. `unlisted_operations` sets how much this
weighs.
Source: RFC 9110, section 9.2.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unlisted-operation"
SEVERITY = Severity.ERROR
