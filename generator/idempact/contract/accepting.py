"""What the server accepts as a key, as far as the contract says, and keys to try it with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from idempact.contract.model.key import Key, KeyFormat, Length, Pattern, RandomKind
from idempact.contract.units import NotDocumented
from idempact.text.pattern import regex

RANDOM_KEYS = {
    RandomKind.UUID_V4: "6f0d3c1e-8a47-4b6e-9c52-1d7f0a3b5e84",
    RandomKind.UUID_V7: "019ad3f2-6c10-7b5e-8f3a-2d9c41e07b66",
}
"""One random key of each kind."""

PLACEHOLDER = regex(r"\{[^{}]*\}")
"""A placeholder of a template."""
# What identifiers are made of, in practice: decimal digits, hexadecimal digits, letters and digits, UUIDs.
_ALPHABETS = ("8140275936", "8f14e45fceea167a5a36dedd4bea2543", "K7Q2M9X4R8T3", "k7q2m9x4r8t3", "QKMXRTZB", "qkmxrtzb")
_LONGEST_FILLING = 40


def accepts(key: Key, candidate: str) -> bool:
    """Whether the server, as documented, accepts *candidate* as a key."""
    if isinstance(key.length, Length) and not key.length.min <= len(candidate.encode()) <= key.length.max:
        return False
    match key.format:
        case NotDocumented():
            return re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
        case Pattern():
            matches = matcher(key.format.pattern)
            visible = re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
            return visible and matches is not None and matches(candidate)
        case KeyFormat.VISIBLE_ASCII:
            return re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
        case KeyFormat.URL_SAFE:
            return re.fullmatch(r"[A-Za-z0-9_.~-]+", candidate) is not None
        case _:
            version = key.format.value.removeprefix("uuid").removeprefix("-v")
            return re.fullmatch(uuid_pattern(version), candidate) is not None


@lru_cache(maxsize=256)
def matcher(written: str) -> Callable[[str], bool] | None:
    """Whether a whole text matches the expression, in a time that is bounded whatever the expression.

    None for an expression with a construct that the matcher doesn't know.
    """
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for({"pattern": f"^(?:{written})$"}).is_valid
    except ValueError:
        return None


def fillings(template: str) -> Iterator[str]:
    """The template with its placeholders filled by identifiers of many alphabets and lengths, and by UUIDs."""
    for filling in (*RANDOM_KEYS.values(), *(uuid.replace("-", "") for uuid in RANDOM_KEYS.values())):
        yield PLACEHOLDER.sub(filling, template)
    for alphabet in _ALPHABETS:
        for length in range(1, _LONGEST_FILLING + 1):
            yield PLACEHOLDER.sub((alphabet * _LONGEST_FILLING)[:length], template)


def uuid_pattern(version: str = "") -> str:
    """The regular expression of a UUID of one version (any without one), as RFC 9562 writes it, in lower case."""
    digit = version or "[1-8]"
    return f"[0-9a-f]{{8}}-[0-9a-f]{{4}}-{digit}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}"
