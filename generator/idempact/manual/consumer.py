"""What an injection means for those who call the API: read by value from the file before and after."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator

from idempact.openapi.inject import inject
from idempact.openapi.plan import Plan
from idempact.openapi.pointers import Path, path_of, pointer
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import Plain, compose, plain
from idempact.text.span import Document

_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Change:
    """What is new about one operation for its callers: parameters, answers with their machine codes, statuses that were
    there and carry new codes, headers by the status that has them; whether it is more than data about it.
    """

    operation: str
    parameters: tuple[str, ...]
    answers: tuple[str, ...]
    told: tuple[str, ...]
    headers: tuple[str, ...]

    @property
    def seen(self) -> bool:
        """Whether a caller sees anything new on the wire."""
        return bool(self.parameters or self.answers or self.told or self.headers)


@dataclass(frozen=True, slots=True)
class Told:
    """One finding of the run: the file and line that it is about, what it says, and its rule."""

    place: str
    message: str
    rule: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One run: the file before, both parts of its difference, what changed for callers, and what the run told.

    ``stays`` counts the values that read after the run as they did before; ``demands`` are the operations to which a
    caller must now send what could be left out before.
    """

    before: str
    operations: str
    components: str
    changes: tuple[Change, ...]
    demands: tuple[str, ...]
    stays: int
    lines: int
    findings: tuple[Told, ...]


def reading(document: Document, plan: Plan) -> Reading:
    """The reading of an injection of *plan* into *document*.

    Raises ValueError where nothing is injected, where a value that was there reads differently, or where something was
    added that this page has no words for: a reader is told everything or nothing.
    """
    found = inject(document, plan)
    if found.value is None or not found.value.changed:
        raise ValueError(f"nothing is injected into {document.path}: {[d.message for d in found.diagnostics]}")
    old, new = _value(document), _value(Document(document.path, found.value.after))
    added = tuple(_additions(old, new, ()))
    operations: dict[str, _Gathered] = {}
    for path, value in added:
        if path[0] == "paths":
            _gather(operations.setdefault(f"{path[2].upper()} {path[1]}", _Gathered()), path, value, new)
        elif path[0] != "components" and not path[0].startswith("x-"):
            raise ValueError(f"{pointer(path)} was added, and nobody knows what that means for a caller")
    here, there = (text.partition("\ncomponents:\n") for text in (found.value.before, found.value.after))
    first, second = (tuple(_difference(a, b, document.path)) for a, b in ((here[0], there[0]), (here[2], there[2])))
    demands = tuple(label for label, one in operations.items() if one.demanded)
    return Reading(
        found.value.before,
        "\n".join(first),
        "\n".join(second),
        tuple(one.change(label) for label, one in operations.items()),
        demands,
        sum(1 for _ in _leaves(old)),
        sum(line.startswith("+") and not line.startswith("+++ ") for line in (*first, *second)),
        tuple(_told(finding) for finding in found.diagnostics),
    )


def _told(finding: Diagnostic) -> Told:
    span = finding.span
    place = f"{posixpath.basename(span.path)}:{span.line}" if span is not None else ""
    return Told(place, finding.message, finding.rule)


def _value(document: Document) -> Plain:
    tree = compose(document).value
    if tree is None:
        raise ValueError(f"{document.path} can't be read")
    return plain(tree.root)


def _additions(old: Plain, new: Plain, path: Path) -> Iterator[tuple[Path, Plain]]:
    """What is new below *path*, as deep as there was something before; ValueError where that reads differently."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() <= new.keys():
        for key, value in new.items():
            if key in old:
                yield from _additions(old[key], value, (*path, key))
            else:
                yield (*path, key), value
    elif isinstance(old, list) and isinstance(new, list) and new[: len(old)] == old:
        yield from (((*path, str(index)), value) for index, value in enumerate(new) if index >= len(old))
    elif old != new:
        raise ValueError(f"{pointer(path)} was {old!r} and is {new!r}")


def _leaves(value: Plain) -> Iterator[Plain]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    else:
        yield value


@dataclass(slots=True)
class _Gathered:
    """One operation's additions as they are met."""

    parameters: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    headers: dict[str, list[str]] = field(default_factory=dict)
    demanded: bool = False

    def change(self, label: str) -> Change:
        """The change as it is told."""
        headers = (f"{name} on {', '.join(statuses)}" for name, statuses in self.headers.items())
        return Change(label, tuple(self.parameters), tuple(self.answers), tuple(self.told), tuple(headers))


def _gather(found: _Gathered, path: Path, value: Plain, root: Plain) -> None:
    """Put an addition to an operation where it belongs."""
    match path[3:], value:
        case (str(key),), _ if key.startswith("x-"):
            return
        case ("parameters",), list():
            for item in value:
                _parameter(found, _resolved(item, root))
        case ("parameters", _), _:
            _parameter(found, _resolved(value, root))
        case ("responses",), dict():
            for status, answer in value.items():
                found.answers.append(_answer(status, _resolved(answer, root)))
        case ("responses", status), _:
            found.answers.append(_answer(status, _resolved(value, root)))
        case ("responses", status, "headers"), dict():
            for name in value:
                found.headers.setdefault(name, []).append(status)
        case ("responses", status, "headers", name), _:
            found.headers.setdefault(name, []).append(status)
        case ("responses", status, "x-idempotency"), dict():
            found.told.append(_answer(status, {"enum": value.get("codes")}))
        case ("responses", status, "content", *_), _:
            found.told.append(_answer(status, value))
        case _:
            raise ValueError(f"{pointer(path)} was added, and nobody knows what that means for a caller")


def _parameter(found: _Gathered, value: Plain) -> None:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no parameter")
    needed = value.get("required") is True
    found.demanded = found.demanded or needed
    found.parameters.append(f"{value.get('in')} {value.get('name')}, {'required' if needed else 'optional'}")


def _answer(status: str, value: Plain) -> str:
    codes = dict.fromkeys(_codes(value))
    return f"{status}: {', '.join(codes)}" if codes else status


def _codes(value: Plain) -> Iterator[str]:
    """The machine codes in a response: where a list of them or an example's ``code`` says so."""
    if isinstance(value, dict):
        listed = value.get("enum")
        yield from (item for item in (listed if isinstance(listed, list) else ()) if isinstance(item, str))
        code = value.get("code")
        if isinstance(code, str):
            yield code
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _codes(item)


def _resolved(value: Plain, root: Plain) -> Plain:
    """What a local reference leads to; the value itself where it is none."""
    ref = value.get("$ref") if isinstance(value, dict) else None
    if not isinstance(ref, str):
        return value
    here: Plain = root
    for key in path_of(ref.removeprefix("#")):
        here = here.get(key) if isinstance(here, dict) else None
    return here


def _difference(before: str, after: str, name: str) -> Iterator[str]:
    old, new = before.splitlines(), after.splitlines()
    yield from difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=_CONTEXT, lineterm="")
