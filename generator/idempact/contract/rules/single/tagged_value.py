"""A value has a YAML tag.

Why: values are read as they are written, so the tag says nothing here, and a reader who follows it sees something else.
Instead: the value without its tag; quotes make a text.
Source: YAML 1.2.2, section 3.2.1.2 (tags); the language turns no value into a number or a date on its own.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/tagged-value"
SEVERITY = Severity.ERROR
