"""Keys by example: what a caller's key looks like under the contract's format, length and derivation."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

from idempact.contract.model.key import Derivation, Key, KeyFormat, Length, Pattern, RandomKind
from idempact.contract.units import NotDocumented

_SAMPLES = ("8f14e45fceea", "c9f0f895fb98", "45c48cce2e2d", "d3d9446802a4", "6512bd43d9ca")
_RANDOM = {
    RandomKind.UUID_V4: "6f0d3c1e-8a47-4b6e-9c52-1d7f0a3b5e84",
    RandomKind.UUID_V7: "019ad3f2-6c10-7b5e-8f3a-2d9c41e07b66",
}
_UUIDS = {
    KeyFormat.UUID: _RANDOM[RandomKind.UUID_V4],
    KeyFormat.UUID_V4: _RANDOM[RandomKind.UUID_V4],
    KeyFormat.UUID_V7: _RANDOM[RandomKind.UUID_V7],
}


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


def _candidates(key: Key) -> Iterator[str]:
    template = key_template(key)
    if template is not None:
        name = named(template)
        if isinstance(key.format, KeyFormat) and key.format in (KeyFormat.UUID, KeyFormat.UUID_V5):
            yield str(uuid.uuid5(uuid.NAMESPACE_URL, name))
        yield name
        if isinstance(key.length, Length):
            if len(name) < key.length.min:
                yield (name + "-" + "".join(_SAMPLES) * 22)[: key.length.min]
            yield name[: key.length.max]
    if isinstance(key.format, KeyFormat):
        yield _UUIDS.get(key.format, str(uuid.uuid5(uuid.NAMESPACE_URL, "example")))
    yield _RANDOM[key.derivation.random]
    for text in ("".join(_SAMPLES), "".join(_SAMPLES).upper(), "1234567890" * 26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 10):
        least, most = (key.length.min, key.length.max) if isinstance(key.length, Length) else (16, 36)
        for size in dict.fromkeys((min(most, max(least, 32)), least, most)):
            yield (text * (size // len(text) + 1))[:size]


def accepts(key: Key, candidate: str) -> bool:
    """Whether the server, as documented, accepts *candidate* as a key."""
    if isinstance(key.length, Length) and not key.length.min <= len(candidate.encode()) <= key.length.max:
        return False
    match key.format:
        case NotDocumented():
            return re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
        case Pattern():
            return _matches(key.format.pattern, candidate) and re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
        case KeyFormat.VISIBLE_ASCII:
            return re.fullmatch(r"[\x21-\x7e]+", candidate) is not None
        case KeyFormat.URL_SAFE:
            return re.fullmatch(r"[A-Za-z0-9_.~-]+", candidate) is not None
        case _:
            version = key.format.value.removeprefix("uuid").removeprefix("-v")
            return re.fullmatch(uuid_pattern(version), candidate) is not None


def _matches(written: str, candidate: str) -> bool:
    """Whether the whole candidate matches, by a matcher whose time is bounded whatever the pattern."""
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for({"pattern": f"^(?:{written})$"}).is_valid(candidate)
    except ValueError:  # a construct that this matcher doesn't know, or its bound: no example then
        return False


def uuid_pattern(version: str = "") -> str:
    """The regular expression of a UUID of one version (any without one), as RFC 9562 writes it, in lower case."""
    digit = version or "[1-8]"
    return f"[0-9a-f]{{8}}-[0-9a-f]{{4}}-{digit}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}"


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
            return r"^[\x21-\x7e]+$"
        case KeyFormat.URL_SAFE:
            return "^[A-Za-z0-9_.~-]+$"
        case _:
            return f"^{uuid_pattern(key.format.value.removeprefix('uuid').removeprefix('-v'))}$"


def ranking(derivation: Derivation) -> tuple[str, ...]:
    """The ways to make a key that this contract recommends, best first: event, request, random."""
    named_ways = (("event", derivation.event), ("request", derivation.request))
    return (*(name for name, template in named_ways if template), "random")
