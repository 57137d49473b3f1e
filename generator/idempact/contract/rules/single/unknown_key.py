"""A key isn't part of the contract language.

Why: a misspelt field would have no effect, and its author would believe that it had.
Instead: take the spelling that the finding suggests; keys of your own start with x-.
Source: contract.yaml has every field.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/unknown-key"
SEVERITY = Severity.ERROR
