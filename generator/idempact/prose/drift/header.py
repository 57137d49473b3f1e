"""A name for the header, or other carrier, of the key, other than the contract's.

Why: A request that carries its key under another name carries none: the server takes every repeat for a new request.

Instead: Write the contract's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.model.key import Carrier, FirstSent
from idempact.contract.units import NotDocumented
from idempact.facts.derive import Profile
from idempact.prose.statement import Disagreement, Statement

RULE = "prose/drift-header"
PASSES = (
    "Send the `Idempotency-Key` header with every POST.",
    "A replayed answer carries `Idempotent-Replayed: true`.",
    "An idempotency-key is a text that you make up.",
    "The `X-Request-Id` header is for tracing and doesn't replace the idempotency key.",
    "Until version 1 we read `X-Idempotency-Key`; today we read `Idempotency-Key`.",
    "`X-Idempotency-Key` is deprecated; rename it to `Idempotency-Key`.",
    "Stripe calls the header `Idempotency-Key`, others `X-Idempotency-Key`.",
)
FAILS = (
    "Send the `X-Idempotency-Key` header with every POST.",
    "Put a UUID into the `Idempotency-Token` header.",
    "The Idempotent-Key header is required.",
    "Clients must send an `Idempotence-Key` header.",
    "Send the idempotency key in the `X-Request-Id` header.",
)
_NAME = re.compile(
    r"(?<![\w/.-])(?:x-)?(?:[a-z]{2,12}-)?idempoten(?:cy|ce|t)-?(?:key|token|id|identifier)(?![\w/-])", re.ASCII
)

_HEADER = re.compile(r"(?<![\w/-])[a-z]{1,16}-[a-z0-9-]{1,32}(?![\w/])", re.ASCII)
# Mail has headers, too.
_ELSEWHERE = re.compile(r"\be-?mail headers?\b|\bsmtp\b")


def find(statement: Statement) -> Iterator[Disagreement]:
    """The names that look like the key's header, or are said to carry it, and are none that the contract knows."""
    names = _names(statement.profiles)
    if not names or _ELSEWHERE.search(statement.text) or statement.bygone:
        return
    known = {name.casefold() for name in names}
    for start, end in sorted({*_alike(statement), *_carrying(statement)}):
        if statement.text[start:end] in known:
            continue
        written = statement.written(start, end)
        message = f'"{written}" is not how the key travels{statement.whose}: the contract calls it {" or ".join(names)}'
        replacement = names[0] if len(names) == 1 and "-" in names[0] and statement.replaces(names[0]) else None
        yield Disagreement(start, end, message, replacement)


def _alike(statement: Statement) -> Iterator[tuple[int, int]]:
    for found in _NAME.finditer(statement.text) if "idempoten" in statement.text else ():
        if _is_header(statement.written(*found.span()), statement.text[found.end() : found.end() + 10]):
            yield found.span()


def _carrying(statement: Statement) -> Iterator[tuple[int, int]]:
    """The headers, of whatever name, that the key is said to travel in."""
    for tongue in statement.tongues:
        for said in tongue.carried.finditer(statement.text) if tongue.carried else ():
            for found in _HEADER.finditer(statement.text, *said.span()):
                written = statement.written(*found.span())
                if written[0].isupper() or written.startswith("x-"):
                    yield found.span()


def _is_header(written: str, behind: str) -> bool:
    """Whether a name is meant as a header's: written like one, or called one. "An idempotency-key" is a common noun."""
    return "-" in written and (
        written[0].isupper() or written.startswith("x-") or behind.lstrip(" `").startswith("header")
    )


def _names(profiles: tuple[Profile, ...]) -> tuple[str, ...]:
    """Every header by which the key may come or the API may answer, the key's own first; none where it isn't known."""
    names: dict[str, None] = {}
    for profile in profiles:
        key = profile.settings.key
        if isinstance(key.name, NotDocumented):
            return ()
        names[key.name] = None
        also = () if isinstance(key.also, NotDocumented) else key.also
        names |= {other.name: None for other in also if other.carrier is Carrier.HEADER}
        if isinstance(key.first_sent, FirstSent):
            names[key.first_sent.name] = None
    return tuple(names)
