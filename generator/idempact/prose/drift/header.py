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
)
FAILS = (
    "Send the `X-Idempotency-Key` header with every POST.",
    "Put a UUID into the `Idempotency-Token` header.",
    "The Idempotent-Key header is required.",
    "Clients must send an `Idempotence-Key` header.",
)
_NAME = re.compile(
    r"(?<![\w/.-])(?:x-)?(?:[a-z]{2,12}-)?idempoten(?:cy|ce|t)-?(?:key|token|id|identifier)(?![\w/-])", re.ASCII
)


def find(statement: Statement) -> Iterator[Disagreement]:
    """The names that look like the key's header and are none that the contract knows."""
    if "idempoten" not in statement.text:
        return
    names = _names(statement.profiles)
    if not names:
        return
    known = {name.casefold() for name in names}
    for found in _NAME.finditer(statement.text):
        written = statement.written(*found.span())
        if found.group() in known or not _is_header(written, statement.text[found.end() : found.end() + 10]):
            continue
        message = f'"{written}" is not how the key travels{statement.whose}: the contract calls it {" or ".join(names)}'
        replacement = names[0] if len(names) == 1 and "-" in names[0] else None
        yield Disagreement(*found.span(), message, replacement)


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
