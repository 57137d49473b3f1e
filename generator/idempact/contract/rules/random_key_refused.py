"""The random key that callers are told to make isn't one that the server accepts.

Why: the caller follows the advice and gets a malformed key; pages leave such advice out, and then have none to give.
Instead: a key.derivation.random that fits key.format and key.length, or a template (key.derivation.event) for each
operation.
Source: a UUID has 36 characters and its version in it (RFC 9562, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.accepting import RANDOM_KEYS, accepts, matcher
from idempact.contract.case import Case
from idempact.contract.model.key import UUID_LENGTH, Key, KeyFormat, Length, Pattern, RandomKind
from idempact.contract.rules import keyed
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/random-key-refused"
SEVERITY = Severity.WARNING
DEPENDS = ("key.derivation", "key.format", "key.length")


def check(case: Case) -> Iterator[Diagnostic]:
    """Try the random key with the format and the length, where callers could follow the advice."""
    key = case.settings.key
    random = key.derivation.random
    if accepts(key, RANDOM_KEYS[random]) or not _all_there_is(case):
        return
    if not accepts(replace(key, length=Length(max=UUID_LENGTH)), RANDOM_KEYS[random]):
        form = key.format
        if isinstance(form, Pattern) and matcher(form.pattern) is None:
            return
        yield case.finding(
            f"callers are told to make a {random}, but the server takes {_shown(form)} only",
            "key",
            "derivation",
            "random",
            hint=_hint(key),
            related=(case.related("the format", "key", "format"),),
        )
    elif isinstance(key.length, Length) and not (isinstance(key.format, KeyFormat) and "uuid" in key.format):
        yield case.finding(
            f"callers are told to make a {random} of {UUID_LENGTH} characters, but a key has "
            f"{key.length.min} to {key.length.max} of them",
            "key",
            "length",
            hint="let key.length hold 36, or give a template (key.derivation.event)",
        )


def _all_there_is(case: Case) -> bool:
    """Whether some operation with these settings has no template."""
    derivation = case.settings.key.derivation
    if derivation.event or derivation.request:
        return False
    operations = keyed(case.contract)
    return case.operation is not None or any("key" not in op.overrides for op in operations)


def _shown(form: object) -> str:
    return f"keys of the pattern {form.pattern}" if isinstance(form, Pattern) else str(form)


def _hint(key: Key) -> str:
    fitting = next((kind for kind in RandomKind if accepts(key, RANDOM_KEYS[kind])), None)
    if fitting is not None:
        return f"write random: {fitting}"
    if key.format is KeyFormat.UUID_V5:
        return "give a template (key.derivation.event), whose UUIDv5 is sent"
    return "give a template (key.derivation.event) whose keys match"
