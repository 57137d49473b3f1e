"""Whose key it is, and which request it stands for: scope and fingerprint, from the request and the contract alone.

The sandbox has no accounts of its own. Who calls is read from the request: ``Sandbox-Account: a`` says it outright (so
does one such header for each part of the scope), and else the credentials stand for every kind of caller.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal, InvalidOperation
from urllib.parse import parse_qsl

from idempact.contract.model.contract import Operation, Settings
from idempact.contract.model.key import Carrier, Fingerprint, FingerprintBody, ScopePart, ScopeWord, Session
from idempact.contract.units import NotDocumented
from idempact.sandbox.carried import is_form, places
from idempact.sandbox.exchange import Request
from idempact.sandbox.pointers import parts, without
from idempact.text.nodes import Plain

_CALLERS = frozenset(
    {
        ScopeWord.ACCOUNT,
        ScopeWord.USER,
        ScopeWord.API_KEY,
        ScopeWord.CLIENT,
        ScopeWord.CALLER,
        ScopeWord.MERCHANT,
    }
)


def scope_of(request: Request, operation: Operation, path: str) -> str:
    """What the key is unique within, as one text; equal texts are one scope."""
    scope = operation.settings.scope
    members = () if isinstance(scope, NotDocumented) else scope
    return json.dumps([[_name(part), _member(part, request, operation, path)] for part in members])


def _name(part: ScopePart) -> str:
    return "session" if isinstance(part, Session) else part.value


def _member(part: ScopePart, request: Request, operation: Operation, path: str) -> str:
    if part is ScopeWord.OPERATION:
        return str(operation.key)
    if part is ScopeWord.PATH:
        return f"{request.method} {path}"
    told = request.header(f"sandbox-{_name(part)}")
    if told is None and part in _CALLERS:
        told = request.header("authorization")
    return told or ""


def fingerprint_of(request: Request, operation: Operation, path: str) -> str:
    """What makes a second request the same request; equal texts are one request. Empty where nothing is compared."""
    settings = operation.settings
    rule = settings.fingerprint
    if rule is None:
        return ""
    carriers = places(settings.key)
    query = [pair for pair in request.query if (Carrier.QUERY, pair[0]) not in carriers]
    named = () if isinstance(rule.headers, NotDocumented) else rule.headers
    headers = [[name.lower(), *request.every(name)] for name in named]
    counted = [request.method, path, sorted(query), headers, _body(request, rule, settings)]
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()


def _body(request: Request, rule: Fingerprint, settings: Settings) -> Plain:
    """The body as far as it counts. What isn't JSON, nor a form, counts byte for byte."""
    ignored = () if isinstance(rule.ignores, NotDocumented) else rule.ignores
    ways = [parts(pointer) for pointer in ignored]
    ways += [parts(name) for carrier, name in places(settings.key) if carrier is Carrier.BODY]
    raw = rule.body is FingerprintBody.RAW
    if is_form(request) and not raw:
        pairs = parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)
        return [[name, value] for name, value in sorted(pairs) if (name,) not in ways]
    if raw and not ways:
        return request.body.hex()
    number = _equal if rule.body is FingerprintBody.CANONICAL else _written
    try:
        body: Plain = json.loads(request.body, parse_int=number, parse_float=number)
    except (ValueError, RecursionError):
        return request.body.hex()
    for way in ways:
        body = without(body, way)
    return json.dumps(body) if raw else {"json": body}


def _written(text: str) -> Plain:
    return {"\0number": text}


def _equal(text: str) -> Plain:
    """One text for all ways to write a number: 1, 1.0 and 10e-1."""
    try:
        sign, digits, exponent = Decimal(text).as_tuple()
    except InvalidOperation:
        return _written(text)
    plain = "".join(map(str, digits)).lstrip("0")
    stripped = plain.rstrip("0")
    if not stripped or not isinstance(exponent, int):
        return _written("0" if not stripped else text)
    return _written(f"{'-' * sign}{stripped}e{exponent + len(plain) - len(stripped)}")
