"""The key that a request carries: found wherever the contract lets it travel, and held against what the server accepts.

Two keys in one request are a malformed key, and so is a key without the time of the first attempt where the contract
wants one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl

from idempact.contract.model.key import Carrier, FirstSent, Key, KeyFormat, Length, LengthUnit, Pattern, Quoted
from idempact.contract.units import NotDocumented
from idempact.sandbox.exchange import Request
from idempact.sandbox.pointers import found, parts
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain

_HEX = "[0-9a-fA-F]"
_UUID = rf"{_HEX}{{8}}-{_HEX}{{4}}-%s{_HEX}{{3}}-%s{_HEX}{{3}}-{_HEX}{{12}}"
# RFC 9562, section 4: the version's digit, and the variant's two bits, which a UUID of any version needn't have.
_FORMATS = {
    KeyFormat.VISIBLE_ASCII: r"[\x21-\x7e]+",
    KeyFormat.URL_SAFE: r"[A-Za-z0-9._~-]+",
    KeyFormat.UUID: _UUID % (_HEX, _HEX),
    KeyFormat.UUID_V4: _UUID % ("4", "[89abAB]"),
    KeyFormat.UUID_V5: _UUID % ("5", "[89abAB]"),
    KeyFormat.UUID_V7: _UUID % ("7", "[89abAB]"),
}
# RFC 9651, section 3.3.3: visible ASCII and space, with a backslash before a quote or a backslash.
_STRING = re.compile(r'"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')


@dataclass(frozen=True, slots=True)
class Carried:
    """The key of a request: ``key`` is None where there is none, ``fault`` says what is wrong with it."""

    key: str | None = None
    first_sent_ms: int | None = None
    fault: str = ""


def carried(request: Request, key: Key) -> Carried:
    """The request's key under these settings."""
    values = tuple(_values(request, key))
    if not values:
        return Carried()
    if len(values) > 1:
        return Carried(_text(values[0]), fault="the request carries more than one key")
    if not isinstance(values[0], str):
        return Carried("", fault=f"the key is {_kind(values[0])} and must be a text")
    text, fault = _unquoted(values[0], key)
    fault = fault or _fault(text, key)
    sent, missing = _first_sent(request, key)
    return Carried(text, sent, fault or missing)


def places(key: Key) -> tuple[tuple[Carrier, str], ...]:
    """Each carrier with its name: the key's own first, then the others, then the first-sent time's."""
    own = () if isinstance(key.name, NotDocumented) else ((key.carrier, key.name),)
    others = () if isinstance(key.also, NotDocumented) else tuple((other.carrier, other.name) for other in key.also)
    sent = ((key.first_sent.carrier, key.first_sent.name),) if isinstance(key.first_sent, FirstSent) else ()
    return (*own, *others, *sent)


def document(body: bytes) -> Plain:
    """The body as JSON; None where it is none."""
    try:
        value: Plain = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value


def is_form(request: Request) -> bool:
    """Whether the body is an HTML form's."""
    return (request.header("content-type") or "").startswith("application/x-www-form-urlencoded")


def _text(value: Plain) -> str:
    return value if isinstance(value, str) else ""


def _kind(value: Plain) -> str:
    """What a value of JSON that is no text is (RFC 8259, section 3)."""
    if isinstance(value, bool):
        return "a boolean"
    return "a number" if isinstance(value, int | float) else "a list" if isinstance(value, list) else "an object"


def _values(request: Request, key: Key) -> Iterator[Plain]:
    sent = isinstance(key.first_sent, FirstSent)
    for carrier, name in places(key)[: -1 if sent else None]:
        yield from _at(request, carrier, name)


def _at(request: Request, carrier: Carrier, name: str) -> Iterator[Plain]:
    """The values there: texts, but for a member of a JSON body, which may be anything but null."""
    if carrier is Carrier.HEADER:
        yield from request.every(name)
    elif carrier is Carrier.QUERY:
        yield from (value for parameter, value in request.query if parameter == name)
    elif is_form(request):
        pairs = parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)
        yield from (value for parameter, value in pairs if parameter == name)
    else:
        value = found(document(request.body), parts(name))
        if value is not None:
            yield value


def _unquoted(text: str, key: Key) -> tuple[str, str]:
    quoted = Quoted.NO if isinstance(key.quoted, NotDocumented) else key.quoted
    if quoted is Quoted.NO or (quoted is Quoted.EITHER and not text.startswith('"')):
        return text, ""
    match = _STRING.fullmatch(text)
    if match is None:
        return text, "the key must stand in double quotes (RFC 9651, section 3.3.3)"
    return re.sub(r"\\(.)", r"\1", match[1]), ""


def _fault(text: str, key: Key) -> str:
    length = key.length if isinstance(key.length, Length) else Length()
    size = len(text.encode()) if length.unit is LengthUnit.BYTES else len(text)
    if not length.min <= size <= length.max:
        return f"the key has {size} {length.unit}, not {length.min} to {length.max}"
    if isinstance(key.format, Pattern):
        return "" if _matches(key.format.pattern, text) else f"the key does not match {key.format.pattern}"
    if isinstance(key.format, KeyFormat) and not re.fullmatch(_FORMATS[key.format], text):
        return f"the key is not {key.format}"
    return ""


def _matches(pattern: str, text: str) -> bool:
    """Whether the whole key matches, in a time that is bounded; a pattern that can't be compiled holds nobody back."""
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for({"pattern": f"^(?:{pattern})$"}).is_valid(text)
    except ValueError:
        return True


def _first_sent(request: Request, key: Key) -> tuple[int | None, str]:
    sent = key.first_sent
    if not isinstance(sent, FirstSent):
        return None, ""
    values = tuple(_at(request, sent.carrier, sent.name))
    if len(values) != 1:
        return None, f"a key comes with one time of its first attempt, in {sent.name}"
    try:
        return round(parsedate_to_datetime(_text(values[0])).timestamp() * 1000), ""
    except (ValueError, OverflowError):
        return None, f"{sent.name} is no HTTP date (RFC 9110, section 5.6.7)"
