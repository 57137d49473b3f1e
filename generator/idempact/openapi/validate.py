"""Is the result still a valid OpenAPI document: a quick look at what was inserted, or all that a validator knows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from collections.abc import Mapping as Lookup
from urllib.parse import unquote, urlsplit

from idempact.openapi import record
from idempact.openapi.addresses import joined
from idempact.openapi.copies import rebased
from idempact.openapi.locate import REMOTE, Api, File, Opener, Operation, read
from idempact.openapi.openers import overlaid
from idempact.openapi.pointers import Path, child, find, path_of
from idempact.openapi.wants import Gathered
from idempact.text.dataclass import dataclass, field, replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, Skipped, compose, plain_scalar, resolve
from idempact.text.span import Document

# Components Object, https://spec.openapis.org/oas/v3.1.1.html#components-object.
_NAME = re.compile(r"[a-zA-Z0-9._-]+\Z")


class ValidatorMissing(Exception):
    """openapi-spec-validator is not installed."""


def quick(api: Api, gathered: Lookup[str, Gathered]) -> tuple[Diagnostic, ...]:
    """What would be wrong with additions to the files of *api*, by name: a reference to nothing, a parameter that
    stands twice, a component name that the format doesn't allow.
    """
    root = gathered.get("", Gathered())
    diagnostics: list[Diagnostic] = []
    for name, one in gathered.items():
        file = api.file(name)
        if file is None:
            continue
        nowhere: dict[str, bool] = {}
        # Most operations get the very same values, which are looked at once.
        faults: dict[int, tuple[str, ...]] = {}
        for at, value in one.owned.items():
            known = faults.get(id(value))
            if known is None:
                refs = tuple(_refs(value))
                nowhere |= {ref: _leads_nowhere(api, file, ref, root) for ref in refs if ref not in nowhere}
                known = faults[id(value)] = tuple(ref for ref in refs if nowhere[ref])
            diagnostics += (_invalid(file, at, f"nothing stands at {ref}") for ref in known)
            if not name and at.startswith("/components/"):
                path = path_of(at)
                if len(path) == 3 and not _NAME.match(path[-1]):
                    diagnostics.append(_invalid(file, at, f"{path[-1]!r} can't be a component's name"))
        added = _added_parameters(one)
        for operation in api.operations if added else ():
            if operation.file is file and operation.path in added:
                diagnostics += _doubled(api, operation, added[operation.path], root)
    return tuple(diagnostics)


def _added_parameters(gathered: Gathered) -> dict[Path, list[tuple[str, Plain]]]:
    """The added parameters by the path of their operation, each with its pointer."""
    found: dict[Path, list[tuple[str, Plain]]] = {}
    for at, value in gathered.owned.items():
        holder, _, index = at.rpartition("/")
        if index.isdigit() and holder.endswith("/parameters"):
            found.setdefault(path_of(holder)[:-1], []).append((at, value))
    return found


def _refs(value: Plain) -> Iterator[str]:
    if isinstance(value, dict):
        ref = value.get("$ref")
        if isinstance(ref, str):
            yield ref
        for item in value.values():
            yield from _refs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _refs(item)


def _target(api: Api, file: File, ref: str) -> tuple[File, str] | None:
    """The file and the pointer that a reference of *file* names; none where that can't be known."""
    name, _, fragment = ref.partition("#")
    where = api.file(joined(file.name, name)) if name and ":" not in name else None if name else file
    return (where, unquote(fragment)) if where is not None and fragment.startswith("/") else None


def _leads_nowhere(api: Api, file: File, ref: str, root: Gathered) -> bool:
    """Whether nothing will stand there, as far as the files were read. A copy keeps what its author referred to in
    vain.
    """
    target = _target(api, file, ref)
    if target is None or (target[0] is api.main and target[1] in root.owned):
        return False
    node: Node | None = target[0].root
    for key in path_of(target[1]):
        node = child(resolve(node) if node is not None else None, key)
        if isinstance(node, Skipped):
            return False
    return node is None and not _referred(api, ref)


def _referred(api: Api, ref: str) -> bool:
    """Whether a file that was read refers to that place already."""
    fragment = "#" + ref.partition("#")[2]
    return any(file is not None and fragment in file.document.text for file in (api.main, *api.files.values()))


def _doubled(api: Api, operation: Operation, added: list[tuple[str, Plain]], root: Gathered) -> Iterator[Diagnostic]:
    """Parameter Object: a name and a place make a parameter unique; header names in any letter case."""
    file = operation.file
    listed = operation.node.get("parameters")
    listed = resolve(listed) if listed is not None else None
    items = listed.items if isinstance(listed, Sequence) else ()
    wanted = [(at, one) for at, value in added if (one := _identity(_resolved(api, file, value, root))) is not None]
    names = {name.lower() for _, (name, _) in wanted}
    seen = {_identity(_read(api, file, item)) for item in items if _may_be(item, names)}
    for at, one in wanted:
        if one in seen:
            yield _invalid(file, at, f"the parameter {one[0]} in {one[1]} stands twice")
        seen.add(one)


def _may_be(item: Node, names: set[str]) -> bool:
    """Whether a parameter may have one of the *names*: most say at once that they have another."""
    if not isinstance(item, Mapping) or item.get("$ref") is not None:
        return True
    name = item.get("name")
    return isinstance(name, Scalar) and name.value.lower() in names


def _read(api: Api, file: File, node: Node) -> Plain:
    """What tells a parameter that is there from others, as far as it was read."""
    target = api.follow(file, node)
    found = target.node if target is not None else None
    told = {name: found.get(name) for name in ("name", "in")} if isinstance(found, Mapping) else {}
    return {name: plain_scalar(one) for name, one in told.items() if isinstance(one, Scalar)}


def _resolved(api: Api, file: File, value: Plain, root: Gathered) -> Plain:
    """A parameter that is added; the component that it refers to, added or there."""
    ref = value.get("$ref") if isinstance(value, dict) else None
    target = _target(api, file, ref) if isinstance(ref, str) else None
    if target is None:
        return value
    if target[0] is api.main and target[1] in root.owned:
        return root.owned[target[1]]
    node = target[0].at(path_of(target[1]))
    return _read(api, target[0], node) if node is not None else None


def _identity(value: Plain) -> tuple[str, str] | None:
    name, carrier = (value.get("name"), value.get("in")) if isinstance(value, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(carrier, str):
        return None
    return (name.lower() if carrier == "header" else name, carrier)


def _invalid(file: File, at: str, message: str) -> Diagnostic:
    """The finding at the innermost place on the way to *at* that is there already."""
    node: Node = file.root
    for key in path_of(at):
        following = child(resolve(node), key)
        if following is None:
            break
        node = following
    span = file.document.span(node.start, min(node.end, node.start + 60))
    return Diagnostic("openapi/invalid-result", Severity.ERROR, message, span, at, "nothing was written; report this")


@dataclass(frozen=True, slots=True)
class Complaint:
    """What openapi-spec-validator says: where, by which clause of OpenAPI's schema, and its message, shortened.

    Where the clause is not of the schema, it is the message.
    """

    where: str
    clause: str
    message: str = field(compare=False)


def full(
    before: Document, after: Document, opener: Opener | None = None, others: Lookup[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """What openapi-spec-validator finds in the API of *after* and not in that of *before*.

    *opener* gives the files that they refer to, *others* what these become. The validator looks at one document, so
    path items and operations of other files are put in place of the references to them. Nothing is fetched: a reference
    over the network stands for an empty object. Raises ValidatorMissing where there is none.
    """
    return tuple(
        Diagnostic(
            "openapi/invalid-result",
            Severity.ERROR,
            f"openapi-spec-validator: {new.message}",
            None,
            subject=new.where,
            hint="nothing was written; report this",
        )
        for new in compared(before, after, opener, others)[1]
    )


def compared(
    before: Document, after: Document, opener: Opener | None = None, others: Lookup[str, str] | None = None
) -> tuple[int, tuple[Complaint, ...]]:
    """How many complaints there are about the API of *before*, and those about *after* that are new.

    What was invalid at a place by a clause still is, though its message now shows an addition; and a copy repeats the
    faults of what it is a copy of. Raises ValidatorMissing as `full` does.
    """
    known = set(_complaints(before, opener))
    found = _complaints(after, overlaid(opener, others or {}))
    new = [one for one in found if one not in known]
    if not new:
        return len(known), ()
    copies = dict(_copies(after))
    return len(known), tuple(one for one in new if replace(one, where=_original(one.where, copies)) not in known)


def _copies(document: Document) -> Iterator[tuple[str, str]]:
    """The copies in a document, by the place that each has, with the place of what it is a copy of."""
    tree = compose(document).value
    root = tree.root if tree is not None else None
    owned = record.read(root) if isinstance(root, Mapping) else None
    for at, one in owned.shares[""].replaced.items() if owned is not None else ():
        node = find(root, path_of(at)) if root is not None else None
        if at.endswith("/$ref") and isinstance(node, Scalar):
            yield (_place(node.value), _place(one.was.strip("'\"")))


def _place(ref: str) -> str:
    return "/".join(path_of(unquote(ref.partition("#")[2])))


def _original(where: str, copies: Lookup[str, str]) -> str:
    """The place where a complaint about a copy would stand in its original."""
    parts = where.split("/")
    copy = "/".join(parts[:3])
    return "/".join((copies[copy], *parts[3:])) if copy in copies else where


# The root document's folder, deep enough that no relative reference climbs out of it.
_FOLDER = "/-" * 40


def _complaints(document: Document, opener: Opener | None) -> list[Complaint]:
    try:
        from jsonschema_path import SchemaPath
        from openapi_spec_validator.shortcuts import get_validator_cls
    except ImportError:
        raise ValidatorMissing from None
    api = read(document, opener, lambda path: True).value
    if api is None:
        return [Complaint("", "", "the document can't be read")]
    spec = _in_one(api)

    def local(uri: str) -> Plain:
        name = posixpath.relpath(unquote(urlsplit(uri).path), _FOLDER)
        file = api.file("" if name == _ROOT else name)
        if file is None:
            raise LookupError(f"{name} can't be read")
        return _without_remote(value(file.root))

    def remote(uri: str) -> Plain:
        raise LookupError(f"{uri} is never fetched")

    handlers = {"file": local, "http": remote, "https": remote, "<all_urls>": remote}
    found: list[Complaint] = []
    try:
        path = SchemaPath.from_dict(spec, base_uri=f"file://{_FOLDER}/{_ROOT}", handlers=handlers)
        for error in get_validator_cls(spec)(path).iter_errors():
            where, clause = ("/".join(map(str, path)) for path in (error.absolute_path, error.absolute_schema_path))
            found.append(Complaint(where, clause or error.message, error.message[:300]))
    except Exception as fault:
        # The validator follows what it has just called invalid, and stumbles over it in ways that it doesn't name.
        told = f"stopped by {type(fault).__name__}"
        found.append(Complaint("", told, f"{told}: {fault}"[:300]))
    return found


_ROOT = "-root-"


def _in_one(api: Api) -> dict[str, Plain]:
    """The root document with the operations of other files in place of what refers to them."""
    spec = value(api.main.root)
    assert isinstance(spec, dict), "what is read as an API is a mapping"
    paths = spec.get("paths")
    if isinstance(paths, dict) and "$ref" in paths:
        target = api.follow(api.main, api.main.root.get("paths"))
        paths = spec["paths"] = rebased(value(target.node), target.file.name) if target is not None else {}
    for operation in api.operations:
        holder = paths.get(operation.template) if isinstance(paths, dict) else None
        if operation.item.file is not api.main and isinstance(paths, dict):
            holder = paths[operation.template] = rebased(value(operation.item.node), operation.item.file.name)
        method = operation.method.lower()
        if operation.file is not operation.item.file and isinstance(holder, dict) and method in holder:
            holder[method] = rebased(value(operation.node), operation.file.name)
    spec = _without_remote(spec)
    assert isinstance(spec, dict), "the root is no reference"
    return spec


def _without_remote(found: Plain) -> Plain:
    """The value with an empty object for each reference over the network."""
    if isinstance(found, dict):
        ref = found.get("$ref")
        if isinstance(ref, str) and REMOTE.match(ref):
            return {}
        return {key: _without_remote(item) for key, item in found.items()}
    return [_without_remote(item) for item in found] if isinstance(found, list) else found


def value(node: Node | None) -> Plain:
    """The node as plain data by YAML 1.2's rules for scalars, with ``<<`` merged in (https://yaml.org/type/merge.html)."""
    if node is None:
        return None
    node = resolve(node)
    if isinstance(node, Sequence):
        return [value(item) for item in node.items]
    if isinstance(node, Mapping):
        merged: dict[str, Plain] = {}
        for entry in node.entries:
            if entry.key.value == "<<":
                sources = value(entry.value)
                for source in sources if isinstance(sources, list) else [sources]:
                    merged = {**source, **merged} if isinstance(source, dict) else merged
        own = {entry.key.value: value(entry.value) for entry in node.entries if entry.key.value != "<<"}
        return {**merged, **own}
    if isinstance(node, Scalar):
        return plain_scalar(node)
    raise ValueError("this subtree was skipped when the file was read")
