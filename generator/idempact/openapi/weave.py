"""Hold a plan against an API's files: what is added where, what is there already, and what can't be done."""

from __future__ import annotations

import re
from collections.abc import Mapping as Lookup

from idempact.openapi.answers import add_answers
from idempact.openapi.locate import Api, Operation
from idempact.openapi.parameters import add_others, add_parameter
from idempact.openapi.plan import OperationPlan, Plan, Wishes
from idempact.openapi.users import users
from idempact.openapi.woven import Spot, Woven
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Plain


def weave(api: Api, plan: Plan, wishes: Wishes, kept: Lookup[str, frozenset[str]]) -> Woven:
    """What *plan* adds to the files of *api*. Nodes at the pointers *kept* are ours and edited: they are left and not
    doubled.
    """
    woven = Woven(api, wishes, kept, users(api, plan.select) if wishes.adopt else {})
    missing = dict(plan.missing)
    done: dict[tuple[str, tuple[str, ...]], tuple[Operation, OperationPlan]] = {}
    for operation in api.operations:
        wanted = plan.select(operation.method, operation.template, operation.operation_id, operation.tags)
        if isinstance(wanted, OperationPlan):
            missing.pop(wanted.key, None)
        if isinstance(wanted, Diagnostic):
            woven.notes.append(_at(operation, wanted))
        elif not operation.changes_state:
            continue
        elif wanted is None:
            if plan.unlisted is not None:
                woven.counts["unlisted"] += 1
                woven.notes.append(_at(operation, plan.unlisted(operation.method, operation.template)))
        else:
            woven.counts[str(wanted.extension.get("safety", "planned"))] += 1
            first = done.setdefault((operation.file.name, operation.path), (operation, wanted))
            if first[0] is operation:
                _operation(woven, operation, wanted)
            elif first[1] != wanted:
                _shared(woven, operation, first[0])
    if woven.touched:
        for name, value in plan.extras.items():
            _extra(woven, Spot(api.main, (name,), "the root"), name, value)
    woven.notes += (_nearest(api, key, finding) for key, finding in missing.items())
    return woven


def _operation(woven: Woven, operation: Operation, wanted: OperationPlan) -> None:
    """Everything that one operation gets."""
    spot = Spot(operation.file, operation.path, operation.label)
    add_parameter(woven, operation, wanted)
    add_others(woven, operation, wanted)
    add_answers(woven, operation, wanted)
    woven.extension(spot, operation.node, wanted.extension)
    for name, value in wanted.extras.items():
        _extra(woven, spot.below(name), name, value)


def _extra(woven: Woven, spot: Spot, name: str, value: Plain) -> None:
    """Another tool's extension, unless its author has one already."""
    holder = spot.file.at(spot.path[:-1])
    there = spot.file.at(spot.path)
    if there is None:
        woven.take(spot, value)
    elif not woven.keeps(spot):
        message = f"{name} is there and not ours, so it stays as it is"
        woven.say("taken-name", Severity.NOTE, spot, there or holder or spot.file.root, message)


def _shared(woven: Woven, operation: Operation, first: Operation) -> None:
    spot = Spot(operation.file, operation.path, operation.label)
    message = f"this is also {first.label}, for which the contract says something else; that is written here"
    hint = "give each path an operation of its own, or say the same of both in the contract"
    woven.say("shared-operation", Severity.WARNING, spot, operation.key, message, hint)


def _nearest(api: Api, key: str, finding: Diagnostic) -> Diagnostic:
    """The finding for a key that names nothing in the file, with the operation that it may mean."""
    from difflib import get_close_matches

    kind, _, name = key.rpartition(" ")
    if kind == "operation":
        known = {operation.operation_id: f"operation {operation.operation_id}" for operation in api.operations}
        close = get_close_matches(name, filter(None, known), 1)
    elif kind == "tag":
        known = {tag: f"tag {tag}" for operation in api.operations for tag in operation.tags}
        close = get_close_matches(name, known, 1)
    else:
        # A reading method is never meant, and the same method rather than another one.
        meant = [operation for operation in api.operations if operation.changes_state]
        meant.sort(key=lambda operation: operation.method != kind)
        known = {_shape(operation.label): operation.label for operation in reversed(meant)}
        ends = [shape for shape in reversed(known) if len(name) > 1 and shape.endswith(_shape(name))]
        close = ends or sorted(
            get_close_matches(_shape(key), known, 3), key=lambda shape: shape.partition(" ")[0] != kind
        )
    hint = "compare the path with those of the file's servers and paths"
    if close:
        hint = f"did you mean `{known[close[0]]}`?"
    return replace(finding, hint=finding.hint or hint)


def _shape(path: str) -> str:
    """A path template without the names of its parameters."""
    return re.sub(r"\{[^{}]*\}", "{}", path)


def _at(operation: Operation, finding: Diagnostic) -> Diagnostic:
    span = operation.file.document.span(operation.key.start, operation.key.end)
    return replace(finding, span=span, subject=operation.label)
