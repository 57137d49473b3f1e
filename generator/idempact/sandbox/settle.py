"""Which facts a contract must state before it can be acted out, and a way to fill in what an observer left open.

A server has to do *something*; what it does where the documents say nothing would read as if they said it. So the
sandbox refuses, and names the fields, unless its user asks for the values of another contract in their place.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.answers import Answer
from idempact.contract.model.contract import SECTIONS, Contract, Operation, Settings
from idempact.contract.model.key import Carrier, Key
from idempact.contract.model.operations import OperationKind, Safety
from idempact.contract.units import NotDocumented
from idempact.resources.typed import Any
from idempact.text.dataclass import dataclass, fields, is_dataclass, replace

# Facts that change nothing in what a server answers.
_IDLE = frozenset({"windows.retry_chains", "windows.slowest_handler", "fingerprint.version", "errors.type"})
# Retries that come late are the observer's own: a window of the contract and another's chains would contradict.
_CHAINS = "retry_chains"
# Parts that a documented answer may do without: what nobody documented isn't sent.
_SILENT = frozenset({"code", "retry_after"})
_SPOKEN = frozenset({Carrier.HEADER, Carrier.QUERY, Carrier.BODY})


@dataclass(frozen=True, slots=True)
class Settled:
    """A contract that can be acted out, or what keeps it from that.

    ``open_fields`` are the facts that nobody documented (filled in, where a model was given); ``obstacles`` say what
    else can't be done; ``unreachable`` are operations that no request can call.
    """

    contract: Contract
    open_fields: tuple[str, ...]
    obstacles: tuple[str, ...]
    unreachable: tuple[str, ...]


def settle(contract: Contract, model: Settings | None = None) -> Settled:
    """The contract with every open fact taken from *model*, where one is given."""
    served = [operation for operation in contract.operations if operation.key.kind is not OperationKind.TAG]
    found = dict.fromkeys(_named(contract, served))
    if model is not None:
        operations = tuple(replace(each, settings=_filled(each.settings, model)) for each in contract.operations)
        contract = replace(contract, settings=_filled(contract.settings, model), operations=operations)
    return Settled(contract, tuple(found), tuple(_obstacles(contract, served)), _tags(contract))


def _tags(contract: Contract) -> tuple[str, ...]:
    return tuple(str(each.key) for each in contract.operations if each.key.kind is OperationKind.TAG)


def _named(contract: Contract, served: list[Operation]) -> Iterator[str]:
    for operation in served:
        if operation.safety is not Safety.KEYED:
            continue
        for section in SECTIONS:
            own = section in operation.overrides
            for path in _open(getattr(operation.settings, section), section):
                if path not in _IDLE and not path.startswith("retry."):
                    yield f'operations["{operation.key}"].{path}' if own else path


def _open(value: object, path: str) -> Iterator[str]:
    """The paths of the facts that nobody stated; the record's own key names are the fields' names."""
    if isinstance(value, NotDocumented):
        yield path
    elif is_dataclass(value):
        for field in fields(value):
            yield from _open(getattr(value, field.name), f"{path}.{field.name}")


def _filled(value: Any, model: Any) -> Any:
    """*value* with each open fact as *model* has it; a whole section where the model's is of another kind."""
    if isinstance(value, NotDocumented):
        return model
    if not is_dataclass(value) or isinstance(value, type):
        return value
    same = type(model) is type(value)
    changes = {}
    for field in fields(value):
        own = getattr(value, field.name)
        if field.name == _CHAINS:
            continue
        silent = isinstance(value, Answer) and (field.name in _SILENT or not same)
        filled = _filled(own, _silence(own, field.name) if silent or not same else getattr(model, field.name))
        if filled is not own:
            changes[field.name] = filled
    return replace(value, **changes) if changes else value


def _silence(own: object, name: str) -> object:
    """What an open fact is where nothing stands in for it: no status, no code, no wait."""
    return (() if name == "status" else None) if isinstance(own, NotDocumented) else own


def _obstacles(contract: Contract, served: list[Operation]) -> Iterator[str]:
    if not served:
        yield "no operation is named by a path or an id, so that no request could call one"
    carriers = {
        carrier
        for operation in served
        for carrier in _carriers(operation.settings.key)
        if operation.safety is Safety.KEYED and carrier not in _SPOKEN
    }
    yield from (f"the key travels as {carrier}, and the sandbox speaks plain HTTP" for carrier in sorted(carriers))


def _carriers(key: Key) -> Iterator[Carrier]:
    yield key.carrier
    if not isinstance(key.also, NotDocumented):
        yield from (other.carrier for other in key.also)
