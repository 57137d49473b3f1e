"""The contract is written in a version of the language that this tool can't read.

Why: read by the rules of another version, a field could mean something else.
Instead: update Idempact, or write idempact: 1.
Source: the first field of a contract is its language's version.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/unknown-language-version"
SEVERITY = Severity.ERROR
