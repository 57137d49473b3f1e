"""One carrier is named twice: for the key, among its other carriers, or for the time of the first attempt.

Why: sending two keys is a malformed key, and a field that holds the key can't hold a time as well; a caller who follows
both lines is refused, and one was meant otherwise.
Instead: each carrier once.
Source: key.in with key.name is the first carrier, key.also lists the others, and
key.first_sent carries a time; names of headers and of gRPC metadata are
equal in any case (RFC 9110, section 5.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import Path
from idempact.contract.model.key import Carrier, FirstSent
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/repeated-carrier"
SEVERITY = Severity.ERROR
DEPENDS = ("key.in", "key.also", "key.first_sent")


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare every carrier with those before it; of two that are written alike, the reader speaks."""
    key = case.settings.key
    also = () if isinstance(key.also, NotDocumented) else key.also
    known: dict[tuple[Carrier, str], Path] = {}
    if not isinstance(key.name, NotDocumented):
        known[_same(key.carrier, key.name)] = ("key", "name")
    for index, other in enumerate(also):
        place: Path = ("key", "also", str(index))
        first = known.setdefault(_same(other.carrier, other.name), place)
        if first != place and other not in also[:index]:
            yield case.finding(
                f"the {other.carrier} {other.name} carries the key already",
                *place,
                hint="remove it, or write the carrier that was meant",
                related=(case.related("the first time", *first),),
            )
    sent = key.first_sent
    if isinstance(sent, FirstSent) and (held := known.get(_same(sent.carrier, sent.name))) is not None:
        yield case.finding(
            f"the {sent.carrier} {sent.name} carries the key, so it can't carry the time of the first attempt",
            "key",
            "first_sent",
            hint="name a carrier of its own for the time, as Repeatability-First-Sent",
            related=(case.related("here it carries the key", *held),),
        )


def _same(carrier: Carrier, name: str) -> tuple[Carrier, str]:
    return carrier, name.lower() if carrier in (Carrier.HEADER, Carrier.METADATA) else name
