"""The answers of an operation: responses that it lacks, and what those that are there lack."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.copies import copy_of, fresh_name
from idempact.openapi.growth import growth
from idempact.openapi.locate import Operation, Target
from idempact.openapi.plan import Answer, Component, OperationPlan, Section
from idempact.openapi.wants import APPEND
from idempact.openapi.woven import Spot, Woven
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Alias, Entry, Mapping, Plain, Scalar

_BEFORE_HEADERS = ("content", "links")


def add_answer(woven: Woven, operation: Operation, answer: Answer) -> None:
    """One status with its meaning: a whole response where there is none, else what the one that is there lacks."""
    spot = Spot(operation.file, (*operation.path, "responses", str(answer.status)), operation.label)
    entries = {entry.key.value: entry for entry in responses(operation)}
    entry = entries.get(str(answer.status))
    if entry is None:
        woven.take(spot, None, (), answer.component)
        span = f"{answer.status // 100}XX"
        if span in entries:
            message = f"the response {answer.status} now stands beside {span}, which no longer covers that status"
            woven.say("narrowed-range", Severity.NOTE, spot, entries[span].key, message)
    elif woven.keeps(spot):
        return
    elif isinstance(entry.value, Mapping) and entry.value.get("$ref") is None:
        _extend(woven, spot, entry, answer)
    else:
        _shared(woven, spot, entry, answer)


def _extend(woven: Woven, spot: Spot, entry: Entry, answer: Answer) -> None:
    """An inline response that is there: it gets the headers, codes and examples; its text is the author's."""
    node = entry.value
    assert isinstance(node, Mapping)
    for name, component in answer.headers:
        _header(woven, spot, node, name, component)
    if not answer.codes:
        return
    grown = growth(node, answer)
    for path, value in grown.additions:
        woven.take(spot.below(*path), value)
    there = f"the response {answer.status} is there already"
    if grown.complete:
        if grown.additions:
            message = f"{there}: {_codes(answer)} is told in it now, its description is left to its author"
            hint = "read whether the description fits both meanings"
            woven.say("existing-response", Severity.NOTE, spot, entry.key, message, hint)
        return
    woven.extension(spot, node, {"codes": list(answer.codes)})
    message = f"{there}: its description and body don't tell {_codes(answer)} yet"
    hint = f"{grown.reason}; describe the codes there, or remove the response and run again to get a whole one"
    woven.say("existing-response", Severity.WARNING, spot, entry.key, message, hint)


def _shared(woven: Woven, spot: Spot, entry: Entry, answer: Answer) -> None:
    """A response that others use, too: left, or copied for the operations of this contract."""
    target = woven.api.follow(spot.file, entry.value)
    node = target.node if target is not None else None
    if isinstance(node, Mapping) and _tells(node, answer):
        return
    if woven.wishes.copy_shared and target is not None and isinstance(entry.value, Mapping):
        copy = _copied(woven, target, answer)
        if copy is not None and _point(woven, spot, copy):
            return
    message = f"the response {answer.status} is shared with other operations, so {_codes(answer)} is not added to it"
    hint = "run with --copy-shared, give this operation a response of its own, or add the codes to the shared one"
    woven.say("shared-response", Severity.WARNING, spot, entry.value, message, hint)


def _tells(node: Mapping, answer: Answer) -> bool:
    """Whether a response has everything that the answer brings."""
    headers = node.get("headers")
    names = {e.key.value.lower() for e in headers.entries} if isinstance(headers, Mapping) else set()
    grown = growth(node, answer)
    return grown.complete and not grown.additions and {name.lower() for name, _ in answer.headers} <= names


def _copied(woven: Woven, target: Target, answer: Answer) -> Component | None:
    """A copy of a shared response with the answer's codes, examples and headers in it."""
    assert isinstance(target.node, Mapping)
    grown = growth(target.node, answer)

    def grow(value: dict[str, Plain]) -> dict[str, Plain]:
        for path, item in grown.additions:
            _put(value, path, item)
        headers = value.setdefault("headers", {}) if answer.headers else {}
        if isinstance(headers, dict):
            known = {name.lower() for name in headers}
            headers |= {n: {"$ref": c.ref} for n, c in answer.headers if n.lower() not in known}
        if not grown.complete and "x-idempotency" not in value:
            value["x-idempotency"] = {"codes": list(answer.codes)}
        return value

    parts = tuple(component for _, component in answer.headers)
    return copy_of(woven, target, Section.RESPONSES, fresh_name(target, f"Idempotency{answer.status}"), grow, parts)


def _put(value: dict[str, Plain], path: tuple[str, ...], item: Plain) -> None:
    at: Plain = value
    for key in path[:-1]:
        at = at.setdefault(key, {}) if isinstance(at, dict) else None
    if path[-1] == APPEND and isinstance(at, list):
        at.append(item)
    elif isinstance(at, dict):
        at[path[-1]] = item


def _point(woven: Woven, spot: Spot, copy: Component) -> bool:
    """Let the reference at *spot* lead to the copy."""
    ref = woven.names.ref(copy, spot.file)
    there = spot.file.at((*spot.path, "$ref"))
    return ref is not None and isinstance(there, Scalar) and woven.put(spot.below("$ref"), ref)


def add_indicator(woven: Woven, operation: Operation, wanted: OperationPlan, name: str, component: Component) -> None:
    """The header that tells a replay, on successes and on the failures that are replayed."""
    for entry in responses(operation):
        status = entry.key.value
        success = status.startswith("2") and len(status) == 3
        if not success and not (status.isdigit() and wanted.replayed(int(status))):
            continue
        spot = Spot(operation.file, (*operation.path, "responses", status), operation.label)
        if isinstance(entry.value, Mapping) and entry.value.get("$ref") is None:
            _header(woven, spot, entry.value, name, component)
        elif success:
            _shared_success(woven, spot, entry, name, component)


def _shared_success(woven: Woven, spot: Spot, entry: Entry, name: str, component: Component) -> None:
    target = woven.api.follow(spot.file, entry.value)
    headers = target.node.get("headers") if target is not None and isinstance(target.node, Mapping) else None
    if isinstance(headers, Mapping) and any(e.key.value.lower() == name.lower() for e in headers.entries):
        return
    if woven.wishes.copy_shared and target is not None and isinstance(target.node, Mapping):

        def grow(value: dict[str, Plain]) -> dict[str, Plain]:
            own = value.setdefault("headers", {})
            if isinstance(own, dict):
                own[name] = {"$ref": component.ref}
            return value

        copy = copy_of(woven, target, Section.RESPONSES, fresh_name(target, "Replayed"), grow, (component,))
        if copy is not None and _point(woven, spot, copy):
            return
    message = f"the response {entry.key.value} is shared with other operations, so the header {name} is not added to it"
    hint = "run with --copy-shared, give this operation a response of its own, or add the header to the shared one"
    woven.say("shared-response", Severity.WARNING, spot, entry.value, message, hint)


def _header(woven: Woven, spot: Spot, node: Mapping, name: str, component: Component) -> None:
    """One header of an inline response, unless it is there in any letter case (RFC 9110, section 5.1)."""
    headers = node.get("headers")
    if isinstance(headers, Alias):
        headers = headers.target
    there = headers.entries if isinstance(headers, Mapping) else ()
    place = spot.below("headers", name)
    if not any(entry.key.value.lower() == name.lower() for entry in there) and not woven.wanted(place):
        woven.take(place, None, _BEFORE_HEADERS, component)


def responses(operation: Operation) -> Iterator[Entry]:
    """The responses of an operation by status."""
    found = operation.node.get("responses")
    if isinstance(found, Alias):
        found = found.target
    if isinstance(found, Mapping):
        yield from found.entries


def _codes(answer: Answer) -> str:
    return " or ".join(answer.codes) if answer.codes else "its new meaning"
