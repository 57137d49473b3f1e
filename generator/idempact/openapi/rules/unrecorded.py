"""What idempact writes stands in the file, and the record of what it inserted doesn't tell of it.

Why: only what is recorded is taken out or updated; a copied operation, or a record lost in a merge, leaves the rest.
Instead: restore the root extension from version control and run again, or remove what is not wanted by hand. Where it
says otherwise than the contract, `--adopt` brings it into line as far as only values have to be written.
Source: the root extension x-idempotency.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/unrecorded"
SEVERITY = Severity.WARNING
