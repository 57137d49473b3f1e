"""The texts of OpenAPI documents and JSON Schemas that people read: descriptions, summaries, the title."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.text.dataclass import dataclass
from idempact.text.nodes import Alias, Mapping, Node, Scalar, Sequence, Tree

# Below these keys stand names that the author chose; a name that reads like a keyword is none.
# fmt: off
_NAMES = frozenset({
    "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "examples", "headers", "links",
    "parameters", "pathItems", "paths", "patternProperties", "properties", "requestBodies", "responses", "schemas",
    "securityDefinitions", "securitySchemes", "variables", "webhooks",
})
# fmt: on
METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
"""What a path item calls its operations."""
_VALUES = frozenset({"example", "default", "const", "enum", "value", "mapping", "required"})
_READ = frozenset({"description", "summary"})


@dataclass(frozen=True, slots=True)
class Description:
    """One text: the scalar that holds it, and the path of keys that leads to it."""

    scalar: Scalar
    path: tuple[str, ...]
    header: str = ""
    """The header or other parameter that it describes, if it does."""

    @property
    def status(self) -> str:
        """The status of the response that it describes; empty for what describes none."""
        at = self.path[-3:-1]
        return at[1] if len(at) == 2 and at[0] == "responses" and at[1].isdecimal() else ""

    @property
    def subject(self) -> str:
        """The path as people say it: the operation where there is one."""
        if len(self.path) > 2 and self.path[0] in ("paths", "webhooks"):
            method = self.path[2].upper()
            rest = "".join(f" {key}" for key in self.path[3:])
            return f"{method} {self.path[1]}{rest}" if len(self.path) > 3 else f"{self.path[1]} {self.path[2]}"
        return " ".join(self.path)


def is_openapi(root: Node | None) -> bool:
    """Whether this is the root of an OpenAPI (or Swagger 2) document: it says so by its first key."""
    return isinstance(root, Mapping) and any(root.get(key) is not None for key in ("openapi", "swagger"))


def is_read(root: Node | None) -> bool:
    """Whether the document's descriptions are read: an OpenAPI document, a schema that says so, or a part of either."""
    return is_openapi(root) or (isinstance(root, Mapping) and (root.get("$schema") is not None or _is_part(root)))


def _is_part(root: Mapping) -> bool:
    """Whether this is a file that an OpenAPI document refers to, by what such an object must have (OpenAPI 3.1, 4.8).

    A path item has an operation with responses, a parameter its place and name, a response or a request body content
    by media types; a schema of an object has its properties.
    """
    operations = (root.get(method) for method in METHODS)
    if any(isinstance(one, Mapping) and isinstance(one.get("responses"), Mapping) for one in operations):
        return True
    if isinstance(root.get("in"), Scalar) and isinstance(root.get("name"), Scalar):
        return root.get("schema") is not None or root.get("type") is not None
    content = root.get("content")
    if isinstance(content, Mapping):
        return any("/" in entry.key.value for entry in content.entries)
    return isinstance(root.get("properties"), Mapping) and isinstance(root.get("type"), Scalar)


def descriptions(tree: Tree) -> Iterator[Description]:
    """The texts of an OpenAPI document in order of place; what stands under an anchor once, at its anchor.

    Examples, defaults and enumerations are values, not prose; a property that is *called* ``description`` is a name.
    """
    # Beside each node and its path: whether its own keys are names, and whether the key that leads to it is one.
    parameters: dict[tuple[str, ...], str] = {}
    stack: list[tuple[Node, tuple[str, ...], bool, bool]] = [(tree.root, (), False, False)] if tree.root else []
    while stack:
        node, path, names, named = stack.pop()
        if isinstance(node, Mapping):
            if isinstance(node.get("in"), Scalar) and isinstance(name := node.get("name"), Scalar):
                parameters[path] = name.value
            for entry in reversed(node.entries):
                key = entry.key.value
                if (not names and key in _VALUES) or isinstance(entry.value, Alias):
                    continue
                stack.append((entry.value, (*path, key), not names and key in _NAMES, names))
        elif isinstance(node, Sequence):
            if path and path[-1] == "examples":
                continue
            stack += [(item, (*path, str(i)), False, True) for i, item in reversed(tuple(enumerate(node.items)))]
        elif (
            isinstance(node, Scalar)
            and path
            and not named
            and (path in (("info", "title"), ("title",)) or path[-1] in _READ)
        ):
            own = path[-2] if path[-3:-2] == ("headers",) else ""
            yield Description(node, path, parameters.get(path[:-1], own))
