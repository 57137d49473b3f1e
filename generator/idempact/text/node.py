"""The nodes of a YAML or JSON file: what stands there, as written, and where.

Scalars are kept as written; nothing is turned into a date, an octal or a boolean until a reader asks for it
(YAML 1.1 loaders turn ``on`` into True, ``1:30`` into 90 and ``3.10`` into 3.1).

Nodes are tuples, which are made in a third of the time that a frozen dataclass takes: a large file has many. Each is
equal to itself alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from idempact.resources.typed import NamedTuple, TypeAlias
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.pattern import regex
from idempact.text.span import Document

MAX_DEPTH = 200
MAX_EXPANDED = 2_000_000

_INTEGER = regex(r"[-+]?[0-9]+\Z")
_OCTAL = regex(r"0o[0-7]+\Z")
_HEXADECIMAL = regex(r"0x[0-9a-fA-F]+\Z")
_FLOAT = regex(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_SPECIAL_FLOATS = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}


class Style(StrEnum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "single-quoted"
    DOUBLE = "double-quoted"
    LITERAL = "literal"
    FOLDED = "folded"


class Scalar(NamedTuple):
    """One scalar as written; ``start`` and ``end`` are offsets in the document."""

    start: int
    end: int
    value: str
    style: Style = Style.PLAIN
    anchor: str = ""
    tag: str = ""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def last(self) -> int:
        """The end of the last leaf, as in the collections."""
        return self.end


class Entry(NamedTuple):
    """One key of a mapping with its value."""

    key: Scalar
    value: Node

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Mapping(NamedTuple):
    """A mapping. ``end`` is the end of its last leaf (block style) or just behind its bracket (flow style)."""

    start: int
    end: int
    entries: tuple[Entry, ...]
    flow: bool = False
    anchor: str = ""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def last(self) -> int:
        """The end of the last leaf."""
        return self.end

    def get(self, key: str) -> Node | None:
        """The value under *key*, if any; the first one where the key stands twice."""
        # A loop of its own: files are searched for keys more often than for anything else, and this takes a third.
        for entry in self.entries:
            if entry.key.value == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """The entry under *key*, if any."""
        for entry in self.entries:
            if entry.key.value == key:
                return entry
        return None


class Sequence(NamedTuple):
    """A sequence; offsets as in :class:`Mapping`. In block style ``start`` is the first dash."""

    start: int
    end: int
    items: tuple[Node, ...]
    flow: bool = False
    anchor: str = ""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def last(self) -> int:
        """The end of the last leaf."""
        return self.end


class Alias(NamedTuple):
    """A use of an anchor; ``target`` is the anchored node."""

    start: int
    end: int
    name: str
    target: Node

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def last(self) -> int:
        """The end of the alias itself."""
        return self.end

    @property
    def anchor(self) -> str:
        """An alias carries no anchor of its own."""
        return ""


class Skipped(NamedTuple):
    """A subtree that the caller didn't want: only where it lies, and what kind it is."""

    start: int
    end: int
    kind: str
    anchor: str = ""
    anchors: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def last(self) -> int:
        """The end of the last leaf."""
        return self.end


Node: TypeAlias = Scalar | Mapping | Sequence | Alias | Skipped
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
Keep: TypeAlias = Callable[[tuple[str, ...]], bool]
Less: TypeAlias = "Callable[[tuple[str, ...]], Callable[[str, int, int], bool] | None]"
"""For a list at a path: what tells of a text, from where to where an object stands in it, that it isn't wanted."""


class Mark(NamedTuple):
    """One event of a YAML text: its kind, where it lies, and for a scalar, alias or collection all that gives it
    meaning.
    """

    kind: str
    start: int
    end: int
    meaning: tuple[object, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether a collection begins here."""
        return self.kind in ("MappingStart", "SequenceStart")

    @property
    def closes(self) -> bool:
        """Whether a collection ends here."""
        return self.kind in ("MappingEnd", "SequenceEnd")

    @property
    def opens_block(self) -> bool:
        """Whether a block collection begins here: its place is that of its first key or dash, whichever that is."""
        return self.opens and not self.meaning[-1]

    @property
    def empty(self) -> bool:
        """Whether this is a value with no text of its own, whose place may be that of another token."""
        return self.kind == "Scalar" and self.start == self.end


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A document together with its root node (none for an empty file) and the anchors that aliases use.

    ``json`` says that it was read as JSON, where every text stands in quotes and words can't be told from texts.
    ``marks`` are the events of a YAML text, where they were asked for.
    """

    document: Document
    root: Node | None
    aliased: frozenset[str] = frozenset()
    json: bool = False
    marks: tuple[Mark, ...] = ()


def resolve(node: Node) -> Node:
    """The node that an alias stands for; any other node itself."""
    while isinstance(node, Alias):
        node = node.target
    return node


def walk(node: Node | None) -> Iterator[Node]:
    """Every node below and including *node*, in order of place; aliases are not followed."""
    stack = [node] if node is not None else []
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, Mapping):
            for entry in reversed(current.entries):
                stack += (entry.value, entry.key)
        elif isinstance(current, Sequence):
            stack += reversed(current.items)


def plain_scalar(node: Scalar) -> bool | int | float | str | None:
    """A scalar's value by the YAML 1.2 core schema, which is JSON's for JSON (YAML 1.2.2, section 10.3)."""
    text = node.value
    if node.style is not Style.PLAIN or node.tag == "!!str":
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text[0] in "tT"
    if text.lower() in _SPECIAL_FLOATS:
        return _SPECIAL_FLOATS[text.lower()]
    if len(text) <= 4000 and text[0] in "+-.0123456789":
        if _INTEGER.match(text):
            return int(text)
        if _OCTAL.match(text):
            return int(text, 8)
        if _HEXADECIMAL.match(text):
            return int(text, 16)
        if _FLOAT.match(text):
            return float(text)
    return text


def plain(node: Node | None) -> Plain:
    """The node as plain data, aliases expanded, ``<<`` kept as a key. Raises ValueError below a skipped subtree."""
    if node is None:
        return None
    node = resolve(node)
    if isinstance(node, Mapping):
        return {entry.key.value: plain(entry.value) for entry in node.entries}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, Scalar):
        return plain_scalar(node)
    raise ValueError("this subtree was skipped when the file was read")


def duplicate_key(document: Document, second: Scalar, first: Scalar) -> Diagnostic:
    """The finding for a key that stands twice in one mapping."""
    return Diagnostic(
        "text/duplicate-key",
        Severity.ERROR,
        f"the key {second.value!r} stands twice in this mapping; readers disagree on which one counts",
        document.span(second.start, second.end),
        subject=second.value,
        hint="keep one of the two",
        related=(Related("the first one", document.span(first.start, first.end)),),
    )
