"""A key is accepted, but a repeat runs the operation again.

Why: callers who see the key taken believe that they may retry, so it does more harm than no key at all.
Instead: say what a repeat gets (stored-response, equivalent, current-state or error); or call the operations unsafe
and take no key.
Source: replay.fidelity: the words none and executed-again are known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/refused-fidelity"
SEVERITY = Severity.ERROR
