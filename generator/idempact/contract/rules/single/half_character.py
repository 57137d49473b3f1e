"""An escape stands for half a character.

Why: no file, page or header can hold it.
Instead: write both halves of the pair, or the character itself.
Source: RFC 8259, section 8.2.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/half-character"
SEVERITY = Severity.ERROR
