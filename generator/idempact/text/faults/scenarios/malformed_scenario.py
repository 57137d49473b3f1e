"""A scenario isn't whole.

Why: a server is measured by it, so a step or an expectation that nobody understands would measure nothing.
Instead: write the fields that the message names; the shipped scenarios show each of them.
Source: the docstring of `idempact.scenarios.model`.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "scenarios/malformed-scenario"
SEVERITY = Severity.ERROR
