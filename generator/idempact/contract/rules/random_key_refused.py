"""The random key that callers are told to make isn't one that the server accepts.

Why: the caller follows the advice and gets a malformed key.
Instead: a key.derivation.random that fits key.format and key.length.
Source: a UUID has 36 characters and its version in it (RFC 9562, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import UUID_LENGTH, KeyFormat, Length
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/random-key-refused"
SEVERITY = Severity.WARNING
DEPENDS = ("key.derivation", "key.format", "key.length")


def check(case: Case) -> Iterator[Diagnostic]:
    """Match the random kind with the format and the length."""
    key = case.settings.key
    named = key.derivation.event or key.derivation.request
    random, form = key.derivation.random.value, key.format
    uuid = isinstance(form, KeyFormat) and form.value.startswith("uuid")
    if uuid and form is not KeyFormat.UUID and str(form) != random and not (form is KeyFormat.UUID_V5 and named):
        hint = "give a template (key.derivation.event)" if form is KeyFormat.UUID_V5 else f"write random: {form}"
        yield case.finding(
            f"callers are told to make a {random}, but the server takes {form} only",
            "key",
            "derivation",
            "random",
            hint=hint,
            related=(case.related("the format", "key", "format"),),
        )
    elif not uuid and isinstance(key.length, Length) and not key.length.min <= UUID_LENGTH <= key.length.max:
        yield case.finding(
            f"callers are told to make a {random} of {UUID_LENGTH} characters, but a key has "
            f"{key.length.min} to {key.length.max} of them",
            "key",
            "length",
            hint="let key.length hold 36, or give a template (key.derivation.event)",
        )
