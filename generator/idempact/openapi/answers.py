"""The answers of an operation: responses that it lacks, and what those that are there lack."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Lookup
from http import HTTPStatus

from idempact.openapi.copies import copy_of, fresh_name
from idempact.openapi.locate import File, Operation, Target
from idempact.openapi.plan import EXTENSION, Answer, Component, OperationPlan, Section
from idempact.openapi.wants import APPEND
from idempact.openapi.woven import Spot, Told, Woven
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Alias, Entry, Mapping, Plain, Scalar, resolve

_BEFORE_HEADERS = ("content", "links")


def add_answers(woven: Woven, operation: Operation, wanted: OperationPlan) -> None:
    """Every status with its meaning: a whole response where there is none, else what the one that is there lacks; and
    the header that tells a replay, on successes and on the failures that are replayed.
    """
    there = {entry.key.value: entry for entry in responses(operation)}
    lacking = tuple(answer for answer in wanted.answers if str(answer.status) not in there)
    if lacking:
        _add(woven, operation, lacking, there)
    told = {
        status
        for answer in wanted.answers
        if (status := str(answer.status)) in there and _grow(woven, operation, wanted, answer, there[status])
    }
    for status, entry in there.items() if wanted.indicator is not None else ():
        if wanted.indicator is None or not replays(wanted, status):
            continue
        spot = Spot(operation.file, (*operation.path, "responses", status), operation.label)
        if isinstance(entry.value, Mapping) and entry.value.get("$ref") is None:
            _header(woven, spot, entry.value, *wanted.indicator)
        elif status not in told:
            _shared(woven, spot, entry, None, (wanted.indicator,))


def replays(wanted: OperationPlan, status: str) -> bool:
    """Whether a response of that status may be a repeat's answer, and so carries the indicator."""
    success = status.startswith("2") and len(status) == 3
    return success or (status.isdigit() and wanted.replayed(int(status)))


def _add(woven: Woven, operation: Operation, answers: tuple[Answer, ...], entries: Lookup[str, Entry]) -> None:
    """The statuses that an operation lacks; *entries* are the responses that it has."""
    spot = Spot(operation.file, (*operation.path, "responses"), operation.label)
    woven.take_components(spot, tuple((str(answer.status), answer.component) for answer in answers))
    for answer in answers:
        span = f"{answer.status // 100}XX"
        if span in entries:
            message = f"the response {answer.status} now stands beside {span}, which no longer covers that status"
            woven.say("narrowed-range", Severity.NOTE, spot, entries[span].key, message)


def _grow(woven: Woven, operation: Operation, wanted: OperationPlan, answer: Answer, entry: Entry) -> bool:
    """Whether everything about a response that is there is done or told with the answer."""
    status = str(answer.status)
    spot = Spot(operation.file, (*operation.path, "responses", status), operation.label)
    if woven.keeps(spot):
        return True
    if isinstance(entry.value, Mapping) and entry.value.get("$ref") is None:
        _extend(woven, spot, entry, answer)
        return True
    if woven.holds(woven.api.follow(spot.file, entry.value), answer.component):
        return True
    also = (wanted.indicator,) if wanted.indicator is not None and replays(wanted, status) else ()
    return _shared(woven, spot, entry, answer, (*answer.headers, *also))


def _extend(woven: Woven, spot: Spot, entry: Entry, answer: Answer) -> None:
    """An inline response that is there: it gets the headers, codes and examples; its text is the author's."""
    node = entry.value
    assert isinstance(node, Mapping)
    for name, component in answer.headers:
        _header(woven, spot, node, name, component)
    if not answer.codes:
        _unsaid(woven, spot, entry, node, answer)
        return
    grown = woven.growth(spot.file, node, answer)
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


def _unsaid(woven: Woven, spot: Spot, entry: Entry, node: Mapping, answer: Answer) -> None:
    """Tell of a response whose description doesn't say what the status means by the contract, where no code does."""
    if not _means(node, answer):
        message = f"the response {answer.status} is there already, and its description doesn't say: {_meaning(answer)}"
        hint = "say so in its description, or remove the response and run again to get a whole one"
        woven.say("existing-response", Severity.WARNING, spot, entry.key, message, hint)


def _meaning(answer: Answer) -> str:
    return str(answer.component.value.get("description", ""))


def _means(node: Mapping, answer: Answer) -> bool:
    """Whether a description tells the answer: where to ask for the outcome, or else the contract's sentence on it."""
    text = node.get("description")
    said = " ".join(text.value.split()) if isinstance(text, Scalar) else ""
    return (answer.address or " ".join(_meaning(answer).split())) in said


_Headers = tuple[tuple[str, Component], ...]


def _shared(woven: Woven, spot: Spot, entry: Entry, answer: Answer | None, headers: _Headers) -> bool:
    """A response that others use, too: left and told, or copied for the operations of this contract. False where it
    lacks nothing.
    """
    if woven.wishes.copy_shared and _points_to_copy(woven, spot, entry, answer, headers):
        return True
    value = entry.value
    ref = value.get("$ref") if isinstance(value, Mapping) else None
    where = ref.value if isinstance(ref, Scalar) else f"*{value.name}" if isinstance(value, Alias) else f"{value.start}"
    meaning = answer.component.ref if answer is not None else ""
    case = (spot.file.name, where, entry.key.value, meaning, *(component.ref for _, component in headers))
    return woven.tell(case, lambda: _told(woven, spot, entry, answer, headers))


def _told(woven: Woven, spot: Spot, entry: Entry, answer: Answer | None, headers: _Headers) -> Told | None:
    """What is to be told of a shared response; none where it lacks nothing."""
    target = woven.api.follow(spot.file, entry.value)
    lacking, tells = _held(woven, target, answer, headers)
    if not lacking and tells:
        return None
    codes = (_codes(answer),) if answer is not None and not tells else ()
    what = " and ".join((*codes, *(f"the header {name}" for name, _ in lacking)))
    return Told(spot, entry.value, entry.key.value, what, copied=woven.wishes.copy_shared)


def _held(woven: Woven, target: Target | None, answer: Answer | None, headers: _Headers) -> tuple[_Headers, bool]:
    """The headers that a shared response lacks, and whether it tells all codes of the answer."""
    if target is None or not isinstance(target.node, Mapping):
        return headers, False
    return _lacking(target.node, headers), answer is None or _tells(woven, target.file, target.node, answer)


def _points_to_copy(woven: Woven, spot: Spot, entry: Entry, answer: Answer | None, headers: _Headers) -> bool:
    """Whether a shared response lacks something and the operation refers to a copy with it now."""
    target = woven.api.follow(spot.file, entry.value)
    lacking, tells = _held(woven, target, answer, headers)
    if woven.keeps(spot.below("$ref")):
        return False
    if target is None or not isinstance(entry.value, Mapping) or (not lacking and tells):
        return False
    if answer is not None and not answer.codes:
        if not lacking:
            # A copy would say no more than what it is a copy of.
            return False
        if isinstance(target.node, Mapping):
            _unsaid(woven, spot, entry, target.node, answer)
    copy = _copied(woven, target, entry.key.value, answer, lacking)
    return copy is not None and _point(woven, spot, copy)


def _lacking(node: Mapping, headers: _Headers) -> _Headers:
    found = node.get("headers")
    found = resolve(found) if found is not None else None
    names = {entry.key.value.lower() for entry in found.entries} if isinstance(found, Mapping) else set()
    return tuple((name, component) for name, component in headers if name.lower() not in names)


def _tells(woven: Woven, file: File, node: Mapping, answer: Answer) -> bool:
    """Whether a response of *file* tells every code of the answer, or what it means where it has none."""
    if not answer.codes:
        return _means(node, answer)
    grown = woven.growth(file, node, answer)
    return grown.complete and not grown.additions


def _copied(woven: Woven, target: Target, status: str, answer: Answer | None, headers: _Headers) -> Component | None:
    """A copy of a shared response with the answer's codes, examples and the headers in it; none where its headers are a
    reference, beside which nothing counts.
    """
    there = target.node.get("headers") if isinstance(target.node, Mapping) else None
    if headers and isinstance(there, Mapping) and there.get("$ref") is not None:
        return None
    grown = None
    if answer is not None and isinstance(target.node, Mapping):
        grown = woven.growth(target.file, target.node, answer)

    def grow(value: dict[str, Plain]) -> dict[str, Plain]:
        for path, item in grown.additions if grown is not None else ():
            _put(value, path, item)
        own = value.setdefault("headers", {}) if headers else {}
        if isinstance(own, dict):
            own |= {name: {"$ref": component.ref} for name, component in headers}
        if answer is not None and answer.codes and grown is not None and not grown.complete and EXTENSION not in value:
            value[EXTENSION] = {"codes": list(answer.codes)}
        # Required up to OpenAPI 3.1; a copy of a response without one would be another error of the file's.
        return value if "description" in value else {"description": _phrase(status), **value}

    parts = tuple(component for _, component in headers)
    suffix = f"Idempotency{answer.status}" if answer is not None else "Replayed"
    return copy_of(woven, target, Section.RESPONSES, fresh_name(target, suffix), grow, parts)


def _phrase(status: str) -> str:
    """What a status is called (RFC 9110, section 15); itself where it has no name."""
    return HTTPStatus(int(status)).phrase if status.isdigit() and int(status) in set(HTTPStatus) else status


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


def _header(woven: Woven, spot: Spot, node: Mapping, name: str, component: Component) -> None:
    """One header of an inline response, unless it is there in any letter case (RFC 9110, section 5.1)."""
    headers = node.get("headers")
    if isinstance(headers, Alias):
        headers = headers.target
    there = headers.entries if isinstance(headers, Mapping) else ()
    place = spot.below("headers", name)
    if any(entry.key.value.lower() == name.lower() for entry in there) or woven.wanted(place):
        return
    for entry in there:
        if woven.holds(woven.api.follow(spot.file, entry.value), component):
            called = entry.key.value
            message = f"the response {spot.path[-1]} calls this header {called}, and the contract calls it {name}"
            hint = f"rename it to {name}, or remove it and run again"
            woven.say("unrecorded", Severity.WARNING, place, entry.key, message, hint)
            return
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
