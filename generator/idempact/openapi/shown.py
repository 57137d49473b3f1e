"""The values that a file shows of a body: examples of the media type, examples and defaults of its schemas."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.followed import followed
from idempact.openapi.locate import Api, File
from idempact.openapi.takes import Unread
from idempact.openapi.way import Way
from idempact.text.nodes import Mapping, Node, Sequence, Skipped, resolve


def lacking(api: Api, file: File, media: Mapping, way: Way) -> tuple[tuple[File, Node], ...]:
    """The values shown in *media* of *file*, or in the schemas on the *way*, that would be invalid if what the way
    lacks were required: each with its file. Raises Unread where one was left out when its file was read.
    """
    steps = (*way.known, *way.rest)
    first = len(way.known)
    shown = [(there, node, 0) for there, node in _of_media(api, file, media)]
    for depth, (there, schema) in enumerate(way.levels):
        shown += [(there, node, depth) for node in _of_schema(schema)]
    return tuple((there, node) for there, node, depth in shown if _lacks(node, steps[depth:], first - depth))


def _of_media(api: Api, file: File, media: Mapping) -> Iterator[tuple[File, Node]]:
    """Media Type Object: https://spec.openapis.org/oas/v3.1.1.html#media-type-object."""
    one, several = media.get("example"), media.get("examples")
    several = resolve(several) if several is not None else None
    if one is not None:
        yield file, one
    for entry in several.entries if isinstance(several, Mapping) else ():
        target = followed(api, file, entry.value)
        # `dataValue` is OpenAPI 3.2's: https://spec.openapis.org/oas/v3.2.0.html#example-object.
        for name in ("value", "dataValue") if target is not None else ():
            value = target.node.get(name) if target is not None and isinstance(target.node, Mapping) else None
            if target is not None and value is not None:
                yield target.file, value


def _of_schema(schema: Mapping) -> Iterator[Node]:
    for name in ("example", "default"):
        value = schema.get(name)
        if value is not None:
            yield value
    several = schema.get("examples")
    several = resolve(several) if several is not None else None
    if isinstance(several, Sequence):
        yield from several.items


def _lacks(node: Node, steps: tuple[str, ...], first: int) -> bool:
    """Whether the value lacks one of the *steps* from the one numbered *first* on; what comes before may be absent."""
    for at, step in enumerate(steps):
        node = resolve(node)
        if isinstance(node, Skipped):
            raise Unread
        following = node.get(step) if isinstance(node, Mapping) else None
        if following is None:
            return isinstance(node, Mapping) and at >= first
        node = following
    return False
