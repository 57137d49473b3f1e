"""Advice is called not documented.

Why: advice is what this contract itself says to callers, so its author always knows it.
Instead: leave the field out (its default then holds), or decide it.
Source: not-documented is for facts of an observed API.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/not-documented-advice"
SEVERITY = Severity.ERROR
