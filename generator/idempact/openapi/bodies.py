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
    shown: dict[str, Plain] = {}
    for outcome in outcomes if is_json else ():
        value = body(errors, outcome, status, outcome.known_code)
        if value is not None:
            shown[outcome.name] = _titled(value, words.say(f"answer.{outcome.name}"))
    if is_json:
        schema = media["schema"] = _schema(errors.media_type, outcomes, tuple(shown.values()))
        for value in shown.values():
            _describe(schema, value)
    examples: dict[str, Plain] = {name: {"value": value} for name, value in shown.items()}
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


def _schema(media_type: str, outcomes: tuple[Outcome, ...], shown: tuple[Plain, ...]) -> dict[str, Plain]:
    """An object whose code is one of the known ones, where the contract puts it; open for other members. *shown* are
    the bodies of the examples.
    """
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
        _put(schema, path_of(place), codes, shown)
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
        inner = schema.setdefault("items", {})
        # One example shows too little of a list to tell what its items are, except where they hold the codes.
        if len(value) == 1 and isinstance(inner, dict) and inner and "enum" not in inner:
            _describe(inner, value[0])
    elif value is not None:
        schema.setdefault("type", next(name for kind, name in _TYPES if isinstance(value, kind)))


def _put(schema: dict[str, Plain], path: tuple[str, ...], codes: list[str], shown: tuple[Plain, ...]) -> None:
    """Describe the member at *path*. ``*`` steps into a list or into any member; which of them, the examples *shown*
    tell. Where they don't, or show another code there, nothing is said from there on.
    """
    for number, key in enumerate(path):
        following = tuple(item for value in shown for item in _below(value, key))
        if key == "*":
            rest = path[number + 1 :]
            listed = bool(shown) and all(isinstance(value, list) for value in shown)
            if not listed or not _only(following, rest, codes):
                return
            schema.setdefault("type", "array")
            inner = schema.setdefault("items", {})
        else:
            schema.setdefault("type", "object")
            members = schema.setdefault("properties", {})
            assert isinstance(members, dict)
            inner = members.setdefault(key, {})
        assert isinstance(inner, dict)
        schema, shown = inner, following
    schema.clear()
    schema["type"] = "string"
    schema["enum"] = list(codes)


def _below(value: Plain, key: str) -> tuple[Plain, ...]:
    """What stands one step below: every item for ``*``."""
    if isinstance(value, list):
        return tuple(value) if key == "*" else ()
    if not isinstance(value, dict):
        return ()
    return tuple(value.values()) if key == "*" else (value[key],) if key in value else ()


def _only(values: tuple[Plain, ...], path: tuple[str, ...], codes: list[str]) -> bool:
    """Whether nothing but these codes stands at *path* below the values."""
    for key in path:
        values = tuple(item for value in values for item in _below(value, key))
    return all(value in codes for value in values)
