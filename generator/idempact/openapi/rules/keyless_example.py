"""An example of a body lacks the key, so the key's member is described as optional there.

Why: a schema that requires the member makes the example invalid, and no key is written into an example: one that is
shown is one that everybody sends.
Instead: put the member into the example, with a value that nobody would copy, then run again.
Source: OpenAPI, Media Type Object and Schema Object: an example is valid by its schema.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/keyless-example"
SEVERITY = Severity.WARNING
