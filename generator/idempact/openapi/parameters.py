"""The key in an operation: as a parameter or a member of the body, declared by us or by the file's author."""

from __future__ import annotations

from idempact.openapi.carried import add_member
from idempact.openapi.declared import Declaration, component_with, declarations, differences, elsewhere, parameters
from idempact.openapi.locate import Operation
from idempact.openapi.members import contradiction, members
from idempact.openapi.plan import KeyParameter, OperationPlan
from idempact.openapi.pointers import Path
from idempact.openapi.wants import APPEND
from idempact.openapi.woven import Spot, Woven
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Plain

_BEFORE = ("requestBody", "responses", "callbacks", "security")


def add_parameter(woven: Woven, operation: Operation, wanted: OperationPlan) -> None:
    """The key, where it is not declared already; differences where it is."""
    parameter = wanted.parameter
    if parameter is None:
        return
    spot = Spot(operation.file, operation.path, operation.label)
    carriers = {(one.carrier, one.name.lower()) for one in wanted.others}
    found = [
        declaration
        for declaration in declarations(woven.api, operation, parameter)
        if (declaration.carrier, declaration.name.lower()) not in carriers
    ]
    # Where the contract's own carrier is declared, another one beside it is a second carrier, not a contradiction.
    for declaration in [d for d in found if d.fits(parameter)] or found:
        _compare(woven, declaration, parameter, operation.label)
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
        elif not any(found.fits(parameter) for found in parameters(woven.api, operation)):
            _add(woven, spot, parameter)


def _add(woven: Woven, spot: Spot, parameter: KeyParameter) -> None:
    place = spot.below("parameters", APPEND)
    existing = woven.declaring(parameter, lambda: component_with(woven.api, parameter))
    if existing is None:
        woven.take(place, None, _BEFORE, parameter.component)
    else:
        ref = woven.names.to(("components", "parameters", existing), spot.file)
        woven.take(place, {"$ref": ref}, _BEFORE)


def _compare(woven: Woven, found: Declaration, wanted: KeyParameter, subject: str) -> None:
    """Tell what a declaration says otherwise than the contract, or bring it into line where that is wished."""
    for difference in differences(woven.api, found, wanted, subject):
        if difference.remedy is None or not woven.wishes.adopt or not _adopt(woven, found, *difference.remedy, subject):
            woven.differs(difference.finding)


def _adopt(woven: Woven, found: Declaration, below: Path, value: Plain, subject: str) -> bool:
    """Write the contract's value. False where another operation's contract has just written another one there."""
    spot = Spot(found.file, found.path, subject).below(*below)
    at = woven.gathering(found.file.name).at(spot.path)
    if at is not None:
        return at == value
    if found.file.at(spot.path) is not None:
        return woven.put(spot, value)
    return woven.take(spot, value)
