"""A key that is made from the template can't be as short as the server wants it.

Why: the caller follows the advice and gets a malformed key.
Instead: a shorter template, or a larger key.length.max.
Source: each placeholder takes at least one character; under a uuid format the name's UUIDv5 is sent instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import KeyFormat, Length
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/template-longer-than-key"
SEVERITY = Severity.ERROR
DEPENDS = ("key.length", "key.format")


def check(case: Case) -> Iterator[Diagnostic]:
    """Count the template's shortest key."""
    key = case.settings.key
    if not isinstance(key.length, Length) or (
        isinstance(key.format, KeyFormat) and key.format.value.startswith("uuid")
    ):
        return
    for name in ("event", "request"):
        template: str | None = getattr(key.derivation, name)
        if template is None:
            continue
        shortest = len(re.sub(r"\{[^{}]*\}", "x", template))
        if shortest > key.length.max:
            yield case.finding(
                f"a key made from this template has at least {shortest} characters, but a key has {key.length.max} at "
                "most",
                "key",
                "derivation",
                name,
                hint="shorten the template, or raise key.length.max",
                related=(case.related("the key's length", "key", "length"),),
            )
