"""The address in a problem `type` leads to no page of the site.

Why: who follows the address wants to know what the code means and what to do.
Instead: publish the site so that the address ends in the path of the code's page, or change `errors.type`.
Source: RFC 9457, section 3.1.1.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "build/type-without-page"
SEVERITY = Severity.WARNING
