"""A list names the same thing twice.

Why: one of the two was meant to be something else, or the list counts what it doesn't have.
Instead: remove one of them, or write what was meant.
Source: every list of the language is read as a set or as an order of different things; header names are equal in any
case (RFC 9110, section 5.1).
"""

from idempact.text.diagnostic import Severity

RULE = "contract/repeated-item"
SEVERITY = Severity.ERROR
