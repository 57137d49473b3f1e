"""A contract written out: as plain data with every default filled in, and as YAML that reads back as the same."""

from __future__ import annotations

from idempact.contract.dotted import Path, parse_dotted
from idempact.contract.model.contract import LANGUAGE_VERSION, SECTIONS, Contract, Head, Operation
from idempact.contract.model.operations import OwnFields, Safety
from idempact.contract.overrides import DEFAULT_WORDS, WHOLE
from idempact.contract.records import specs, write_field
from idempact.contract.shapes import UNKNOWN
from idempact.contract.source import Source
from idempact.text.emit import emit
from idempact.text.nodes import Plain

_MEANT_BY_ONE_WORD: dict[Path, tuple[str, ...]] = {("stored_failures",): ("business_rejection", "server_error")}


def resolved(contract: Contract) -> dict[str, Plain]:
    """The contract as plain data, in the language's order: every default is there, nothing is left to be inferred.

    Operations have their safety, what was said of them, and whole the sections that they override.
    """
    out: dict[str, Plain] = {}
    for name, spec in specs(Head):
        if spec.key == "idempact":
            out[spec.key] = LANGUAGE_VERSION
        elif spec.key == "operations":
            out[spec.key] = {str(op.key): _operation(op, contract) for op in contract.operations}
        else:
            owner = contract.settings if spec.key in SECTIONS else contract
            out[spec.key] = write_field(spec, getattr(owner, name))
            if not out[spec.key] and spec.key in ("changes", "notes"):
                del out[spec.key]
    for text, extension in contract.extensions:
        _put(out, parse_dotted(text), extension)
    return out


def write(contract: Contract, source: Source | None = None) -> str:
    """The contract as YAML. Where *source* says what the author wrote, each default is marked with a comment.

    What the author's comments allow is allowed there, too.
    """
    if source is None:
        return emit(resolved(contract))
    written = _Written(source)
    data = resolved(contract)
    allowed, loose = _allowances(data, source)

    def above(path: Path) -> tuple[str, ...]:
        own = allowed.get(path, ())
        return own or (allowed.get(path[2:], ()) if _inherited(data, path, written) else ())

    text = emit(data, lambda path: "" if written.by_author(path) else _remark(data, path, written), above)
    return text + "".join(f"# {comment}\n" for comment in loose)


def _inherited(data: Plain, path: Path, written: _Written) -> bool:
    """Whether the field at *path* of an operation was written above it, so that what holds there is said again here."""
    return len(path) > 2 and path[0] == "operations" and not written.by_author(path) and _as_above(data, path, written)


def _as_above(data: Plain, path: Path, written: _Written) -> bool:
    return written.by_author(path[2:]) and _merged(data, path) and _at(data, path) == _at(data, path[2:])


def _allowances(data: Plain, source: Source) -> tuple[dict[Path, tuple[str, ...]], list[str]]:
    """The author's allowances by the path of the field or item that each stands before, and those before none."""
    starts: dict[int, Path] = {}
    for paths in (source.keys, source.places):
        for path, (start, _) in paths.items():
            if start not in starts or len(path) < len(starts[start]):
                starts[start] = path
    found: dict[Path, tuple[str, ...]] = {}
    loose: list[str] = []
    for allowance in source.allowances:
        comment = source.document.text[allowance.start : allowance.end].rstrip()
        place = starts.get(allowance.covers[0]) if allowance.covers[1] > allowance.covers[0] else None
        line = None if place is None else _line(data, place)
        if line is None:
            loose.append(comment)
        else:
            found[line] = (*found.get(line, ()), comment)
    return found, loose


def _line(data: Plain, path: Path) -> Path | None:
    """The path of the line that the field or item at *path* is written on, or that holds it; None without one."""
    for length, part in enumerate(path):
        inside = isinstance(data, list) and part.isdecimal() and int(part) < len(data)
        if isinstance(data, list) and (not inside or not any(isinstance(item, list | dict) and item for item in data)):
            return path[:length] or None
        if isinstance(data, list):
            data = data[int(part)]
        elif isinstance(data, dict) and part in data:
            data = data[part]
        else:
            return path[:length] or None
    return path


def _remark(data: Plain, path: Path, written: _Written) -> str:
    if path[0] == "operations" and _as_above(data, path, written):
        return "as above"
    return "left out" if _at(data, path) == UNKNOWN else "default"


def _merged(data: Plain, path: Path) -> bool:
    """Whether what an operation says on the way to *path* is merged with the section above, and doesn't replace it."""
    for length in range(3, len(path)):
        own, above = _at(data, path[:length]), _at(data, path[2:length])
        if isinstance(own, list):
            return own == above
        if not (isinstance(own, dict) and isinstance(above, dict)) or path[length - 1] in WHOLE:
            return False
        if any(own.get(word) != above.get(word) for word in ("kind", "answer")):
            return False
    return True


def _at(data: Plain, path: Path) -> Plain:
    """What stands at a path; None where there is nothing."""
    for part in path:
        if isinstance(data, list):
            data = data[int(part)] if part.isdecimal() and int(part) < len(data) else None
        else:
            data = data.get(part) if isinstance(data, dict) else None
    return data


def _operation(operation: Operation, contract: Contract) -> Plain:
    out: dict[str, Plain] = {}
    for name, spec in specs(OwnFields):
        value = getattr(operation, name)
        if value is None or value == ():
            continue
        out[spec.key] = write_field(spec, value)
    for name, spec in specs(Head):
        if spec.key in operation.overrides:
            above = write_field(spec, getattr(contract.settings, name))
            own = write_field(spec, getattr(operation.settings, name))
            out[spec.key] = _over(above, own, (spec.key,))
    ordered: dict[str, Plain] = {key: value for key, value in out.items() if key not in operation.overrides}
    ordered |= {key: out[key] for key in operation.overrides}
    return ordered if len(ordered) > 1 or operation.safety is Safety.UNSAFE else ordered["safety"]


def _over(above: Plain, own: Plain, path: Path) -> Plain:
    """*own* as it must stand under an operation: what it lacks of the section above is written as none."""
    if not (isinstance(above, dict) and isinstance(own, dict)) or path[-1] in WHOLE:
        return own
    if path == ("stored_failures",) and _lost(above.get("statuses"), own.get("statuses")):
        return own["business_rejection"]  # only the one word could have taken exceptions back
    for word in ("kind", "answer"):
        if word in own and own[word] != above.get(word, DEFAULT_WORDS.get(path)):
            return own
    out = {key: _over(above[key], value, (*path, key)) if key in above else value for key, value in own.items()}
    # Decorrelated jitter has no factor, so that there is nothing to take back.
    return out | {key: "none" for key in above if key not in own and key != "factor"}


def _lost(above: Plain, own: Plain) -> bool:
    return isinstance(above, dict) and isinstance(own, dict) and not above.keys() <= own.keys()


def _put(data: Plain, path: Path, extension: Plain) -> None:
    """Put a value of the author's own back to its place, unless that place isn't written as a mapping."""
    for part in path[:-1]:
        if isinstance(data, dict) and part in data:
            if not isinstance(data[part], dict | list):
                if path[0] == "operations" and part == path[1]:
                    data[part] = {"safety": data[part]}
                else:
                    return
            data = data[part]
        elif isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif isinstance(data, dict):
            data = data.setdefault(part, {})
        else:
            return
    if isinstance(data, dict):
        data[path[-1]] = extension


class _Written:
    """What the author of a contract wrote."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parents = {path[:length] for path in source.places for length in range(len(path))}

    def by_author(self, path: Path) -> bool:
        """Whether the line of *path* says what the author wrote, be it as part of a larger value."""
        for length in range(len(path), 0, -1):
            place = path[:length]
            if place not in self.source.places:
                continue
            if length == len(path):
                return True
            if place in self.parents or self.source.written(*place).strip("{} \t") == "":
                return False
            meant = _MEANT_BY_ONE_WORD.get(place[-1:])
            return meant is None or path[length] in meant
        return False
