"""Paths to fields, as notes and changes write them: which field one names, and what the contract has there."""

from __future__ import annotations

from functools import cache

from idempact.contract.dotted import Path, parse_dotted
from idempact.contract.model.answers import Answer, AnswerShape
from idempact.contract.model.contract import SECTIONS, Contract, Head, Operation
from idempact.contract.model.operations import OwnFields
from idempact.contract.records import Record, Spec, specs, write_field
from idempact.contract.refusing import Refusing
from idempact.contract.shapes import Either, ListOf, OrNone, Shape, Texts, suggestion
from idempact.contract.units import Free, Text
from idempact.resources.typed import Any, cast
from idempact.text.dataclass import is_dataclass
from idempact.text.nodes import Plain

ABSENT = object()
"""Stands for no value: the path leads through something that this contract doesn't have."""


class NoField(ValueError):
    """A path that names no field; the message says which step is wrong, ``hint`` what was meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def field(text: str, contract: Contract) -> Path:
    """The path that *text* names in the contract language, for the operations of *contract*.

    Raises NoField for anything else. A field may exist that this contract leaves at its default.
    """
    try:
        path = parse_dotted(text)
    except ValueError as error:
        raise NoField(f"{text!r} is no path", str(error)) from None
    if path[0] == "operations" and len(path) > 1:
        names = [str(op.key) for op in contract.operations]
        if path[1] not in names:
            raise NoField(f"no operation of this contract is called {path[1]!r}", suggestion(path[1], names))
        _walk(path[2:], operation_fields())
    else:
        _walk(path, fields_of(Head))
    return path


def value(path: Path, contract: Contract) -> Plain | object:
    """The value at a path that :func:`field` gave, as plain data; ABSENT where the contract has nothing there."""
    if path[0] == "operations" and len(path) > 1:
        operation = next((op for op in contract.operations if str(op.key) == path[1]), None)
        return ABSENT if operation is None or len(path) == 2 else _plain_at(path[2:], _of_operation(operation))
    return _plain_at(path, _of_contract(contract))


def fields_of(record: type) -> dict[str, Spec]:
    """The declared fields of a record, by key."""
    return {spec.key: spec for _, spec in specs(record)}


@cache
def operation_fields() -> dict[str, Spec]:
    """What may stand under an operation, by key."""
    head = fields_of(Head)
    return fields_of(OwnFields) | {name: head[name] for name in SECTIONS}


def _walk(path: Path, fields: dict[str, Spec]) -> None:
    if not path or path[0].startswith("x-"):
        return
    spec = fields.get(path[0])
    if spec is None:
        known = suggestion(path[0], fields) or f"known there: {', '.join(sorted(fields))}"
        raise NoField(f"the contract language has no field {path[0]!r} there", known)
    _below(path[1:], spec.shape)


def _below(path: Path, shape: Shape[Any]) -> None:
    if not path:
        return
    shape = unwrapped(shape)
    if isinstance(shape, ListOf):
        if not path[0].isdecimal():
            raise NoField(f"{path[0]!r} is no place in a list; the first one is [0]")
        _below(path[1:], shape.item)
        return
    records = records_of(shape)
    if records:
        merged: dict[str, Spec] = {}
        for record in records:
            merged |= fields_of(record)
        _walk(path, merged)
    elif not getattr(shape, "open", False) and not isinstance(shape, Texts):
        raise NoField(f"nothing is below that field, so {path[0]!r} names none")


def unwrapped(shape: Shape[Any]) -> Shape[Any]:
    """The shape that stands there where it is neither a word nor a scalar."""
    while isinstance(shape, OrNone | Either | Refusing):
        shape = shape.collection if isinstance(shape, Either) else shape.shape
    return shape


def records_of(shape: Shape[Any]) -> tuple[type, ...]:
    """The records that may stand at a place."""
    if isinstance(shape, AnswerShape):
        return (Answer,)
    section = getattr(shape, "section", None)
    own = section if isinstance(section, Record) else shape
    if isinstance(own, Record):
        return (cast(type, own.record),)
    return tuple(getattr(shape, "records", ()))


def _of_contract(contract: Contract) -> dict[str, tuple[Spec, Any]]:
    found: dict[str, tuple[Spec, Any]] = {}
    for name, spec in specs(Head):
        if spec.key in SECTIONS:
            found[spec.key] = (spec, getattr(contract.settings, name))
        elif hasattr(contract, name) and name != "operations":
            found[spec.key] = (spec, getattr(contract, name))
    return found


def _of_operation(operation: Operation) -> dict[str, tuple[Spec, Any]]:
    head = fields_of(Head)
    own = {spec.key: (spec, getattr(operation, name)) for name, spec in specs(OwnFields)}
    return own | {name: (head[name], getattr(operation.settings, name)) for name in SECTIONS}


def _plain_at(path: Path, fields: dict[str, tuple[Spec, Any]]) -> Plain | object:
    if path[0] not in fields:
        return ABSENT
    spec, found = fields[path[0]]
    for index, part in enumerate(path[1:], 1):
        inner = _inner(found)
        if inner is None:
            return _in_plain(path[index:], write_field(spec, found))
        if part not in inner:
            return ABSENT
        spec, found = inner[part]
    return write_field(spec, found)


def _inner(found: object) -> dict[str, tuple[Spec, Any]] | None:
    if not is_dataclass(found) or isinstance(found, type | Free | Text):
        return None
    inner = {spec.key: (spec, getattr(found, name)) for name, spec in specs(type(found))}
    return inner or None


def _in_plain(path: Path, data: Plain) -> Plain | object:
    for part in path:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        else:
            return ABSENT
    return data
