"""A mapping lacks a field without which it says nothing.

Why: what it means can't be made out.
Instead: add the field.
Source: for example a carrier needs its name, and a retry chain how long it lasts.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/missing-field"
SEVERITY = Severity.ERROR
