"""The body of an error answer: its schema with the machine codes as an enum, and an example per code."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.contract.model.errors import Errors
from idempact.contract.units import NotDocumented
from idempact.facts.codes import body
from idempact.facts.outcomes import Outcome
from idempact.openapi.pointers import path_of
from idempact.render.words import Words
from idempact.text.nodes import Plain

PROBLEM = "application/problem+json"


def content(errors: Errors, found: Iterable[Outcome], status: int, words: Words) -> dict[str, Plain] | None:
    """The ``content`` of a response with the outcomes *found*; none where its media type isn't documented."""
    outcomes = tuple(found)
    if isinstance(errors.media_type, NotDocumented) or status < 400:
        return None
    media: dict[str, Plain] = {}
    is_json = errors.media_type.endswith("json")
    schema = _schema(errors.media_type, outcomes)
    if is_json:
        media["schema"] = schema
    examples: dict[str, Plain] = {}
    for outcome in outcomes:
        value = body(errors, outcome, status, outcome.known_code)
        if value is not None and is_json:
            shown = _titled(value, words.say(f"answer.{outcome.name}"))
            _describe(schema, shown)
            examples[outcome.name] = {"value": shown}
    if examples:
        media["examples"] = examples
    return {errors.media_type: media}


def _titled(value: Plain, title: str) -> Plain:
    """The body with its title put where the contract leaves the place for it."""
    if isinstance(value, dict):
        return {key: _titled(item, title) for key, item in value.items()}
    if isinstance(value, list):
        return [_titled(item, title) for item in value]
    return value.replace("{title}", title) if isinstance(value, str) else value


def _schema(media_type: str, outcomes: tuple[Outcome, ...]) -> dict[str, Plain]:
    """An object whose code is one of the known ones, where the contract puts it; open for other members."""
    schema: dict[str, Plain] = {"type": "object"}
    if media_type == PROBLEM:
        # RFC 9457, section 3.1.
        schema["properties"] = {"type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}}
    places: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.known_code and outcome.code_at:
            codes = places.setdefault(outcome.code_at, [])
            if outcome.known_code not in codes:
                codes.append(outcome.known_code)
    for place, codes in places.items():
        _put(schema, path_of(place), codes)
    return schema


_TYPES = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"))


def _describe(schema: dict[str, Plain], value: Plain) -> None:
    """Add the members of an example that the schema doesn't name, each with the type that the example shows."""
    if isinstance(value, dict):
        schema.setdefault("type", "object")
        members = schema.setdefault("properties", {})
        assert isinstance(members, dict), "a schema of ours"
        for name, item in value.items():
            inner = members.setdefault(name, {})
            if isinstance(inner, dict) and "enum" not in inner:
                _describe(inner, item)
    elif isinstance(value, list):
        # Schema Object of OpenAPI 3.0: `items` must be there where the type is array.
        schema.setdefault("type", "array")
        schema.setdefault("items", {})
    elif value is not None:
        schema.setdefault("type", next(name for kind, name in _TYPES if isinstance(value, kind)))


def _put(schema: dict[str, Plain], path: tuple[str, ...], codes: list[str]) -> None:
    """Describe the member at *path*. ``*`` may step into a list or any member, so nothing is said from there on."""
    for key in path:
        if key == "*":
            return
        schema.setdefault("type", "object")
        members = schema.setdefault("properties", {})
        assert isinstance(members, dict)
        inner = members.setdefault(key, {})
        assert isinstance(inner, dict)
        schema = inner
    schema.clear()
    schema["type"] = "string"
    schema["enum"] = list(codes)
