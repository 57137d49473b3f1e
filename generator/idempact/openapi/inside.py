"""Members that a schema has in its parts: in those of `allOf`, and in the alternatives of `anyOf` and `oneOf`."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.followed import followed
from idempact.openapi.locate import Api
from idempact.openapi.woven import Spot
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, plain_scalar, resolve

_DEPTH = 12
_CLOSING = ("additionalProperties", "unevaluatedProperties")


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """A member: the place of the schema that has it, the member itself, and whether references led there."""

    spot: Spot
    member: Node
    shared: bool


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where a schema has a member, its own one first; ``everywhere`` says whether it is described whichever of the
    alternatives holds.
    """

    members: tuple[Inside, ...] = ()
    everywhere: bool = False


def member_of(api: Api, spot: Spot, schema: Mapping, name: str) -> Found:
    """Where *schema*, at *spot*, describes its member *name*: JSON Schema 2020-12, Core, sections 10.2.1 and 10.3.2.1.

    Raises Unread, see :func:`idempact.openapi.followed.followed`.
    """
    return _member_of(api, spot, schema, name, False, 0)


def _member_of(api: Api, spot: Spot, schema: Mapping, name: str, shared: bool, depth: int) -> Found:
    members = _in(schema, "properties")
    own = members.get(name) if isinstance(members, Mapping) else None
    found = [Inside(spot, own, shared)] if own is not None else []
    everywhere = own is not None
    for keyword in ("allOf", "anyOf", "oneOf") if depth < _DEPTH else ():
        parts = [
            _member_of(api, there, part, name, shared or far, depth + 1)
            for there, part, far in _parts(api, spot, schema, keyword)
        ]
        found += (one for part in parts for one in part.members)
        told = [part.everywhere for part in parts]
        everywhere = everywhere or (any(told) if keyword == "allOf" else bool(told) and all(told))
    return Found(tuple(found), everywhere)


def requires(api: Api, spot: Spot, schema: Mapping, name: str, depth: int = 0) -> bool:
    """Whether whatever is valid by *schema* has its member *name* (JSON Schema 2020-12, Validation, section 6.5.3)."""
    listed = _in(schema, "required")
    if isinstance(listed, Sequence) and any(isinstance(item, Scalar) and item.value == name for item in listed.items):
        return True
    if depth >= _DEPTH:
        return False

    def told(keyword: str) -> list[bool]:
        return [requires(api, there, part, name, depth + 1) for there, part, _ in _parts(api, spot, schema, keyword)]

    return any(told("allOf")) or any(some and all(some) for some in (told("anyOf"), told("oneOf")))


def closed(api: Api, spot: Spot, schema: Mapping, name: str) -> Inside | None:
    """The part of *schema* that refuses a member *name* which only *schema* itself describes: it takes no others than
    its own (JSON Schema 2020-12, Core, sections 10.3.2.3 and 11.3).
    """
    return _closed(api, spot, schema, name, 0)


def _closed(api: Api, spot: Spot, schema: Mapping, name: str, depth: int) -> Inside | None:
    for keyword in ("allOf", "anyOf", "oneOf") if depth < _DEPTH else ():
        for there, part, far in _parts(api, spot, schema, keyword):
            members = _in(part, "properties")
            known = isinstance(members, Mapping) and members.get(name) is not None
            shut = next((node for word in _CLOSING if (node := _in(part, word)) is not None and _is_false(node)), None)
            if shut is not None and not known and part.get("patternProperties") is None:
                return Inside(there, shut, far)
            inner = _closed(api, there, part, name, depth + 1)
            if inner is not None:
                return inner
    return None


def _is_false(node: Node) -> bool:
    return isinstance(node, Scalar) and plain_scalar(node) is False


def _parts(api: Api, spot: Spot, schema: Mapping, keyword: str) -> Iterator[tuple[Spot, Mapping, bool]]:
    """The schemas listed under *keyword*, each with its place and whether a reference led there."""
    listed = _in(schema, keyword)
    for index, item in enumerate(listed.items if isinstance(listed, Sequence) else ()):
        target = followed(api, spot.file, item)
        if target is not None and isinstance(target.node, Mapping):
            here = spot.below(keyword, str(index))
            far = target.path is not None
            yield (Spot(target.file, target.path, spot.subject) if target.path is not None else here), target.node, far


def _in(node: Mapping, key: str) -> Node | None:
    found = node.get(key)
    return resolve(found) if found is not None else None
