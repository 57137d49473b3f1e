"""Operations, parameters and components of an OpenAPI file, each with its place; what can't be edited is refused."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from idempact.openapi.pointers import Path, child, path_of
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Alias, Mapping, Node, Scalar, Sequence, Tree, compose, resolve
from idempact.text.span import Document

# Path Item Object, https://spec.openapis.org/oas/v3.1.1.html#path-item-object; `query` since 3.2.
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "QUERY"))
_VERSION = re.compile(r"3\.[012](\.|\Z)")
_OPEN_COMPONENTS = ("parameters", "responses", "headers")


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One operation: where it is, and what a contract's key may name it by."""

    method: str
    template: str
    path: Path
    node: Mapping
    key: Scalar
    path_item: Mapping
    operation_id: str
    tags: tuple[str, ...]

    @property
    def changes_state(self) -> bool:
        """Whether the method may change something: RFC 9110, section 9.2.1, and `query`, which is safe."""
        return self.method not in SAFE_METHODS

    @property
    def label(self) -> str:
        """The operation as findings call it."""
        return f"{self.method} {self.template}"


@dataclass(frozen=True, slots=True, eq=False)
class Api:
    """An OpenAPI file with its operations."""

    tree: Tree
    json: bool
    version: str
    root: Mapping
    operations: tuple[Operation, ...]

    def local(self, node: Node | None) -> tuple[Node | None, Path | None]:
        """What a reference within this file stands for, and its path; any other node itself, without one.

        Follows at most 20 references; anything else (another file, nothing there) gives no node.
        """
        path: Path | None = None
        for _ in range(20):
            node = resolve(node) if node is not None else None
            ref = node.get("$ref") if isinstance(node, Mapping) else None
            if not isinstance(ref, Scalar):
                return node, path
            if not ref.value.startswith("#/"):
                return None, None
            path = path_of(ref.value[1:])
            node = self.at(path)
        return None, None

    def at(self, path: Path) -> Node | None:
        """The node at *path*, aliases entered."""
        node: Node | None = self.root
        for key in path:
            node = child(resolve(node) if node is not None else None, key)
        return node


def keep(path: tuple[str, ...]) -> bool:
    """Which subtrees of an OpenAPI file are read; a schema, an example or a callback never needs to be."""
    top = path[0]
    if top == "paths":
        return _keep_below_paths(path[1:])
    if top == "components":
        return len(path) < 2 or path[1] in _OPEN_COMPONENTS
    return top.startswith("x-idempotency")


def _keep_below_paths(path: tuple[str, ...]) -> bool:
    """The same, counted from `paths`: template, then method or `parameters`, then the operation's members."""
    if len(path) > 1 and path[1] == "additionalOperations":
        path = (path[0], *path[2:])
    if len(path) < 3 or path[1] == "parameters":
        return True
    if path[2] == "responses":
        return len(path) < 5 or path[4] != "content" or len(path) < 7
    return path[2] in ("parameters", "tags") or path[2].startswith("x-idempotency")


def read(document: Document) -> Checked[Api]:
    """The OpenAPI file in *document*; an error where it is none that we edit (3.0, 3.1 or 3.2, one document)."""
    tree = compose(document, keep)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    root = tree.value.root
    version = root.get("openapi") if isinstance(root, Mapping) else None
    if not isinstance(root, Mapping) or not isinstance(version, Scalar) or not _VERSION.match(version.value):
        return Checked(None, (*tree.diagnostics, _other_format(document, root, version)))
    diagnostics: list[Diagnostic] = list(tree.diagnostics)
    operations = tuple(_operations(document, root, diagnostics))
    api = Api(tree.value, is_json(document), version.value, root, operations)
    return Checked(api, tuple(diagnostics))


def is_json(document: Document) -> bool:
    """Whether the text is JSON and not YAML, by the rule that :func:`idempact.text.nodes.compose` reads it by."""
    text = document.text.removeprefix("\ufeff")
    if document.path.endswith(".json"):
        return True
    if text.lstrip(" \t\r\n")[:1] != "{":
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _other_format(document: Document, root: Node | None, version: Node | None) -> Diagnostic:
    old = root.get("swagger") if isinstance(root, Mapping) else None
    if old is not None:
        return Diagnostic(
            "openapi/old-version",
            Severity.ERROR,
            "this is a Swagger 2.0 document, which has no place for some of what would be inserted",
            document.span(old.start, old.end),
            hint="convert it to OpenAPI 3 first, for instance with `npx swagger2openapi FILE`",
        )
    place = version or root
    return Diagnostic(
        "openapi/other-format",
        Severity.ERROR,
        "this is not an OpenAPI 3.0, 3.1 or 3.2 document: its root has no such `openapi:` version",
        document.span(place.start, min(place.end, place.start + 20)) if place else document.span(0),
        hint="name the API's root document, the one that begins with `openapi: 3.`",
    )


def _operations(document: Document, root: Mapping, diagnostics: list[Diagnostic]) -> list[Operation]:
    found: list[Operation] = []
    paths = root.get("paths")
    if isinstance(paths, Alias):
        diagnostics.append(_not_followed(document, paths, "the paths are an alias"))
    paths = resolve(paths) if paths is not None else None
    if not isinstance(paths, Mapping):
        return found
    for entry in paths.entries:
        item = resolve(entry.value)
        if entry.key.value.startswith("x-") or not isinstance(item, Mapping):
            continue
        ref = item.get("$ref")
        if ref is not None:
            diagnostics.append(_not_followed(document, ref, "the path item is a reference, which is not followed yet"))
        merge = item.entry("<<")
        if merge is not None:
            diagnostics.append(_not_followed(document, merge.key, "the path item is merged from elsewhere with `<<`"))
        base = ("paths", entry.key.value)
        found += _of_item(base, item, item, METHODS)
        more = item.get("additionalOperations")
        if isinstance(more, Mapping):
            names = tuple(e.key.value for e in more.entries)
            found += _of_item((*base, "additionalOperations"), more, item, names)
    return found


def _of_item(base: Path, holder: Mapping, item: Mapping, names: tuple[str, ...]) -> list[Operation]:
    found: list[Operation] = []
    for entry in holder.entries:
        node = resolve(entry.value)
        if entry.key.value not in names or not isinstance(node, Mapping):
            continue
        operation_id = node.get("operationId")
        tags = node.get("tags")
        found.append(
            Operation(
                entry.key.value.upper(),
                base[1],
                (*base, entry.key.value),
                node,
                entry.key,
                item,
                operation_id.value if isinstance(operation_id, Scalar) else "",
                tuple(t.value for t in tags.items if isinstance(t, Scalar)) if isinstance(tags, Sequence) else (),
            )
        )
    return found


def _not_followed(document: Document, node: Node, why: str) -> Diagnostic:
    return Diagnostic(
        "openapi/indirect-path",
        Severity.WARNING,
        f"{why}: the operations behind it are neither edited nor checked",
        document.span(node.start, node.end),
        hint="write the operations out at this place, or edit the file that holds them",
    )
