"""Examples: requests and responses as they stand on the wire, made from the contract alone."""

from __future__ import annotations

import json
from http import HTTPStatus
from urllib.parse import quote

from idempact.contract.model.key import Carrier, FirstSent, Key, Quoted
from idempact.contract.model.retry import GRPC_CODES
from idempact.facts.codes import CodeForm, put
from idempact.facts.loop import LoopFacts, pointer_steps
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain


@dataclass(frozen=True, slots=True)
class ResponseExample:
    """One error response: its head (status line and headers), and its body as plain data with ``{title}`` open.

    ``language`` is what its lines are written in: ``http``, or ``text`` for the trailers of gRPC.
    """

    head: tuple[str, ...]
    body: Plain
    language: str = "http"


def request_example(key: Key, loop: LoopFacts) -> str | None:
    """A request that carries a key; None where it travels in no header, query or JSON body, or has no example."""
    if not loop.key_example or not loop.key_name or not loop.http:
        return None
    address = loop.url.split("://", 1)[-1]
    host, _, path = address.partition("/")
    value = f'"{loop.key_example}"' if key.quoted is Quoted.YES else loop.key_example
    match key.carrier:
        case Carrier.HEADER:
            lines = [f"{loop.method} /{path} HTTP/1.1", f"Host: {host}", f"{loop.key_name}: {value}"]
        case Carrier.QUERY:
            query = f"{quote(loop.key_name)}={quote(value, safe='')}"
            lines = [f"{loop.method} /{path}?{query} HTTP/1.1", f"Host: {host}"]
        case Carrier.BODY:
            lines = [f"{loop.method} /{path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json"]
        case _:
            return None
    if isinstance(key.first_sent, FirstSent) and key.first_sent.carrier is Carrier.HEADER:
        lines.append(f"{key.first_sent.name}: Mon, 30 Nov 2026 12:00:00 GMT")
    if key.carrier is Carrier.BODY:
        body: dict[str, Plain] = {}
        put(body, "/" + "/".join(_escaped(step) for step in pointer_steps(loop.key_name)), value)
        lines += ["", json.dumps(body, indent=2, ensure_ascii=False)]
    return "\n".join(lines)


def _escaped(step: str) -> str:
    """A step as a JSON Pointer writes it (RFC 6901, section 3)."""
    return step.replace("~", "~0").replace("/", "~1")


def response_examples(form: CodeForm) -> tuple[ResponseExample, ...]:
    """One response for each status with which the code comes in this form, those of gRPC last."""
    grpc = tuple(dict.fromkeys(outcome.grpc for outcome in form.outcomes if outcome.grpc is not None))
    out = []
    for status, body in form.bodies:
        if status is None and grpc:
            continue
        head = [f"HTTP/1.1 {status} {_reason(status)}".rstrip()] if status is not None else []
        if form.media_type:
            head.append(f"Content-Type: {form.media_type}")
        waits = {o.retry_after_s for o in form.outcomes if status in o.statuses or not o.statuses}
        head += [f"Retry-After: {seconds}" for seconds in sorted(w for w in waits if w is not None)[:1]]
        out.append(ResponseExample(tuple(head), body))
    return (*out, *(ResponseExample((_trailer(code),), None, "text") for code in grpc))


def _trailer(code: str) -> str:
    """The trailer that ends a gRPC call with a status (gRPC over HTTP2, "Responses"): its number, where we know it."""
    return f"grpc-status: {GRPC_CODES.index(code) + 1 if code in GRPC_CODES else code}"


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
