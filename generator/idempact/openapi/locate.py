"""Operations of an OpenAPI document and of the files it refers to, each with its place."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from idempact.openapi.addresses import joined, named
from idempact.openapi.pointers import Path, child, is_null, path_of
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import (
    Alias,
    Keep,
    Less,
    Mapping,
    Mark,
    Node,
    Scalar,
    Sequence,
    Skipped,
    Tree,
    compose,
    resolve,
)
from idempact.text.span import Document
from idempact.text.yaml_nodes import marks

# Path Item Object, https://spec.openapis.org/oas/v3.1.1.html#path-item-object; `query` since 3.2.
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "QUERY"))
_VERSION = re.compile(r"3\.[012](\.|\Z)")
REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_OPEN_COMPONENTS = ("parameters", "responses", "headers")
_HOPS = 20
_OPERATION = "the operation"

# Gives the file that a reference names, by its path relative to the root document's folder.
Opener = Callable[[str], Checked[Document]]


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """One file of an API. ``name`` is its path relative to the root document's folder; the root document has none.

    ``wanted`` says which subtrees of it are read, all where it is none.
    """

    name: str
    tree: Tree
    json: bool
    root: Mapping
    wanted: Keep | None = None

    @property
    def document(self) -> Document:
        """The file's text under the name that findings give it."""
        return self.tree.document

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The events of a YAML file; none of a JSON file."""
        return self.tree.marks if self.json or self.tree.marks else tuple(marks(self.document))

    def reads(self, path: Path) -> bool:
        """Whether what stands at *path* was to be read."""
        return self.wanted is None or all(self.wanted(path[:end]) for end in range(1, len(path) + 1))

    def at(self, path: Path) -> Node | None:
        """The node at *path*, aliases entered."""
        node: Node | None = self.root
        for key in path:
            node = child(resolve(node) if node is not None else None, key)
        return node


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What a node stands for once references are followed. ``path`` is none where there was no reference."""

    node: Node
    file: File
    path: Path | None


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A path item and its place, which may be in another file than an operation of it."""

    file: File
    path: Path
    node: Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One operation: where it is, and what a contract's key may name it by."""

    method: str
    template: str
    file: File
    path: Path
    node: Mapping
    key: Scalar
    item: Item
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


@dataclass(slots=True, eq=False)
class Api:
    """An OpenAPI document with its operations; other files are opened when something refers to them.

    ``astray``: a path or operation is a reference within the document to what was not read, or is not there.
    ``former`` is the root document with what is ours, ``taken`` the places of our components that were taken out of it:
    a reference to one of them leads there.
    """

    main: File
    version: str
    opener: Opener | None = None
    operations: tuple[Operation, ...] = ()
    files: dict[str, File | None] = field(default_factory=dict)
    faults: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    astray: bool = False
    former: File | None = None
    taken: frozenset[Path] = frozenset()

    def file(self, name: str) -> File | None:
        """The file of that name; none where it can't be had, for which ``faults`` tells the reason."""
        if name not in self.files:
            known = named(self.main.document.path, name)
            self.files[name] = self._open(name) if known == name else self.file(known)
            self.faults.setdefault(name, self.faults.get(known, ()))
        return self.files[name]

    def _open(self, name: str) -> File | None:
        if name == posixpath.basename(self.main.document.path) or not name:
            return self.main
        found = self.opener(name) if self.opener is not None else None
        tree = compose(found.value) if found is not None and found.value is not None else None
        self.faults[name] = (*(found.diagnostics if found else ()), *(tree.diagnostics if tree else ()))
        root = tree.value.root if tree is not None and tree.value is not None else None
        if tree is None or tree.value is None or not isinstance(root, Mapping):
            return None
        return File(name, tree.value, tree.value.json, root)

    def follow(self, file: File, node: Node | None) -> Target | None:
        """What *node* of *file* stands for; none for a reference that leads nowhere, or where nobody may go."""
        path: Path | None = None
        for _ in range(_HOPS):
            node = resolve(node) if node is not None else None
            ref = node.get("$ref") if isinstance(node, Mapping) else None
            if node is None or not isinstance(ref, Scalar):
                return None if node is None else Target(node, file, path)
            name, _, fragment = ref.value.partition("#")
            if REMOTE.match(ref.value) or (fragment and not fragment.startswith("/")):
                return None
            there = self.file(joined(file.name, name)) if name else file
            if there is None:
                return None
            file, path = there, path_of(unquote(fragment))
            node = file.at(path)
            if node is None and self.former is not None and there is self.main and path[:3] in self.taken:
                file, node = self.former, self.former.at(path)
        return None


def keep(path: tuple[str, ...]) -> bool:
    """Which subtrees of an OpenAPI document are read: what no addition depends on never needs to be."""
    top = path[0]
    if top == "paths":
        return _keep_below_paths(path[1:])
    if top == "components":
        if path[1:2] == ("pathItems",):
            return _keep_below_paths(path[2:])
        return len(path) < 2 or path[1] in _OPEN_COMPONENTS
    return top.startswith("x-idempotency")


def keep_bodies(path: tuple[str, ...]) -> bool:
    """The same, and request bodies and schemas: for keys that travel in a body, and for copies of shared schemas."""
    if path[0] == "components" and len(path) > 1 and path[1] in ("schemas", "requestBodies", "examples"):
        return True
    return keep(path) or (path[0] == "paths" and "requestBody" in path[2:5])


def keep_all(path: tuple[str, ...]) -> bool:
    """Everything."""
    return True


def keep_named(path: tuple[str, ...]) -> bool:
    """The same, the parameters of reading operations, and the names of all components: for an audit."""
    return (
        keep(path) or (path[0] == "components" and len(path) < 3) or (path[0] == "paths" and "parameters" in path[3:4])
    )


def keep_record(path: tuple[str, ...]) -> bool:
    """The root extension alone."""
    return path[0].startswith("x-idempotency")


def _keep_below_paths(path: tuple[str, ...]) -> bool:
    """The same, counted from `paths`: template, then method or `parameters`, then the operation's members."""
    if len(path) > 1 and path[1] == "additionalOperations":
        path = (path[0], *path[2:])
    if len(path) < 3 or path[1] == "parameters":
        return True
    if path[1].upper() in SAFE_METHODS:
        return path[2] in ("tags", "<<")
    if path[2] == "responses":
        refused = len(path) > 3 and path[3][:1] in ("4", "5")
        return len(path) < 5 or refused or path[4] == "headers"
    return path[2] in ("parameters", "tags", "<<") or path[2].startswith("x-idempotency")


def read(
    document: Document,
    opener: Opener | None = None,
    wanted: Keep = keep,
    *,
    marked: bool = False,
    less: Less | None = None,
) -> Checked[Api]:
    """The OpenAPI file in *document*; an error where it is none that we edit (3.0, 3.1 or 3.2, one document).

    *opener* gives the files that it refers to; without one, nothing is followed. *marked* reads its marks at once; for
    *less* see :func:`idempact.text.nodes.compose`.
    """
    tree = compose(document, wanted, marked=marked, less=less)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    found = api_of(tree.value, opener, wanted)
    if found.value is not None and found.value.astray and wanted is not keep_all:
        return read(document, opener, keep_all, marked=marked)
    return Checked(found.value, (*tree.diagnostics, *found.diagnostics))


def api_of(tree: Tree, opener: Opener | None = None, wanted: Keep = keep) -> Checked[Api]:
    """The same, for a document that has been read."""
    document, root = tree.document, tree.root
    version = root.get("openapi") if isinstance(root, Mapping) else None
    if not isinstance(root, Mapping) or not isinstance(version, Scalar) or not _VERSION.match(version.value):
        return Checked(None, (_other_format(document, root, version),))
    api = Api(File("", tree, tree.json, root, wanted), version.value, opener)
    finding = _Finding(api)
    api.operations = tuple(finding.operations())
    return Checked(api, tuple(finding.diagnostics))


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


class _Finding:
    """Walks the paths and follows what they refer to."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.diagnostics: list[Diagnostic] = []

    def operations(self) -> Iterator[Operation]:
        main = self.api.main
        paths = main.root.get("paths")
        if isinstance(paths, Alias):
            self._not_followed(main, paths, "the paths are an alias")
        target = self._entered(main, ("paths",), paths, "the paths")
        if target is None:
            return
        file, base, node = target
        for entry in node.entries:
            if entry.key.value.startswith("x-") or entry.key.value == "$ref":
                continue
            item = self._entered(file, (*base, entry.key.value), entry.value, "the path item")
            if item is not None:
                yield from self._of_item(entry.key.value, *item)

    def _entered(self, file: File, path: Path, node: Node | None, what: str) -> tuple[File, Path, Mapping] | None:
        """The mapping at *path*, or the one that it refers to."""
        node = resolve(node) if node is not None else None
        if not isinstance(node, Mapping):
            self._no_mapping(file, node, what)
            return None
        ref, merge = node.get("$ref"), node.entry("<<")
        if merge is not None and what != _OPERATION:
            self._not_followed(file, merge.key, f"{what} is merged from elsewhere with `<<`")
        if ref is None:
            return file, path, node
        target = self.api.follow(file, node)
        if target is None or not isinstance(target.node, Mapping):
            lost = target is None or isinstance(target.node, Skipped)
            self.api.astray |= lost and isinstance(ref, Scalar) and ref.value[:2] == "#/"
            self._not_followed(file, ref, f"{what} is a reference that {self._why(file, ref, target)}")
            return (file, path, node) if len(node.entries) > 1 else None
        return target.file, target.path or (), target.node

    def _no_mapping(self, file: File, node: Node | None, what: str) -> None:
        """Tell what stands where operations would, if something does."""
        if node is None or isinstance(node, Skipped) or (is_null(node) and what != _OPERATION):
            return
        empty = is_null(node)
        found = "nothing" if empty else "a list" if isinstance(node, Sequence) else "a scalar"
        self.diagnostics.append(
            Diagnostic(
                "openapi/other-format",
                Severity.WARNING if empty else Severity.ERROR,
                f"{what} must be a mapping, and {found} stands here",
                file.document.span(node.start, node.end),
                hint="write it as OpenAPI does: paths by template, their operations by method",
            )
        )

    def _why(self, file: File, ref: Node, target: Target | None) -> str:
        text = ref.value if isinstance(ref, Scalar) else ""
        if REMOTE.match(text):
            return "leads over the network, which is never fetched"
        if target is not None:
            return "leads to something else than operations"
        name = text.partition("#")[0]
        if name and self.api.opener is None:
            return "leads to another file, which was not to be followed"
        faults = self.api.faults.get(joined(file.name, name), ()) if name else ()
        return f"can't be followed ({faults[0].message})" if faults else "leads to nothing"

    def _of_item(self, template: str, file: File, base: Path, item: Mapping) -> Iterator[Operation]:
        yield from self._methods(template, Item(file, base, item), base, item, METHODS)
        more = item.get("additionalOperations")
        if isinstance(more, Mapping):
            names = tuple(e.key.value for e in more.entries)
            yield from self._methods(template, Item(file, base, item), (*base, "additionalOperations"), more, names)

    def _methods(
        self, template: str, item: Item, base: Path, holder: Mapping, names: tuple[str, ...]
    ) -> Iterator[Operation]:
        for entry in holder.entries:
            if entry.key.value in names:
                target = self._entered(item.file, (*base, entry.key.value), entry.value, _OPERATION)
                if target is not None:
                    yield _operation(entry.key.value.upper(), template, item, target, entry.key)

    def _not_followed(self, file: File, node: Node, why: str) -> None:
        self.diagnostics.append(
            Diagnostic(
                "openapi/indirect-path",
                Severity.WARNING,
                f"{why}: the operations behind it are neither edited nor checked",
                file.document.span(node.start, node.end),
                hint="write the operations out at this place, or name the file that holds them",
            )
        )


def _operation(method: str, template: str, item: Item, target: tuple[File, Path, Mapping], key: Scalar) -> Operation:
    file, path, node = target
    operation_id, tags = node.get("operationId"), node.get("tags")
    # Where the operation is a reference into another file, findings point there.
    shown = key if file is item.file or not node.entries else node.entries[0].key
    return Operation(
        method,
        template,
        file,
        path,
        node,
        shown,
        item,
        operation_id.value if isinstance(operation_id, Scalar) else "",
        tuple(t.value for t in tags.items if isinstance(t, Scalar)) if isinstance(tags, Sequence) else (),
    )
