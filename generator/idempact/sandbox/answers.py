"""Answers as they go over the wire: the contract's error answers, results, and replays of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from idempact.contract.model.answers import VARIES, Answer, Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.replay import Fidelity, Indicator, IndicatorCarrier
from idempact.contract.model.retry import RetryAfter, RetryAfterCarrier, WaitUnit
from idempact.contract.units import Duration, NotDocumented
from idempact.sandbox.carried import document
from idempact.sandbox.exchange import Response
from idempact.sandbox.pointers import parts, put, without
from idempact.text.nodes import Plain

_TITLES = {
    "unsupported_key": "This operation takes no key.",
    "malformed_key": "The key can't be accepted.",
    "missing_key": "This operation needs a key.",
    "store_unavailable": "The key can't be looked up now.",
    "expired_key": "The key is older than its window.",
    "mismatch": "The key was used with another request.",
    "previous_failure": "An earlier failure has spent the key.",
    "completed": "The key's request is completed.",
    "in_flight": "The key's first request is still in progress.",
    "stale": "The key's first request did not end.",
    "unknown_outcome": "Nobody knows yet whether the key's first request took effect.",
}
_JSON = "application/json"
_VARYING_WAIT_MS = 1000


def error(name: str, answer: Answer, settings: Settings, *, resource: str | None = None, detail: str = "") -> Response:
    """The contract's answer called *name*. *resource* is the id of the first result, which some answers tell."""
    status = answer.status[0] if not isinstance(answer.status, NotDocumented) and answer.status else _silent(answer)
    code = answer.code if isinstance(answer.code, str) else None
    body = _error_body(status, code, detail or _TITLES[name], answer.code_at, settings)
    headers: list[tuple[str, str]] = []
    if resource is not None and answer.resource_at is not None:
        body = put(body, parts(answer.resource_at), resource)
    if isinstance(answer.retry_after, Duration) or answer.retry_after is VARIES:
        wait = answer.retry_after.ms if isinstance(answer.retry_after, Duration) else _VARYING_WAIT_MS
        place = settings.retry.retry_after or RetryAfter()
        if place.carrier is RetryAfterCarrier.BODY:
            body = put(body, parts(place.name), wait if place.unit is WaitUnit.MILLISECONDS else wait // 1000)
        else:
            headers.append((place.name, str(wait // 1000)))
    return _json(status, body, headers, _media_type(settings), name)


def _silent(answer: Answer) -> int:
    """The status where an answer states none: 202 for an accepted request (RFC 9110, section 15.3.3)."""
    return 202 if answer.answer is Verb.ACCEPT else 400


def failure(status: int, settings: Settings, code: str | None = None, title: str = "") -> Response:
    """An error of the API itself, in the form of all errors."""
    body = _error_body(status, code, title or "The request failed, as the sandbox was told.", None, settings)
    return _json(status, body, [], _media_type(settings), "failed")


def _media_type(settings: Settings) -> str:
    media = settings.errors.media_type
    return _JSON if isinstance(media, NotDocumented) else media


def _error_body(status: int, code: str | None, title: str, code_at: str | None, settings: Settings) -> Plain:
    errors = settings.errors
    place = code_at or (None if isinstance(errors.code_at, NotDocumented) else errors.code_at)
    body: Plain = None
    if errors.example is not None:
        body = _filled(errors.example.value, {"code": code or "", "title": title, "status": str(status)})
        if not isinstance(body, dict | list):
            return body
    else:
        body = {"title": title, "status": status}
        if isinstance(errors.type, str) and code is not None:
            body = {"type": errors.type.replace("{code}", code), **body}
    return put(body, parts(place), code) if code is not None and place is not None else body


def _filled(value: Plain, texts: Mapping[str, str]) -> Plain:
    if isinstance(value, dict):
        return {name: _filled(item, texts) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, texts) for item in value]
    if isinstance(value, str):
        for name, text in texts.items():
            value = value.replace(f"{{{name}}}", text)
    return value


def _json(
    status: int, body: Plain, headers: list[tuple[str, str]], media_type: str = _JSON, outcome: str = "done"
) -> Response:
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return Response(status, (("Content-Type", media_type), *headers), text.encode(), outcome)


def result(status: int, members: dict[str, Plain], location: str | None, settings: Settings) -> Response:
    """The first answer of a run that did what it was asked; members that are never stored are in it, once."""
    body: Plain = dict(members)
    for pointer in _omitted(settings):
        body = put(body, parts(pointer), "shown once, in the first answer")
    headers = [("Location", location)] if location is not None else []
    return _json(status, body, headers)


def plain(status: int, value: Plain, outcome: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """An answer of the sandbox's own."""
    return _json(status, value, list(headers), outcome=outcome)


def _omitted(settings: Settings) -> tuple[str, ...]:
    omits = settings.replay.omits
    return () if isinstance(omits, NotDocumented) else omits


def kept(first: Response, settings: Settings) -> Response:
    """What of the first answer is stored: the headers that the contract names, the body without what it omits."""
    named = settings.replay.headers
    wanted = {name.lower() for name in (() if isinstance(named, NotDocumented) else named)}
    headers = tuple(pair for pair in first.headers if pair[0].lower() in wanted)
    body = first.body
    if _omitted(settings):
        body = _edited(body, lambda members: _less(members, settings))
    return Response(first.status, headers, body)


def _less(body: Plain, settings: Settings) -> Plain:
    for pointer in _omitted(settings):
        body = without(body, parts(pointer))
    return body


def replayed(stored: Response, settings: Settings, current: dict[str, Plain] | None, outcome: str) -> Response:
    """A replay of what was stored, with the contract's fidelity, status and indicator.

    *current* are the members of the resource as it is now, None where there is none (a failure has none).
    """
    replay = settings.replay
    status = replay.status if isinstance(replay.status, int) and outcome == "replayed" else stored.status
    headers, body = stored.headers, stored.body
    if current is not None and replay.fidelity is Fidelity.CURRENT_STATE:
        body = json.dumps(_less(current, settings), ensure_ascii=False).encode()
    elif replay.fidelity is Fidelity.EQUIVALENT:
        body = _edited(body, lambda members: members, indent=2)
    if isinstance(replay.indicator, Indicator):
        headers, body = _marked(headers, body, replay.indicator)
    if not any(name.lower() == "content-type" for name, _ in headers):
        headers = (("Content-Type", _JSON), *headers)
    return Response(status, headers, body, outcome)


def _marked(
    headers: tuple[tuple[str, str], ...], body: bytes, mark: Indicator
) -> tuple[tuple[tuple[str, str], ...], bytes]:
    if mark.carrier is IndicatorCarrier.HEADER:
        return (*headers, (mark.name, mark.value)), body
    word: Plain = {"true": True, "false": False}.get(mark.value, mark.value)
    return headers, _edited(body, lambda members: put(members, parts(mark.name), word))


def _edited(body: bytes, edit: Callable[[Plain], Plain], indent: int | None = None) -> bytes:
    """A JSON body after *edit*, written anew; anything else as it is."""
    value = document(body)
    return body if value is None else json.dumps(edit(value), ensure_ascii=False, indent=indent).encode()
