"""Is the result still a valid OpenAPI document: a quick look at what was inserted, or all that a validator knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from idempact.openapi.locate import Api, Operation, read
from idempact.openapi.pointers import find, path_of
from idempact.openapi.style import entries
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, compose, plain_scalar, resolve
from idempact.text.span import Document

# Components Object, https://spec.openapis.org/oas/v3.1.1.html#components-object.
_NAME = re.compile(r"[a-zA-Z0-9._-]+\Z")


class ValidatorMissing(Exception):
    """openapi-spec-validator is not installed."""


def quick(document: Document, owned: Iterable[str]) -> tuple[Diagnostic, ...]:
    """What is wrong with the inserted nodes at the pointers *owned*: a reference to nothing, a parameter that stands
    twice, a component name that the format doesn't allow.
    """
    found = read(document)
    if found.value is None:
        return found.diagnostics
    api = found.value
    paths = [path_of(at) for at in owned]
    touched = {path[:-2] for path in paths if len(path) > 2 and path[-2] == "parameters"}
    diagnostics = [d for path in paths if (node := find(api.root, path)) is not None for d in _dangling(api, node)]
    for path in paths:
        if path[0] == "components" and not _NAME.match(path[-1]):
            node = find(api.root, path)
            diagnostics.append(_invalid(api, node or api.root, f"{path[-1]!r} can't be a component's name"))
    for operation in api.operations:
        if operation.path in touched:
            diagnostics += _doubled(api, operation)
    return tuple(diagnostics)


def _dangling(api: Api, node: Node) -> Iterator[Diagnostic]:
    for entry in entries(node):
        ref = entry.value.value if entry.key.value == "$ref" and isinstance(entry.value, Scalar) else ""
        if ref.startswith("#/") and api.at(path_of(ref[1:])) is None:
            yield _invalid(api, entry.value, f"nothing stands at {ref}")


def _doubled(api: Api, operation: Operation) -> Iterator[Diagnostic]:
    """Parameter Object: a name and a place make a parameter unique; header names in any letter case."""
    seen: set[tuple[str, str]] = set()
    listed = operation.node.get("parameters")
    for item in listed.items if isinstance(listed, Sequence) else ():
        node, _ = api.local(item)
        name, carrier = (node.get("name"), node.get("in")) if isinstance(node, Mapping) else (None, None)
        if isinstance(name, Scalar) and isinstance(carrier, Scalar):
            one = (name.value.lower() if carrier.value == "header" else name.value, carrier.value)
            if one in seen:
                yield _invalid(api, item, f"the parameter {name.value} in {carrier.value} stands twice")
            seen.add(one)


def _invalid(api: Api, node: Node, message: str) -> Diagnostic:
    span = api.tree.document.span(node.start, min(node.end, node.start + 60))
    return Diagnostic("openapi/invalid-result", Severity.ERROR, message, span, hint="nothing was written; report this")


def full(before: Document, after: Document) -> tuple[Diagnostic, ...]:
    """What openapi-spec-validator finds in *after* and not in *before*. Raises ValidatorMissing where there is none."""
    known = set(_complaints(before))
    new = [complaint for complaint in _complaints(after) if complaint not in known]
    return tuple(
        Diagnostic("openapi/invalid-result", Severity.ERROR, f"openapi-spec-validator: {message}", None, subject=where)
        for where, message in new
    )


def _complaints(document: Document) -> list[tuple[str, str]]:
    try:
        from jsonschema_path import SchemaPath
        from openapi_spec_validator.shortcuts import get_validator_cls
    except ImportError:
        raise ValidatorMissing from None
    tree = compose(document).value
    spec = value(tree.root) if tree is not None else None
    if not isinstance(spec, dict):
        return [("", "the document can't be read")]
    found: list[tuple[str, str]] = []
    try:
        for error in get_validator_cls(spec)(SchemaPath.from_dict(spec)).iter_errors():
            found.append(("/".join(str(part) for part in error.absolute_path), error.message[:300]))
    except Exception as fault:
        # The validator follows what it has just called invalid, and stumbles over it in ways that it doesn't name.
        found.append(("", f"stopped by {type(fault).__name__}: {fault}"[:300]))
    return found


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
