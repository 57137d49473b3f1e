"""A result is written into another folder, and has references that are relative to the old one.

Why: `$ref: schemas.yaml#/Order` is resolved from the folder of the file that holds it, where that file is not any more.
Instead: write the result beside its source, or bundle the API into one file first.
Source: RFC 3986, section 5; OpenAPI 3.1, relative references.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/moved-reference"
SEVERITY = Severity.WARNING
