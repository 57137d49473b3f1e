"""Whether a schema of an API's files takes a value, with all that the schema refers to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from idempact.openapi.addresses import joined
from idempact.openapi.locate import REMOTE, Api, File
from idempact.openapi.pointers import Path, path_of
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, Skipped, plain_scalar, resolve


class Unread(Exception):
    """Something that decides was left out when its file was read."""


class _Unknown(Exception):
    """A reference that leads nowhere, or where nobody may go."""


@dataclass(slots=True)
class Schema:
    """A schema as plain data of JSON Schema 2020-12, and what it refers to under numbers in ``$defs``."""

    value: Plain
    defs: dict[str, Plain] = field(default_factory=dict)

    def takes(self, value: Plain) -> bool:
        """Whether the value is valid by it, formats included; false where the schema itself is not valid."""
        # Loading it takes longer than most runs, and few files have room for an example.
        import jsonschema_rs

        whole: dict[str, Plain] = {"allOf": [self.value], "$defs": self.defs}
        try:
            loaded = jsonschema_rs.Draft202012Validator(whole, validate_formats=True, retriever=_never)
            return loaded.is_valid(value)
        except (ValueError, jsonschema_rs.ReferencingError):
            return False


def _never(uri: str) -> Plain:
    raise ValueError(f"{uri} is never fetched")


def schema_at(api: Api, file: File, node: Node) -> Schema | None:
    """The schema *node* of *file*; none where a reference in it leads nowhere that can be read.

    Raises Unread where it leads to what was left out of the reading.
    """
    collecting = _Collecting(api)
    try:
        value = collecting.value(file, node)
        defs = dict(collecting.referred())
    except _Unknown:
        return None
    return Schema(value, defs)


@dataclass(slots=True)
class _Collecting:
    api: Api
    names: dict[tuple[str, Path], str] = field(default_factory=dict)
    waiting: list[tuple[str, File, Node]] = field(default_factory=list)

    @property
    def _old(self) -> bool:
        return self.api.version.startswith("3.0")

    def referred(self) -> Iterator[tuple[str, Plain]]:
        """What was referred to, by its number, and what that refers to."""
        while self.waiting:
            name, file, node = self.waiting.pop()
            yield name, self.value(file, node)

    def value(self, file: File, node: Node) -> Plain:
        node = resolve(node)
        if isinstance(node, Skipped):
            raise Unread
        if isinstance(node, Scalar):
            return plain_scalar(node)
        if isinstance(node, Sequence):
            return [self.value(file, item) for item in node.items]
        assert isinstance(node, Mapping)
        ref = node.get("$ref")
        target: dict[str, Plain] = {}
        if isinstance(ref, Scalar):
            target = {"$ref": f"#/$defs/{self._name(file, ref.value)}"}
            if self._old:
                # Reference Object of OpenAPI 3.0: what stands beside it is ignored.
                return target
        rest = {e.key.value: self.value(file, e.value) for e in node.entries if not target or e.key.value != "$ref"}
        return {**(_renewed(rest) if self._old else rest), **target}

    def _name(self, file: File, ref: str) -> str:
        """The number of what *ref* names, which waits to be collected, too."""
        name, _, fragment = ref.partition("#")
        if REMOTE.match(ref) or (fragment and not fragment.startswith("/")):
            raise _Unknown
        there = self.api.file(joined(file.name, name)) if name else file
        if there is None:
            raise _Unknown
        path = path_of(unquote(fragment))
        known = self.names.get((there.name, path))
        if known is None:
            if not there.reads(path):
                raise Unread
            node = there.at(path)
            if node is None:
                raise _Unknown
            known = self.names[there.name, path] = str(len(self.names))
            self.waiting.append((known, there, node))
        return known


def _renewed(schema: dict[str, Plain]) -> dict[str, Plain]:
    """A Schema Object of OpenAPI 3.0 in the words of 2020-12: https://spec.openapis.org/oas/v3.0.4.html#schema-object."""
    value = dict(schema)
    if isinstance(value.get("nullable"), bool) and value.pop("nullable") and isinstance(value.get("type"), str):
        value["type"] = [value["type"], "null"]
    for bound, name in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if value.get(name) is True and bound in value:
            value[name] = value.pop(bound)
        elif isinstance(value.get(name), bool):
            del value[name]
    return value
