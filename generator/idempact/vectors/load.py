"""Reads a file of vectors. What the file must look like is told in ``contract/vectors/README.md``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from idempact.resources import shipped
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Plain, Sequence, Tree, load, plain, resolve
from idempact.vectors.model import Fault, Step, Target, Vector

_NUMBERS = ("effects", "status", "min_ms", "max_ms", "retries_logged", "key_length", "calls", "cancel_ms")
_SWITCHES = ("repeat_last", "warm", "ok", "at_once", "shares_budget")
_LISTS = ("windows_ms", "decorrelated_ms")
_FIELDS = {"id", "profile", "steps", "key", "target", "attempts", "kind", *_NUMBERS, *_SWITCHES, *_LISTS}
_FAULTS = {"status", "reset", "close", "slow_ms", "drip_ms", "drip_head_ms", "truncate", "serve"}
_PARTS = {
    "headers": ("status",),
    "code": ("status",),
    "raw": ("status",),
    "bytes": ("drip_ms", "drip_head_ms"),
}
"""What belongs to a fault, and to which."""
_STEP_FIELDS = _FAULTS | set(_PARTS)
_NEEDED = ("id", "attempts", "ok", "max_ms")


def shipped_vectors() -> Path:
    """The shipped vectors; their scaled contracts lie beside them, ``<profile>.yaml`` each."""
    return shipped("contract") / "vectors" / "vectors.json"


def read_vectors(path: Path) -> Checked[tuple[Vector, ...]]:
    """The vectors of the file at *path*; whatever is wrong with it is found at once, each fault with its place."""
    loaded = load(path)
    if loaded.value is None:
        return Checked(None, loaded.diagnostics)
    tree = loaded.value
    root = tree.root
    items = root.get("vectors") if isinstance(root, Mapping) else None
    listed = resolve(items) if items is not None else None
    if not isinstance(listed, Sequence):
        return Checked(None, (_finding(tree, root, "a mapping with a list called 'vectors' is expected here"),))
    vectors: list[Vector] = []
    findings: list[Diagnostic] = []
    for node in listed.items:
        data = plain(node)
        faults = list(_faults(data)) if isinstance(data, dict) else ["a vector is a mapping"]
        if isinstance(data, dict) and not faults:
            if any(vector.id == data["id"] for vector in vectors):
                faults.append(f"the id {data['id']!r} stands twice")
            vectors.append(_vector(data))
        findings += (_finding(tree, node, fault) for fault in faults)
    return Checked(None if findings else tuple(vectors), tuple(findings))


def _finding(tree: Tree, node: Node | None, message: str) -> Diagnostic:
    start = node.start if node is not None else 0
    hint = "compare with the vectors that are shipped, and their README"
    return Diagnostic("vectors/malformed-vector", Severity.ERROR, message, tree.document.span(start), hint=hint)


def _faults(data: dict[str, Plain]) -> Iterator[str]:
    yield from (f"unknown field {key!r}" for key in data if key not in _FIELDS)
    yield from (f"the field {key!r} is missing" for key in _NEEDED if key not in data)
    for key in _NUMBERS:
        if data.get(key) is not None and not _count(data[key]):
            yield f"{key!r} must be a whole number, not negative"
    for key in _SWITCHES:
        if not isinstance(data.get(key, False), bool):
            yield f"{key!r} must be true or false"
    for key in _LISTS:
        numbers = data.get(key, [])
        if not isinstance(numbers, list) or not all(map(_count, numbers)):
            yield f"{key!r} must be a list of whole numbers, not negative"
    if data.get("calls") == 0:
        yield "'calls' must be 1 at least"
    if len(_ints(data.get("decorrelated_ms", [0, 0]))) != 2:
        yield "'decorrelated_ms' must be two numbers: the base and the cap"
    if not isinstance(data.get("id", ""), str) or not isinstance(data.get("profile", ""), str):
        yield "'id' and 'profile' must be texts"
    if data.get("key", "") not in (None, ""):
        yield "'key' may only be null (a call without one) or be left out"
    if data.get("target", Target.SERVER) not in list(Target):
        yield f"'target' must be one of {', '.join(Target)}"
    attempts = data.get("attempts", 0)
    if not (_count(attempts) or (isinstance(attempts, list) and len(attempts) == 2 and all(map(_count, attempts)))):
        yield "'attempts' must be a number, or the least and the greatest one"
    kinds = data.get("kind", [])
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        yield "'kind' must be a list of texts"
    steps = data.get("steps", [])
    for step in steps if isinstance(steps, list) else [None]:
        yield from _step_faults(step)


def _count(value: Plain) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _step_faults(step: Plain) -> Iterator[str]:
    if not isinstance(step, dict):
        yield "'steps' must be a list of mappings"
        return
    yield from (f"unknown field {key!r} in a step" for key in step if key not in _STEP_FIELDS)
    for key in ("slow_ms", "drip_ms", "drip_head_ms", "bytes"):
        if key in step and not _count(step[key]):
            yield f"{key!r} in a step must be a whole number, not negative"
    if not _count(step.get("status", 200)) or not 200 <= (_number(step.get("status", 200)) or 0) <= 599:
        yield "'status' in a step must be a whole number from 200 to 599"
    if step.get("reset", "after") not in ("before", "after"):
        yield "'reset' in a step must be before or after"
    for key in ("close", "truncate", "serve"):
        if step.get(key, True) is not True:
            yield f"{key!r} in a step can only be true"
    if len(_FAULTS & set(step)) != 1:
        yield f"a step has one of {', '.join(sorted(_FAULTS))}"
    yield from _part_faults(step)


def _part_faults(step: dict[str, Plain]) -> Iterator[str]:
    """What is wrong with what belongs to a fault."""
    for key, owners in _PARTS.items():
        if key in step and not _FAULTS & set(step) & set(owners):
            yield f"{key!r} in a step does nothing without {' or '.join(owners)}"
    if {"drip_ms", "drip_head_ms"} & set(step) and "bytes" not in step:
        yield "a step that drips says in 'bytes' how often"
    if "raw" in step and "code" in step:
        yield "the body of a step is 'raw', or has a 'code'"
    for key in ("code", "raw"):
        if not isinstance(step.get(key, ""), str):
            yield f"{key!r} in a step must be a text"
    headers = step.get("headers", {})
    if not isinstance(headers, dict) or not all(_sendable(name, value) for name, value in headers.items()):
        yield "'headers' in a step must be a mapping of names and texts that a header can hold"


def _sendable(name: str, value: Plain) -> bool:
    word = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return word and isinstance(value, str) and value.isascii() and (value.isprintable() or not value)


def _vector(data: dict[str, Plain]) -> Vector:
    attempts = data["attempts"]
    least, greatest = attempts if isinstance(attempts, list) else (attempts, attempts)
    steps, kinds = data.get("steps", []), data.get("kind", [])
    return Vector(
        id=str(data["id"]),
        profile=str(data.get("profile", "fast")),
        steps=tuple(_step(step) for step in steps if isinstance(step, dict)) if isinstance(steps, list) else (),
        repeat_last=data.get("repeat_last") is True,
        keyed="key" not in data,
        warm=data.get("warm") is True,
        target=Target(str(data.get("target", Target.SERVER))),
        attempts=(_number(least) or 0, _number(greatest) or 0),
        effects=_number(data.get("effects")),
        ok=data["ok"] is True,
        status=_number(data.get("status")),
        kinds=tuple(str(kind) for kind in kinds) if isinstance(kinds, list) else (),
        min_ms=_number(data.get("min_ms")) or 0,
        max_ms=_number(data["max_ms"]) or 0,
        retries=_number(data.get("retries_logged")),
        key_length=_number(data.get("key_length")),
        calls=_number(data.get("calls")) or 1,
        at_once=data.get("at_once") is True,
        shares_budget=data.get("shares_budget") is True,
        cancel_ms=_number(data.get("cancel_ms")),
        windows_ms=_ints(data.get("windows_ms")),
        decorrelated_ms=_pair(_ints(data.get("decorrelated_ms"))),
    )


def _ints(value: Plain) -> tuple[int, ...]:
    return tuple(number for number in value if isinstance(number, int)) if isinstance(value, list) else ()


def _pair(numbers: tuple[int, ...]) -> tuple[int, int] | None:
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _number(value: Plain) -> int | None:
    return value if isinstance(value, int) else None


def _step(step: dict[str, Plain]) -> Step:
    headers = step.get("headers", {})
    pairs = tuple((name, str(value)) for name, value in headers.items()) if isinstance(headers, dict) else ()
    raw = step.get("raw")
    return Step(
        fault=_fault(step),
        status=_number(step.get("status")) or 0,
        headers=pairs,
        code=str(step.get("code", "")),
        raw=None if raw is None else str(raw),
        wait_ms=_number(step.get("slow_ms", step.get("drip_ms", step.get("drip_head_ms")))) or 0,
        size=_number(step.get("bytes")) or 0,
    )


def _fault(step: dict[str, Plain]) -> Fault:
    if "reset" in step:
        return Fault.RESET_BEFORE if step["reset"] == "before" else Fault.RESET_AFTER
    by_field = {
        "serve": Fault.SERVE,
        "close": Fault.CLOSE,
        "slow_ms": Fault.SLOW,
        "drip_ms": Fault.DRIP,
        "drip_head_ms": Fault.DRIP_HEAD,
        "truncate": Fault.TRUNCATE,
    }
    return next((fault for name, fault in by_field.items() if name in step), Fault.ANSWER)
