"""Examples: requests and responses as they stand on the wire, made from the contract alone."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from idempact.contract.model.key import Carrier, FirstSent, Key, Quoted
from idempact.facts.codes import ErrorCode
from idempact.facts.loop import LoopFacts
from idempact.text.nodes import Plain


@dataclass(frozen=True, slots=True)
class ResponseExample:
    """One error response: its head (status line and headers), and its body as plain data with ``{title}`` open."""

    head: tuple[str, ...]
    body: Plain


def request_example(key: Key, loop: LoopFacts) -> str | None:
    """The head of a request that carries a key; None where the key travels in no header or query, or has no example."""
    if not loop.key_example or not loop.key_name:
        return None
    address = loop.url.split("://", 1)[-1]
    host, _, path = address.partition("/")
    value = f'"{loop.key_example}"' if key.quoted is Quoted.YES else loop.key_example
    match key.carrier:
        case Carrier.HEADER:
            lines = [f"{loop.method} /{path} HTTP/1.1", f"Host: {host}", f"{loop.key_name}: {value}"]
        case Carrier.QUERY:
            lines = [f"{loop.method} /{path}?{loop.key_name}={value} HTTP/1.1", f"Host: {host}"]
        case _:
            return None
    if isinstance(key.first_sent, FirstSent) and key.first_sent.carrier is Carrier.HEADER:
        lines.append(f"{key.first_sent.name}: Mon, 30 Nov 2026 12:00:00 GMT")
    return "\n".join(lines)


def response_examples(code: ErrorCode) -> tuple[ResponseExample, ...]:
    """One response for each status with which the code comes."""
    out = []
    for status, body in code.bodies:
        head = [f"HTTP/1.1 {status} {_reason(status)}".rstrip()] if status is not None else []
        if code.media_type:
            head.append(f"Content-Type: {code.media_type}")
        waits = {o.retry_after_s for o in code.outcomes if status in o.statuses or not o.statuses}
        head += [f"Retry-After: {seconds}" for seconds in sorted(w for w in waits if w is not None)[:1]]
        out.append(ResponseExample(tuple(head), body))
    return tuple(out)


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
