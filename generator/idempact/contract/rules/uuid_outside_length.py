"""The key is a UUID, but the allowed length excludes a UUID's 36 characters.

Why: every key is then malformed.
Instead: leave the length out; the format brings it.
Source: RFC 9562, section 4: 32 hexadecimal digits and four hyphens.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import UUID_LENGTH, KeyFormat, Length
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/uuid-outside-length"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("key.format", "key.length")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the length with a UUID's."""
    key = case.settings.key
    uuid = isinstance(key.format, KeyFormat) and key.format.value.startswith("uuid")
    if uuid and isinstance(key.length, Length) and not key.length.min <= UUID_LENGTH <= key.length.max:
        yield case.finding(
            f"a {key.format} has {UUID_LENGTH} characters, but keys have {key.length.min} to {key.length.max}",
            "key",
            "length",
            hint="leave the length out: the format brings it",
            related=(case.related("the format", "key", "format"),),
        )
