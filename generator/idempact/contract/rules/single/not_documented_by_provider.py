"""A provider calls its own decision not documented.

Why: the provider is the one who decides it.
Instead: decide it; or write written_by: observer, if this is another company's API.
Source: not-documented is for observers.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/not-documented-by-provider"
SEVERITY = Severity.ERROR
