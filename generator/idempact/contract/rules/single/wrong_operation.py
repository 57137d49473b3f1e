"""A key under operations names no operation.

Why: nobody could tell which calls it is about.
Instead: write a method and a path, as POST /payments; or operation or tag with a name.
Source: operations: the keys that contract.yaml shows.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/wrong-operation"
SEVERITY = Severity.ERROR
