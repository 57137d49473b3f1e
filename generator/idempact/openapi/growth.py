"""What a response that is there lacks of an answer's codes and examples, as far as its body has room for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from idempact.openapi.plan import Answer
from idempact.openapi.pointers import Path
from idempact.openapi.takes import Schema
from idempact.openapi.wants import APPEND
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, plain, resolve


@dataclass(frozen=True, slots=True)
class Growth:
    """What is added, by path below the response. Where not ``complete``, some code can't be told in its body, for the
    ``reason``.
    """

    additions: tuple[tuple[Path, Plain], ...]
    complete: bool
    reason: str = ""


Schemas = Callable[[Node], Schema | None]


def growth(response: Mapping, answer: Answer, schemas: Schemas) -> Growth:
    """What *response* lacks to tell the codes of *answer*; *schemas* reads a schema of its file with all that it
    refers to, or gives none where that can't be done.

    A body of the answer's media type is compatible: its enum of codes gets those that it lacks, and it gets an example
    for each, unless its schema refuses that. A response without any body gets the answer's, but not its list of codes:
    other errors of that status may have others. Nothing is added to a body of another form.
    """
    wanted = answer.component.value.get("content")
    content = response.get("content")
    if not isinstance(wanted, dict) or not wanted:
        return Growth((), False, "the contract says nothing about the form of the body")
    if content is None:
        return Growth(tuple((("content", name), _open(media)) for name, media in wanted.items()), True)
    added: list[tuple[Path, Plain]] = []
    told: set[str] = set()
    refused = False
    for name, media in wanted.items():
        there = content.get(name) if isinstance(content, Mapping) else None
        if isinstance(there, Mapping) and there.get("$ref") is None and isinstance(media, dict):
            codes = tuple(_codes(there, media, answer))
            examples = tuple(_examples(there, media, answer))
            taken = tuple(_taken(there, codes, examples, schemas))
            refused = refused or len(taken) < len(examples)
            for path, value, code in (*codes, *taken):
                told.update(code)
                if value is not None:
                    added.append((("content", name, *path), value))
    if not told:
        return Growth((), False, _REFUSED if refused else _why(content, tuple(wanted)))
    complete = told >= set(answer.codes)
    reason = _REFUSED if refused else "its schema or its one example leaves no room for some"
    return Growth(tuple(added), complete, "" if complete else reason)


_REFUSED = "its schema refuses the contract's body: a member that it requires is missing, or a value is another one"


def _why(content: Node, wanted: tuple[str, ...]) -> str:
    """Why none of the codes can be told in a body of that content."""
    content = resolve(content)
    if not isinstance(content, Mapping) or content.get("$ref") is not None:
        return "its body is defined elsewhere"
    names = tuple(entry.key.value for entry in content.entries)
    if not set(names) & set(wanted):
        return f"its body is {' or '.join(names) or 'empty'}, and by the contract it is {' or '.join(wanted)}"
    return "its body has no list of codes of its own where the contract has them, and no list of examples for them"


def _open(value: Plain) -> Plain:
    """The media type with a schema that neither lists the codes nor requires them."""
    if not isinstance(value, dict) or "schema" not in value:
        return value
    return {name: _opened(item) if name == "schema" else item for name, item in value.items()}


def _opened(schema: Plain) -> Plain:
    if not isinstance(schema, dict):
        return schema
    left = {name: item for name, item in schema.items() if name not in ("enum", "required")}
    members = left.get("properties")
    if isinstance(members, dict):
        left["properties"] = {name: _opened(member) for name, member in members.items()}
    if "items" in left:
        left["items"] = _opened(left["items"])
    return left


_Found = tuple[Path, Plain, tuple[str, ...]]


def _codes(there: Mapping, media: dict[str, Plain], answer: Answer) -> Iterator[_Found]:
    """The codes that the schema's own list of codes lacks; a schema that others may use is left alone."""
    for path in _enums(media.get("schema"), ("schema",)):
        listed = _at(there, path)
        if isinstance(listed, Sequence):
            known = {item.value for item in listed.items if isinstance(item, Scalar)}
            for code in answer.codes:
                yield (*path, APPEND), None if code in known else code, (code,)


def _enums(schema: Plain, path: Path) -> Iterator[Path]:
    """Where the wanted schema has its lists of codes."""
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("enum"), list):
        yield (*path, "enum")
    members = schema.get("properties")
    for name, member in members.items() if isinstance(members, dict) else ():
        yield from _enums(member, (*path, "properties", name))
    yield from _enums(schema.get("items"), (*path, "items"))


def _at(node: Node | None, path: Path) -> Node | None:
    for key in path:
        node = resolve(node) if node is not None else None
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _examples(there: Mapping, media: dict[str, Plain], answer: Answer) -> Iterator[_Found]:
    """The examples of the codes, where there is a list of examples or none: `example` and `examples` exclude each other
    (https://spec.openapis.org/oas/v3.1.1.html#media-type-object).
    """
    wanted = media.get("examples")
    present = there.get("examples")
    if not isinstance(wanted, dict) or there.get("example") is not None:
        return
    if present is not None and (not isinstance(present, Mapping) or present.get("$ref") is not None):
        return
    for name, example in wanted.items():
        codes = tuple(code for code in answer.codes if _holds(example, code))
        taken = present.get(name) if isinstance(present, Mapping) else None
        if taken is None:
            yield ("examples", name), example, codes
        elif _shows(taken, codes):
            yield ("examples", name), None, codes


def _taken(
    there: Mapping, codes: tuple[_Found, ...], examples: tuple[_Found, ...], schemas: Schemas
) -> Iterator[_Found]:
    """The examples that the schema takes once it lists the codes; all where there is no schema."""
    node = there.get("schema")
    found = schemas(node) if node is not None and examples else None
    for path, value, _ in codes:
        if found is not None and value is not None:
            _list(found.value, path[1:-1], value)
    for path, value, code in examples:
        shown = value.get("value") if isinstance(value, dict) else None
        if value is None or node is None or (found is not None and found.takes(shown)):
            yield path, value, code


def _shows(example: Node, codes: tuple[str, ...]) -> bool:
    """Whether an example that is there shows all of the codes."""
    try:
        value = plain(example)
    except ValueError:
        return False
    return all(_holds(value, code) for code in codes)


def _list(schema: Plain, path: Path, code: Plain) -> None:
    """Put the code into the list at *path* of the schema."""
    for key in path:
        schema = schema.get(key) if isinstance(schema, dict) else None
    if isinstance(schema, list):
        schema.append(code)


def _holds(value: Plain, code: str) -> bool:
    if isinstance(value, dict):
        return any(_holds(item, code) for item in value.values())
    if isinstance(value, list):
        return any(_holds(item, code) for item in value)
    return value == code
