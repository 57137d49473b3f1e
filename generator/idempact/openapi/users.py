"""Who uses a declared parameter: operations, with what the contract wants of each, and places that are none of them."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Ordered

from idempact.openapi.declared import declaration_at, parameters
from idempact.openapi.locate import Api, File, Operation
from idempact.openapi.plan import KeyParameter, OperationPlan, Select
from idempact.openapi.pointers import Path, pointer
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Sequence

Identity = tuple[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """One user of a parameter. ``operation`` is none in a webhook, a callback or what nothing in this file leads to."""

    label: str
    wanted: KeyParameter | None = None
    operation: Operation | None = None


def users(api: Api, select: Select) -> dict[Identity, list[User]]:
    """The users of every parameter, by its identity. What was not read of the files uses nothing."""
    found: dict[Identity, list[User]] = {}
    lists: set[Identity] = set()
    for operation in api.operations:
        plan = select(operation.method, operation.template, operation.operation_id, operation.tags)
        wanted = plan.parameter if isinstance(plan, OperationPlan) and operation.changes_state else None
        for one in parameters(api, operation):
            found.setdefault(one.identity, []).append(User(operation.label, wanted, operation))
        for holder, file in ((operation.node, operation.file), (operation.item.node, operation.item.file)):
            lists.add((file.name, holder.start))
    for file in (api.main, *(file for name, file in api.files.items() if file is not None and name)):
        for path, holder, items in _lists(file):
            if (file.name, holder.start) in lists:
                continue
            for index, item in enumerate(items):
                other = declaration_at(api, file, (*path, "parameters", str(index)), item)
                if other is not None:
                    found.setdefault(other.identity, []).append(User(f"{file.name}#{pointer(path)}"))
    return found


def strangers(known: Ordered[User], wanted: KeyParameter) -> tuple[User, ...]:
    """Those users of which the contract doesn't want the same."""
    return tuple(user for user in known if user.wanted != wanted)


def _lists(file: File) -> Iterator[tuple[Path, Mapping, tuple[Node, ...]]]:
    """Every list of parameters in a file, with its holder and the holder's place."""
    waiting: list[tuple[Path, Node]] = [((), file.root)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, Sequence):
            waiting += (((*path, str(index)), item) for index, item in enumerate(node.items))
        elif isinstance(node, Mapping):
            for entry in node.entries:
                if entry.key.value == "parameters" and isinstance(entry.value, Sequence):
                    yield path, node, entry.value.items
                else:
                    waiting.append(((*path, entry.key.value), entry.value))
