"""The key in an operation: as a parameter or a member of the body, declared by us or by the file's author."""

from __future__ import annotations

from idempact.openapi.carried import add_member
from idempact.openapi.copies import copy_of, fresh_name
from idempact.openapi.declared import (
    Declaration,
    Difference,
    component_with,
    declarations,
    differences,
    doubled,
    elsewhere,
    parameters,
    schema_of,
)
from idempact.openapi.locate import Operation, Target
from idempact.openapi.members import contradiction, members
from idempact.openapi.plan import KeyParameter, OperationPlan, Section
from idempact.openapi.pointers import Path
from idempact.openapi.users import User, strangers
from idempact.openapi.wants import APPEND
from idempact.openapi.woven import Spot, Woven
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Plain, Scalar

_BEFORE = ("requestBody", "responses", "callbacks", "security")
# How many users of a shared parameter a finding names.
_NAMED = 6
# What a copy has from the contract as a whole.
_COPIED = ("schema", "example")


def add_parameter(woven: Woven, operation: Operation, wanted: OperationPlan) -> None:
    """The key, where it is not declared already; differences where it is."""
    parameter = wanted.parameter
    if parameter is None or _referred(woven, operation, parameter):
        return
    spot = Spot(operation.file, operation.path, operation.label)
    carriers = {(one.carrier, one.name.lower()) for one in wanted.others}
    found = [
        declaration
        for declaration in declarations(woven.api, operation, parameter)
        if (declaration.carrier, declaration.name.lower()) not in carriers
    ]
    woven.notes += doubled(found, parameter, operation.label)
    # Where the contract's own carrier is declared, another one beside it is a second carrier, not a contradiction.
    for declaration in [d for d in found if d.fits(parameter)] or found:
        _compare(woven, operation, declaration, parameter)
    if found:
        return
    inside = tuple(members(woven.api, operation, wanted))
    for member in inside:
        woven.differs(contradiction(member, parameter, operation.label))
    if inside:
        return
    unknown = elsewhere(woven.api, operation)
    if unknown is not None:
        message = "this parameter can't be read and may be the key, so the key is not added"
        hint = "repair the reference, allow other files to be followed, or declare the key by hand"
        place = Spot(unknown[0], operation.path, operation.label)
        woven.say("unresolved-parameter", Severity.WARNING, place, unknown[1], message, hint)
    elif parameter.carrier == "body":
        add_member(woven, operation, parameter)
    elif parameter.carrier in ("header", "query"):
        _add(woven, spot, parameter)
    else:
        message = f"the contract carries the key in a {parameter.carrier}, for which OpenAPI has no place"
        hint = "nothing is inserted for it; `audit` compares what can be compared"
        woven.say("unsupported-carrier", Severity.NOTE, spot, operation.key, message, hint)


def add_others(woven: Woven, operation: Operation, wanted: OperationPlan) -> None:
    """What travels beside the key, where it is not declared already: its other carriers, the first attempt's time."""
    spot = Spot(operation.file, operation.path, operation.label)
    for parameter in wanted.others:
        if parameter.carrier == "body":
            add_member(woven, operation, parameter)
        elif not _referred(woven, operation, parameter) and not any(
            found.fits(parameter) for found in parameters(woven.api, operation)
        ):
            _add(woven, spot, parameter)


def _referred(woven: Woven, operation: Operation, parameter: KeyParameter) -> bool:
    """Whether somebody wrote a reference to our own component of the key."""
    if woven.api.former is None or parameter.carrier not in ("header", "query"):
        return False
    return any(
        found.file is woven.api.former
        and woven.holds(Target(found.parameter, found.file, found.path), parameter.component)
        for found in parameters(woven.api, operation)
    )


def _add(woven: Woven, spot: Spot, parameter: KeyParameter) -> None:
    place = spot.below("parameters", APPEND)
    existing = woven.declaring(parameter, lambda: component_with(woven.api, parameter))
    if existing is None:
        woven.take(place, None, _BEFORE, parameter.component)
    else:
        ref = woven.names.to(("components", "parameters", existing), spot.file)
        woven.take(place, {"$ref": ref}, _BEFORE)


def _compare(woven: Woven, operation: Operation, found: Declaration, wanted: KeyParameter) -> None:
    """Tell what a declaration says otherwise than the contract, or bring it into line where that is wished and others
    who use it are to have the same.
    """
    told = tuple(differences(woven.api, found, wanted, operation.label))
    if found.file is woven.api.former:
        # What it refers to is ours: only where it is referred to can something be done about it.
        span = found.user.document.span(found.use.start, found.use.end)
        for difference in told:
            woven.differs(replace(difference.finding, span=span, hint="refer to another parameter here"))
        return
    if not woven.wishes.adopt:
        for difference in told:
            woven.differs(difference.finding)
        return
    others = strangers(woven.users.get(found.identity, ()), wanted) if any(one.remedy for one in told) else ()
    if others and woven.wishes.copy_shared and _copied(woven, operation, found, told, wanted):
        told = tuple(one for one in told if one.remedy is None and one.member not in _COPIED)
    elif others:
        _tell_shared(woven, operation, found, others)
    for difference in told:
        if difference.remedy is None or others or not _adopt(woven, found, *difference.remedy, operation.label):
            woven.differs(difference.left)


def _adopt(woven: Woven, found: Declaration, below: Path, value: Plain, subject: str) -> bool:
    """Write the contract's value. False where that can't be done, or a value of ours stands there."""
    spot = Spot(found.file, found.path, subject).below(*below)
    at = woven.gathering(found.file.name).at(spot.path)
    if at is not None:
        return at == value
    if found.file.at(spot.path) is not None:
        return woven.put(spot, value)
    return woven.take(spot, value)


def _tell_shared(woven: Woven, operation: Operation, found: Declaration, others: tuple[User, ...]) -> None:
    named = tuple(dict.fromkeys(user.label for user in others))
    users = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} more" if len(named) > _NAMED else "")
    message = f"the parameter {found.name} is also that of {users}, of which the contract doesn't want the same"
    hint = "it stays as it is; run with --copy-shared as well, or give this operation a parameter of its own"
    spot = Spot(found.user, operation.path, operation.label)
    woven.say("shared-parameter", Severity.WARNING, spot, found.use, message, hint)


def _copied(
    woven: Woven, operation: Operation, found: Declaration, told: tuple[Difference, ...], wanted: KeyParameter
) -> bool:
    """Whether the operation refers to a copy that is in line with the contract now: in the place of its own reference,
    or beside those of its path, one of which it overrides then (OpenAPI, Operation Object, `parameters`).
    """
    place = (operation.file.name, operation.path)
    others = strangers(woven.users.get(found.identity, ()), wanted)
    same = (user.operation for user in others if user.operation is not None)
    if any((one.file.name, one.path) == place for one in same) or (found.own and not found.referred):
        return False
    path = found.path if found.referred else (found.name,)
    target = Target(found.parameter, found.file, path)

    if found.own and woven.keeps(Spot(found.user, (*found.item, "$ref"), operation.label)):
        return False
    described, _ = schema_of(found.parameter)

    def grow(value: dict[str, Plain]) -> dict[str, Plain]:
        holder = _at(value, described[:-1])
        for one in (value, holder):
            for name in ("example", "examples"):
                one.pop(name, None)
        if any(one.member in _COPIED for one in told) and described[-1] in holder:
            holder[described[-1]] = wanted.component.value["schema"]
        for below, new in (one.remedy for one in told if one.remedy is not None and one.member not in _COPIED):
            _at(value, below[:-1])[below[-1]] = new
        return value

    copy = copy_of(woven, target, Section.PARAMETERS, fresh_name(target, "Keyed"), grow)
    if copy is None:
        return False
    if not found.own:
        if any(one.own and one.fits(wanted) for one in parameters(woven.api, operation)):
            # The operation has the header in another case already: a third one would be its second.
            return False
        if place in woven.overridden:
            return True
        woven.overridden.add(place)
        there = Spot(operation.file, operation.path, operation.label).below("parameters", APPEND)
        return woven.take(there, None, _BEFORE, copy)
    ref = woven.names.ref(copy, found.user)
    at = (*found.item, "$ref")
    if ref is None or not isinstance(found.user.at(at), Scalar):
        return False
    return woven.put(Spot(found.user, at, operation.label), ref)


def _at(value: dict[str, Plain], path: Path) -> dict[str, Plain]:
    """The object at *path*, made where there is none."""
    for key in path:
        inner = value.setdefault(key, {})
        value = inner if isinstance(inner, dict) else {}
    return value
