"""Which operation of a contract an operation of an OpenAPI file is: the most specific key wins, a tie is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from idempact.contract.model.operations import OperationKey, OperationKind


def matches(key: OperationKey, method: str, path: str, operation_id: str | None, tags: Iterable[str]) -> bool:
    """Whether *key* names it. ``*`` is one path segment, ``**`` the rest; placeholders' names don't count."""
    match key.kind:
        case OperationKind.OPERATION:
            return operation_id == key.name
        case OperationKind.TAG:
            return key.name in tags
        case OperationKind.PATH:
            return key.method in ("ANY", method.upper()) and bool(_pattern(key.name).fullmatch(_normal(path)))


def _normal(path: str) -> str:
    return path if path == "/" else path.rstrip("/")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    out = []
    for segment in _normal(name).split("/")[1:]:
        if segment == "**":
            out.append("(?:/.*)?")
        elif segment == "*":
            out.append("/[^/]+")
        else:
            pieces = re.split(r"\{[^{}]*\}", segment)
            out.append("/" + r"\{[^{}/]*\}".join(re.escape(piece) for piece in pieces))
    return re.compile("".join(out) or "/")


@cache
def specificity(key: OperationKey) -> tuple[int, ...]:
    """How specific a key is; the larger tuple wins.

    An operation's name beats a path, a path beats a tag. Among paths: fewer ``**``, then more segments without a
    wildcard, then fewer ``*``, then a method beats ANY.
    """
    rank = {OperationKind.TAG: 0, OperationKind.PATH: 1, OperationKind.OPERATION: 2}[key.kind]
    segments = key.name.split("/") if key.kind is OperationKind.PATH else []
    literal = sum(segment not in ("*", "**", "") for segment in segments)
    return (rank, -segments.count("**"), literal, -segments.count("*"), int(key.method != "ANY"))


def common(one: OperationKey, other: OperationKey) -> str | None:
    """A request that both keys name, as ``POST /a/b``; None where there is none.

    Two tags may or may not share an operation, which only an OpenAPI file can tell; so may a tag and anything else.
    """
    if one.kind is not other.kind or one.kind is OperationKind.TAG:
        return None
    if one.kind is OperationKind.OPERATION:
        return str(one) if one.name == other.name else None
    if one.method != other.method and "ANY" not in (one.method, other.method):
        return None
    path = _meeting(_normal(one.name).split("/")[1:], _normal(other.name).split("/")[1:])
    method = other.method if one.method == "ANY" else one.method
    return None if path is None else f"{method} /{'/'.join(path)}"


def _meeting(one: list[str], other: list[str]) -> list[str] | None:
    """The segments of a path that both patterns match."""
    if not one and not other:
        return []
    if one == ["**"] or other == ["**"]:
        rest = other if one == ["**"] else one
        return [_sample(segment) for segment in rest if segment != "**"]
    if not one or not other:
        return None
    if "*" in (one[0], other[0]):
        segment = other[0] if one[0] == "*" else one[0]
    elif shape(one[0]) == shape(other[0]):
        segment = one[0]
    else:
        return None
    rest_path = _meeting(one[1:], other[1:])
    return None if rest_path is None else [_sample(segment), *rest_path]


def shape(path: str) -> str:
    """A path (or a segment of one) without its placeholders' names and its last slash: equal ones are the same."""
    return re.sub(r"\{[^{}]*\}", "{}", _normal(path))


def _sample(segment: str) -> str:
    return "x" if segment in ("*", "**") else segment


def best(keys: Iterable[OperationKey]) -> tuple[OperationKey, ...]:
    """The most specific of the *keys* that matched one operation: one, or several where they tie, or none."""
    found = sorted(keys, key=specificity, reverse=True)
    return tuple(key for key in found if specificity(key) == specificity(found[0]))
