"""Keys by example: what a caller's key looks like under the contract's format, length and derivation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.accepting import RANDOM_KEYS, accepts, fillings, uuid_pattern
from idempact.contract.model.key import Key, KeyFormat, Length, Pattern, RandomKind
from idempact.contract.units import NotDocumented

_SAMPLES = ("8f14e45fceea", "c9f0f895fb98", "45c48cce2e2d", "d3d9446802a4", "6512bd43d9ca")
_UUIDS = {
    KeyFormat.UUID: RANDOM_KEYS[RandomKind.UUID_V4],
    KeyFormat.UUID_V4: RANDOM_KEYS[RandomKind.UUID_V4],
    KeyFormat.UUID_V7: RANDOM_KEYS[RandomKind.UUID_V7],
}

VISIBLE_ASCII = r"^[\x21-\x7e]+$"
"""What every key that travels in a header is, whatever its format (RFC 9110, section 5.5)."""


def key_template(key: Key) -> str | None:
    """The name that the key is made from: the business event's, else the request's; None where it is random."""
    return key.derivation.event or key.derivation.request


def named(template: str) -> str:
    """A template with its placeholders filled by samples."""
    samples = iter(_SAMPLES * 8)
    return re.sub(r"\{[^{}]*\}", lambda _: next(samples), template)


def key_example(key: Key) -> str | None:
    """One key that the server accepts; None where the format is a pattern that no candidate matches."""
    return next((candidate for candidate in _candidates(key) if accepts(key, candidate)), None)


def template_example(key: Key) -> str | None:
    """One key made from the template that the server accepts; None without a template, or where no try is accepted."""
    return next((candidate for candidate in _from_template(key) if accepts(key, candidate)), None)


def random_key(key: Key) -> RandomKind | None:
    """The random key that callers can make where they have no name for it; None where the server refuses such a key."""
    return next((kind for kind in (key.derivation.random, *RandomKind) if accepts(key, RANDOM_KEYS[kind])), None)


def named_key(key: Key) -> bool:
    """Whether the server accepts a key that is made from a name.

    A UUID made from a name is of version 5 (RFC 9562, section 5.5), so no other single version can hold one. A pattern
    counts as one of random keys where it matches a random UUID, and none of the usual names.
    """
    if not isinstance(key.format, Pattern):
        return key.format not in (KeyFormat.UUID_V4, KeyFormat.UUID_V7)
    if template_example(key) or not any(accepts(key, made) for made in RANDOM_KEYS.values()):
        return True
    name = f"payment-{_SAMPLES[0]}"
    digests = ("".join(_SAMPLES)[:size] for size in (12, 32, 40))
    return any(accepts(key, made) for made in (_uuid_of(name), name, *digests))


def _from_template(key: Key) -> Iterator[str]:
    template = key_template(key)
    if template is None:
        return
    name = named(template)
    if isinstance(key.format, KeyFormat) and key.format in (KeyFormat.UUID, KeyFormat.UUID_V5):
        yield _uuid_of(name)
        return
    yield name
    if isinstance(key.format, Pattern):
        yield from fillings(template)
    elif isinstance(key.length, Length):
        if len(name) < key.length.min:
            yield (name + "-" + "".join(_SAMPLES) * 22)[: key.length.min]
        yield name[: key.length.max]


def _uuid_of(name: str) -> str:
    """The UUID of version 5 that is made from *name* (RFC 9562, section 5.5)."""
    # It loads `platform`, and most contracts ask for no such key.
    import uuid

    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def _candidates(key: Key) -> Iterator[str]:
    yield from _from_template(key)
    if isinstance(key.format, KeyFormat):
        yield _UUIDS.get(key.format) or _uuid_of("example")
    yield RANDOM_KEYS[key.derivation.random]
    for text in ("".join(_SAMPLES), "".join(_SAMPLES).upper(), "1234567890" * 26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 10):
        least, most = (key.length.min, key.length.max) if isinstance(key.length, Length) else (16, 36)
        for size in dict.fromkeys((min(most, max(least, 32)), least, most)):
            yield (text * (size // len(text) + 1))[:size]


def pattern(key: Key) -> str | None:
    """The anchored regular expression of what the server accepts; None where nothing is documented."""
    match key.format:
        case NotDocumented():
            return None
        case Pattern():
            written = key.format.pattern
            whole = written.startswith("^") and written.endswith("$") and "|" not in written
            return written if whole else f"^(?:{written})$"
        case KeyFormat.VISIBLE_ASCII:
            return VISIBLE_ASCII
        case KeyFormat.URL_SAFE:
            return "^[A-Za-z0-9_.~-]+$"
        case _:
            return f"^{uuid_pattern(key.format.value.removeprefix('uuid').removeprefix('-v'))}$"


def ranking(key: Key) -> tuple[str, ...]:
    """The ways to make a key that this contract recommends, best first: event, request, random."""
    named_ways = (("event", key.derivation.event), ("request", key.derivation.request))
    return (*(name for name, template in named_ways if template), *(("random",) if random_key(key) else ()))
