"""A key that travels in the body: a member of the request's schema, where that is the operation's own."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.copies import copy_of, fresh_name
from idempact.openapi.locate import Operation, Target
from idempact.openapi.members import WITH_MEMBERS
from idempact.openapi.plan import KeyParameter, Section
from idempact.openapi.pointers import path_of
from idempact.openapi.wants import APPEND
from idempact.openapi.woven import Spot, Woven
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, plain_scalar


def add_member(woven: Woven, operation: Operation, parameter: KeyParameter) -> None:
    """The key's member in every body that the operation takes; a finding where its schema is shared or unknown."""
    spot = Spot(operation.file, operation.path, operation.label)
    found = list(_schemas(woven, spot, operation.node.get("requestBody")))
    for place, schema, shared in found:
        _member(woven, place, schema, parameter, _steps(parameter.name), shared)
    if not found:
        message = f"the contract carries the key in the body as {parameter.name}, and this operation has no body for it"
        hint = "give the operation a request body with a schema, or correct the contract's key.in"
        woven.say("bodiless-operation", Severity.WARNING, spot, operation.key, message, hint)


def _steps(name: str) -> tuple[str, ...]:
    return path_of(name) if name.startswith("/") else (name,)


def _schemas(woven: Woven, spot: Spot, body: Node | None) -> Iterator[tuple[Spot, Node, bool]]:
    """The schema of each media type of the body, with its place, and whether the body is shared."""
    if body is None:
        return
    place = spot.below("requestBody")
    target = woven.api.follow(spot.file, body)
    if target is None or not isinstance(target.node, Mapping):
        return
    if target.path is not None:
        # The body itself is shared. Its schema is read all the same: the member may be there already.
        place = Spot(target.file, target.path, spot.subject)
    content = target.node.get("content")
    for entry in content.entries if isinstance(content, Mapping) else ():
        schema = entry.value.get("schema") if isinstance(entry.value, Mapping) else None
        if schema is not None and any(word in entry.key.value for word in WITH_MEMBERS):
            yield place.below("content", entry.key.value, "schema"), schema, target.path is not None


def _tell(woven: Woven, spot: Spot, node: Node) -> None:
    message = "the body's schema is shared, so the key's member is not added to it behind its other users' backs"
    hint = "add the member to it by hand if all its users take a key, or run with --copy-shared"
    woven.say("shared-body", Severity.WARNING, spot, node, message, hint)


def _member(
    woven: Woven, spot: Spot, schema: Node, parameter: KeyParameter, steps: tuple[str, ...], shared: bool
) -> None:
    """Put the member at *steps* into the schema at *spot*, or compare the one that is there."""
    target = woven.api.follow(spot.file, schema)
    if target is None or not isinstance(target.node, Mapping):
        return
    members = target.node.get("properties")
    there = members.get(steps[0]) if isinstance(members, Mapping) else None
    if there is not None and len(steps) > 1:
        where = spot if target.path is None else Spot(target.file, target.path, spot.subject)
        _member(
            woven, where.below("properties", steps[0]), there, parameter, steps[1:], shared or target.path is not None
        )
    elif there is not None:
        where = spot if target.path is None else Spot(target.file, target.path, spot.subject)
        _compare(woven, where, target.node, there, parameter, steps[0])
    elif target.path is None and not shared:
        _insert(woven, spot, target.node, parameter, steps)
    elif woven.wishes.copy_shared and isinstance(schema, Mapping) and target.path is not None and not shared:
        _copied(woven, spot, schema, target, parameter, steps)
    else:
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        _tell(woven, spot, ref or schema)


def _insert(woven: Woven, spot: Spot, schema: Mapping, parameter: KeyParameter, steps: tuple[str, ...]) -> None:
    if woven.wanted(spot.below("properties", steps[0])):
        return
    if woven.take(spot.below("properties", steps[0]), _nested(parameter, steps[1:])) and parameter.required is True:
        listed = schema.get("required")
        if isinstance(listed, Sequence) or listed is None:
            woven.take(spot.below("required", APPEND), steps[0], ("properties",))


def _nested(parameter: KeyParameter, steps: tuple[str, ...]) -> Plain:
    """The member's schema, below the objects that lead to it."""
    if not steps:
        return parameter.component.value.get("schema")
    value: dict[str, Plain] = {"type": "object", "properties": {steps[0]: _nested(parameter, steps[1:])}}
    if parameter.required is True:
        value["required"] = [steps[0]]
    return value


def _copied(
    woven: Woven, spot: Spot, schema: Mapping, target: Target, parameter: KeyParameter, steps: tuple[str, ...]
) -> None:
    """A copy of a shared schema with the member, for this operation's body."""

    def grown(value: dict[str, Plain]) -> dict[str, Plain]:
        members = value.get("properties")
        value["properties"] = {
            **(members if isinstance(members, dict) else {}),
            steps[0]: _nested(parameter, steps[1:]),
        }
        if parameter.required is True:
            listed = value.get("required")
            value["required"] = [*(listed if isinstance(listed, list) else []), steps[0]]
        return value

    copy = copy_of(woven, target, Section.SCHEMAS, fresh_name(target, "WithKey"), grown)
    if copy is None:
        ref = schema.get("$ref") or schema
        _tell(woven, spot, ref)
        return
    name = woven.names.ref(copy, spot.file)
    if name is not None:
        woven.put(spot.below("$ref"), name)


def _compare(woven: Woven, spot: Spot, holder: Mapping, member: Node, parameter: KeyParameter, name: str) -> None:
    """What an existing member says otherwise than the contract."""
    hint = "change the file or the contract, whichever is wrong"
    listed = holder.get("required")
    stated = isinstance(listed, Sequence) and any(isinstance(i, Scalar) and i.value == name for i in listed.items)
    word = {True: "required", False: "optional"}
    if parameter.required is not None and stated != parameter.required:
        message = f"the key's member {name} is {word[stated]}, and {word[parameter.required]} by the contract"
        woven.say("different-declaration", Severity.WARNING, spot, member, message, hint)
    length = member.get("maxLength") if isinstance(member, Mapping) else None
    longest = plain_scalar(length) if isinstance(length, Scalar) else None
    if length is not None and parameter.longest is not None and longest != parameter.longest:
        message = f"maxLength is {longest}, and {parameter.longest} by the contract"
        woven.say("different-declaration", Severity.WARNING, spot, length, message, hint)
