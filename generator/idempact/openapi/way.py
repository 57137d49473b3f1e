"""The way through a body's schema to a member of it, as far as it leads."""

from __future__ import annotations

from idempact.openapi.followed import followed
from idempact.openapi.inside import Inside, member_of
from idempact.openapi.locate import Api, File
from idempact.openapi.woven import Spot
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, resolve

_DEPTH = 12


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """The schemas from the outermost to the last that is there, ``spot`` the place of that one; the steps ``known`` on
    the way to it, and the ``rest`` below it.

    ``member`` is what stands at the end where all is there, ``others`` are further descriptions of it in parts of the
    last schema; not ``everywhere``, only some of the alternatives there have it. ``stop`` is the schema that can't have
    members, that couldn't be ``read``, or that is one of ``several`` on the way. ``shared`` says whether references led
    here, ``deeper`` whether others than the first did, or a part of a schema.
    """

    spot: Spot
    levels: tuple[tuple[File, Mapping], ...]
    known: tuple[str, ...]
    rest: tuple[str, ...]
    shared: bool
    deeper: bool
    member: Node | None = None
    others: tuple[Inside, ...] = ()
    everywhere: bool = True
    stop: Node | None = None
    read: bool = True
    several: bool = False


def way_to(api: Api, spot: Spot, schema: Node, steps: tuple[str, ...]) -> Way:
    """The way from the *schema* at *spot* to the member at *steps*, of which there is one at least. Raises Unread."""
    levels: list[tuple[File, Mapping]] = []
    shared = deeper = False
    for at, step in enumerate(steps):
        known, rest = steps[:at], steps[at:]
        target = followed(api, spot.file, schema)
        if target is None:
            return Way(spot, tuple(levels), known, rest, shared, deeper, stop=schema, read=False)
        if target.path is not None:
            shared, deeper = True, deeper or at > 0
            spot = Spot(target.file, target.path, spot.subject)
        node = target.node
        if not isinstance(node, Mapping) or not _may_have_members(api, spot.file, node):
            return Way(spot, tuple(levels), known, rest, shared, deeper, stop=node)
        levels.append((spot.file, node))
        found = member_of(api, spot, node, step)
        if not found.members:
            return Way(spot, tuple(levels), known, rest, shared, deeper)
        first, *others = found.members
        if first.spot is not spot:
            # In a part of the schema, where a copy of the schema would not have it at the same place.
            shared, deeper = shared or first.shared, True
        if at == len(steps) - 1:
            more = tuple(others)
            return Way(first.spot, tuple(levels), known, rest, shared, deeper, first.member, more, found.everywhere)
        if others or not found.everywhere:
            return Way(first.spot, tuple(levels), known, rest, shared, deeper, stop=first.member, several=True)
        spot, schema = first.spot.below("properties", step), first.member
    raise ValueError("no steps")


def _in(node: Mapping, key: str) -> Node | None:
    found = node.get(key)
    return resolve(found) if found is not None else None


def _may_have_members(api: Api, file: File, schema: Node, depth: int = 0) -> bool:
    """Whether an object may be valid by the schema, as far as types and listed values tell.

    JSON Schema 2020-12, Validation, section 6.1, and Core, section 10.2.1; what isn't known may.
    """
    target = followed(api, file, schema)
    if target is None or depth > _DEPTH:
        return True
    node = target.node
    if not isinstance(node, Mapping):
        return False
    kind, listed = _in(node, "type"), _in(node, "enum")
    if isinstance(kind, Scalar) and kind.value != "object":
        return False
    if isinstance(kind, Sequence) and not any(isinstance(i, Scalar) and i.value == "object" for i in kind.items):
        return False
    if isinstance(_in(node, "const"), Scalar | Sequence):
        return False
    if isinstance(listed, Sequence) and not any(isinstance(resolve(item), Mapping) for item in listed.items):
        return False

    def parts(keyword: str) -> list[bool]:
        found = _in(node, keyword)
        items = found.items if isinstance(found, Sequence) else ()
        return [_may_have_members(api, target.file, item, depth + 1) for item in items]

    return all(parts("allOf")) and all(any(some) for some in map(parts, ("anyOf", "oneOf")) if some)
