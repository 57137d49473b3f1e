"""Members of a JSON body, by JSON Pointer (RFC 6901), with ``*`` for each item of a list; or by a bare name."""

from __future__ import annotations

from collections.abc import Sequence

from idempact.text.nodes import Plain


def parts(pointer: str) -> tuple[str, ...]:
    """The names on the way; a bare name is a member of the body itself, and dots lead inwards."""
    if not pointer.startswith("/"):
        return tuple(pointer.split("."))
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def found(body: Plain, way: Sequence[str]) -> Plain:
    """What stands there; None where nothing does."""
    if not way:
        return body
    if isinstance(body, dict):
        return found(body[way[0]], way[1:]) if way[0] in body else None
    if isinstance(body, list) and way[0] == "*":
        return next((value for item in body if (value := found(item, way[1:])) is not None), None)
    return None


def put(body: Plain, way: Sequence[str], value: Plain) -> Plain:
    """The body with *value* there; mappings and lists on the way are made where they are missing."""
    if not way:
        return value
    if way[0] == "*":
        items = body if isinstance(body, list) and body else [None]
        return [put(item, way[1:], value) for item in items]
    members = dict(body) if isinstance(body, dict) else {}
    return {**members, way[0]: put(members.get(way[0]), way[1:], value)}


def without(body: Plain, way: Sequence[str]) -> Plain:
    """The body without what stands there."""
    if isinstance(body, list) and way and way[0] == "*":
        return [without(item, way[1:]) for item in body]
    if not isinstance(body, dict) or not way or way[0] not in body:
        return body
    if len(way) == 1:
        return {name: item for name, item in body.items() if name != way[0]}
    return {name: without(item, way[1:]) if name == way[0] else item for name, item in body.items()}
