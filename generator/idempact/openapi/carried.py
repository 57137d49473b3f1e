"""A key that travels in the body: a member of the request's schema, where that may have it."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.copies import copy_of, fresh_name
from idempact.openapi.followed import followed
from idempact.openapi.inside import Inside, closed, requires
from idempact.openapi.locate import Operation, Target
from idempact.openapi.members import WITH_MEMBERS
from idempact.openapi.plan import Component, KeyParameter, Section
from idempact.openapi.pointers import path_of
from idempact.openapi.shown import lacking
from idempact.openapi.wants import APPEND
from idempact.openapi.way import Way, way_to
from idempact.openapi.woven import Spot, Woven
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, plain_scalar


@dataclass(frozen=True, slots=True, eq=False)
class _Media:
    """A media type of a body by its name: its object, and its schema with the place of that."""

    name: str
    node: Mapping
    schema: Node
    spot: Spot


def add_member(woven: Woven, operation: Operation, parameter: KeyParameter) -> None:
    """The key's member in every body that the operation takes; a finding where its schema is shared or has no room."""
    spot = Spot(operation.file, (*operation.path, "requestBody"), operation.label)
    body = operation.node.get("requestBody")
    target = followed(woven.api, operation.file, body)
    if body is not None and target is None:
        _unread(woven, spot, body)
        return
    steps = path_of(parameter.name) if parameter.name.startswith("/") else (parameter.name,)
    found = list(_media(spot, target)) if target is not None else []
    if not found:
        message = f"the contract carries the key in the body as {parameter.name}, and this operation has no body for it"
        hint = "give the operation a request body with a schema, or correct the contract's key.in"
        woven.say("bodiless-operation", Severity.WARNING, spot, operation.key, message, hint)
    without: list[tuple[_Media, Way]] = []
    for media in found:
        way = way_to(woven.api, media.spot, media.schema, steps)
        if way.member is not None:
            _described(woven, way, parameter)
        elif way.stop is not None:
            _stopped(woven, way, way.stop, parameter)
        elif (shut := closed(woven.api, way.spot, way.levels[-1][1], way.rest[0])) is not None:
            _refused(woven, shut, parameter)
        else:
            without.append((media, way))
    if target is None or target.path is None:
        for media, way in without:
            _add(woven, media, way, parameter)
    elif without and not _copies_body(woven, spot, target, without, parameter):
        _tell(woven, spot, body)


def _media(spot: Spot, target: Target) -> Iterator[_Media]:
    """The media types of the body whose members a schema describes; *spot* is where the operation has the body."""
    place = spot if target.path is None else Spot(target.file, target.path, spot.subject)
    content = target.node.get("content") if isinstance(target.node, Mapping) else None
    for entry in content.entries if isinstance(content, Mapping) else ():
        schema = entry.value.get("schema") if isinstance(entry.value, Mapping) else None
        if (
            schema is not None
            and isinstance(entry.value, Mapping)
            and any(word in entry.key.value for word in WITH_MEMBERS)
        ):
            name = entry.key.value
            yield _Media(name, entry.value, schema, place.below("content", name, "schema"))


def _unread(woven: Woven, spot: Spot, node: Node) -> None:
    message = "the body's schema can't be read, so the key's member is not added to it"
    woven.say("shared-body", Severity.WARNING, spot, node, message, "repair the reference, or add the member by hand")


def _stopped(woven: Woven, way: Way, stop: Node, parameter: KeyParameter) -> None:
    if not way.read:
        _unread(woven, way.spot, stop)
        return
    if way.several:
        message = f"the way to the key's member {parameter.name} leads through this and others, so it is not added"
        hint = "describe the member by hand in each of them"
        woven.say("shared-body", Severity.WARNING, way.spot, stop, message, hint)
        return
    message = f"the contract carries the key in the body as {parameter.name}, and this is no object that could hold it"
    hint = "let the operation take an object, or correct the contract's key.in"
    woven.say("bodiless-operation", Severity.WARNING, way.spot, stop, message, hint)


def _tell(woven: Woven, spot: Spot, node: Node | None) -> None:
    ref = node.get("$ref") if isinstance(node, Mapping) else None
    message = "the body's schema is shared, so the key's member is not added to it behind its other users' backs"
    # Where it was not copied though that was wished, more references lead to the member, each to another schema.
    instead = "give this operation a schema of its own" if woven.wishes.copy_shared else "run with --copy-shared"
    hint = f"add the member to it by hand if all its users take a key, or {instead}"
    place = ref or node or spot.file.root
    woven.say("shared-body", Severity.WARNING, spot, place, message, hint)


def _add(woven: Woven, media: _Media, way: Way, parameter: KeyParameter) -> None:
    """The member in a schema of the operation's own, or in a copy of a shared one."""
    if not way.shared:
        _insert(woven, way, parameter, _required(woven, media, way, parameter))
        return
    copy = _copied(woven, media, way, parameter)
    name = woven.names.ref(copy, media.spot.file) if copy is not None else None
    if name is None:
        _tell(woven, media.spot, media.schema)
    else:
        woven.put(media.spot.below("$ref"), name)


def _required(woven: Woven, media: _Media, way: Way, parameter: KeyParameter) -> bool:
    """Whether the member is to be required: by the contract, unless an example of the file's would be invalid then.

    No example gets a key: one that is shown is one that everybody sends.
    """
    if parameter.required is not True:
        return False
    found = lacking(woven.api, media.spot.file, media.node, way)
    if found:
        file, node = found[0]
        more = f", as {len(found) - 1} more of this body do" if len(found) > 1 else ""
        message = f"this example lacks the key's member {parameter.name}{more}, so it is described as optional"
        hint = "put the member into the example, with a value that nobody would copy, then run again"
        woven.say("keyless-example", Severity.WARNING, Spot(file, (), media.spot.subject), node, message, hint)
    return not found


def _insert(woven: Woven, way: Way, parameter: KeyParameter, required: bool) -> None:
    name, spot, schema = way.rest[0], way.spot, way.levels[-1][1]
    if woven.wanted(spot.below("properties", name)):
        return
    if woven.take(spot.below("properties", name), _nested(parameter, way.rest[1:], required)) and required:
        listed = schema.get("required")
        if listed is None or (isinstance(listed, Sequence) and not _lists(listed, name)):
            woven.take(spot.below("required", APPEND), name, ("properties",))


def _lists(listed: Node | None, name: str) -> bool:
    return isinstance(listed, Sequence) and any(isinstance(i, Scalar) and i.value == name for i in listed.items)


def _nested(parameter: KeyParameter, steps: tuple[str, ...], required: bool) -> Plain:
    """The member's schema, below the objects that lead to it."""
    if not steps:
        return parameter.component.value.get("schema")
    value: dict[str, Plain] = {"type": "object", "properties": {steps[0]: _nested(parameter, steps[1:], required)}}
    if required:
        value["required"] = [steps[0]]
    return value


def _grow(value: dict[str, Plain], parameter: KeyParameter, way: Way, required: bool) -> dict[str, Plain]:
    """The schema's value with the member, where the way to it leads through no reference inside."""
    at = value
    for step in way.known:
        members = at["properties"]
        assert isinstance(members, dict), "the way leads through it"
        inner = members[step]
        assert isinstance(inner, dict), "the way leads through it"
        at = inner
    members, name = at.get("properties"), way.rest[0]
    more = _nested(parameter, way.rest[1:], required)
    at["properties"] = {**(members if isinstance(members, dict) else {}), name: more}
    if required:
        listed = at.get("required")
        names = listed if isinstance(listed, list) else []
        at["required"] = names if name in names else [*names, name]
    return value


def _copied(woven: Woven, media: _Media, way: Way, parameter: KeyParameter) -> Component | None:
    """A copy of a shared schema with the member; none where that is not wished or references lead on inside it."""
    target = followed(woven.api, media.spot.file, media.schema)
    if not woven.wishes.copy_shared or way.deeper or target is None or woven.keeps(media.spot.below("$ref")):
        return None
    required = _required(woven, media, way, parameter)
    name = fresh_name(target, "WithKey")
    return copy_of(woven, target, Section.SCHEMAS, name, lambda value: _grow(value, parameter, way, required))


def _copies_body(
    woven: Woven, spot: Spot, target: Target, without: list[tuple[_Media, Way]], parameter: KeyParameter
) -> bool:
    """Whether the operation refers to a copy of a shared body now, each schema of which has the member."""
    if not woven.wishes.copy_shared or woven.keeps(spot.below("$ref")) or any(way.deeper for _, way in without):
        return False
    copies: dict[str, Component] = {}
    wanted: dict[str, bool] = {}
    for media, way in without:
        if way.shared:
            copy = _copied(woven, media, way, parameter)
            if copy is None:
                return False
            copies[media.name] = copy
        else:
            wanted[media.name] = _required(woven, media, way, parameter)

    def grown(value: dict[str, Plain]) -> dict[str, Plain]:
        content = value["content"]
        for media, way in without:
            held = content[media.name] if isinstance(content, dict) else None
            assert isinstance(held, dict), "the body has this media type"
            schema = held["schema"]
            if media.name in copies:
                held["schema"] = {"$ref": copies[media.name].ref}
            elif isinstance(schema, dict):
                held["schema"] = _grow(schema, parameter, way, wanted[media.name])
        return value

    parts = tuple(copies.values())
    copy = copy_of(woven, target, Section.REQUEST_BODIES, fresh_name(target, "WithKey"), grown, parts)
    ref = woven.names.ref(copy, spot.file) if copy is not None else None
    return ref is not None and woven.put(spot.below("$ref"), ref)


def _refused(woven: Woven, shut: Inside, parameter: KeyParameter) -> None:
    message = (
        f"the contract carries the key in the body as {parameter.name}, and this part of its schema takes no others"
    )
    hint = "describe the member in that part, or let it take others"
    woven.say("bodiless-operation", Severity.WARNING, shut.spot, shut.member, f"{message} than its own members", hint)


def _described(woven: Woven, way: Way, parameter: KeyParameter) -> None:
    """What the descriptions of a member that is there say otherwise than the contract."""
    name, (file, holder) = way.rest[0], way.levels[-1]
    assert way.member is not None
    stated = requires(woven.api, Spot(file, (), way.spot.subject), holder, name)
    _compare(woven, way.spot, way.member, parameter, name, stated)
    for other in way.others:
        _bounds(woven, other.spot, other.member, parameter)
    if not way.everywhere:
        message = f"only some of the alternatives of this body have the key's member {name}"
        hint = "describe it beside the alternatives, or in each of them"
        woven.say("different-declaration", Severity.WARNING, way.spot, way.member, message, hint)


def _compare(woven: Woven, spot: Spot, member: Node, parameter: KeyParameter, name: str, stated: bool) -> None:
    """What an existing member says otherwise than the contract."""
    word = {True: "required", False: "optional"}
    if parameter.required is not None and stated != parameter.required:
        message = f"the key's member {name} is {word[stated]}, and {word[parameter.required]} by the contract"
        woven.say("different-declaration", Severity.WARNING, spot, member, message, _OTHERWISE)
    _bounds(woven, spot, member, parameter)


def _bounds(woven: Woven, spot: Spot, member: Node, parameter: KeyParameter) -> None:
    length = member.get("maxLength") if isinstance(member, Mapping) else None
    longest = plain_scalar(length) if isinstance(length, Scalar) else None
    if length is not None and parameter.longest is not None and longest != parameter.longest:
        message = f"maxLength is {longest}, and {parameter.longest} by the contract"
        woven.say("different-declaration", Severity.WARNING, spot, length, message, _OTHERWISE)


_OTHERWISE = "change the file or the contract, whichever is wrong"
