"""The file is no contract.

Why: nothing in it can be checked.
Instead: begin with idempact: 1, or start from the minimal contract.
Source: a contract is a mapping with the language's sections.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/not-a-contract"
SEVERITY = Severity.ERROR
