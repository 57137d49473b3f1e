"""The key's own carrier, or another one, is named again among the other carriers.

Why: sending two keys is a malformed key, so a caller who follows both lines is refused; one was meant otherwise.
Instead: each carrier once.
Source: key.in with key.name is the first carrier, key.also lists the others; names of headers and of gRPC metadata are
equal in any case (RFC 9110, section 5.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import Path
from idempact.contract.model.key import Carrier
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/repeated-carrier"
SEVERITY = Severity.ERROR
DEPENDS = ("key.in", "key.also")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare every carrier with those before it; of two that are written alike, the reader speaks."""
    key = case.settings.key
    if isinstance(key.also, NotDocumented):
        return
    known: dict[tuple[Carrier, str], Path] = {}
    if not isinstance(key.name, NotDocumented):
        known[_same(key.carrier, key.name)] = ("key", "name")
    for index, other in enumerate(key.also):
        place: Path = ("key", "also", str(index))
        first = known.setdefault(_same(other.carrier, other.name), place)
        if first != place and other not in key.also[:index]:
            yield case.finding(
                f"the {other.carrier} {other.name} carries the key already",
                *place,
                hint="remove it, or write the carrier that was meant",
                related=(case.related("the first time", *first),),
            )


def _same(carrier: Carrier, name: str) -> tuple[Carrier, str]:
    return carrier, name.lower() if carrier in (Carrier.HEADER, Carrier.METADATA) else name
