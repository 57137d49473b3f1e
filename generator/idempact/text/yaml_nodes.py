"""YAML into located nodes, over libyaml's event stream.

The one module that imports PyYAML. Only events are used: its loaders build YAML 1.1 values, lose places, and recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

import yaml

from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.node import (
    MAX_DEPTH,
    MAX_EXPANDED,
    Alias,
    Entry,
    Keep,
    Mapping,
    Mark,
    Node,
    Scalar,
    Sequence,
    Skipped,
    Style,
    Tree,
    duplicate_key,
)
from idempact.text.span import Document, Span

try:
    _Loader = yaml.CSafeLoader
except AttributeError:  # PyYAML built without libyaml: slower, the same events
    _Loader = yaml.SafeLoader  # type: ignore[assignment,misc]

# What :func:`events` raises for a text that is not YAML.
Unreadable = yaml.YAMLError

_STYLES = {
    None: Style.PLAIN,
    "": Style.PLAIN,
    "'": Style.SINGLE,
    '"': Style.DOUBLE,
    "|": Style.LITERAL,
    ">": Style.FOLDED,
}


class _Open:
    """A collection that is being read. One is made for each of a file, so it isn't a dataclass with factories."""

    __slots__ = (
        "anchor",
        "anchors",
        "entries",
        "flow",
        "height",
        "items",
        "key",
        "keys",
        "last",
        "mapping",
        "path",
        "size",
        "skipped",
        "start",
    )

    def __init__(
        self, mapping: bool, start: int, flow: bool, anchor: str, path: tuple[str, ...], last: int, skipped: bool
    ) -> None:
        self.mapping, self.start, self.flow, self.anchor = mapping, start, flow, anchor
        self.path, self.last, self.skipped = path, last, skipped
        self.entries: list[Entry] = []
        self.items: list[Node] = []
        self.keys: dict[str, Scalar] = {}
        self.key: Scalar | None = None
        self.size = self.height = 1
        self.anchors: tuple[str, ...] = ()


class _Refused(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


def events(document: Document) -> Iterator[yaml.Event]:
    """libyaml's events for the document. Marks are character offsets, not counting a byte-order mark.

    Raises yaml.YAMLError where the text is not YAML.
    """
    loader = _Loader(document.text.removeprefix("\ufeff"))
    try:
        # Behind the last one comes none.
        yield from iter(loader.get_event, None)
    finally:
        loader.dispose()


def count(document: Document) -> int:
    """How many events the document has, by libyaml's own count (no event is built); -1 where it is not YAML."""
    loader = _Loader(document.text.removeprefix("\ufeff"))
    raw: Callable[[], int] | None = getattr(loader, "raw_parse", None)
    try:
        return raw() if raw is not None else sum(1 for _ in events(document))
    except yaml.YAMLError:
        return -1
    finally:
        loader.dispose()


def marks(document: Document) -> Iterator[Mark]:
    """The events of *document* in order; offsets count characters, a byte-order mark included.

    Raises yaml.YAMLError where the text is not YAML.
    """
    shift = 1 if document.text.startswith("\ufeff") else 0
    loader = _Loader(document.text.removeprefix("\ufeff"))
    get, kinds, new = loader.get_event, _KINDS, _new
    try:
        # In place of a loop over the events, which would take a fifth more.
        while (event := get()) is not None:
            kind, meaning = kinds[type(event)]
            # The parser marks every event.
            start, end = event.start_mark.index, event.end_mark.index  # type: ignore[union-attr]
            yield new(Mark, (kind, start + shift, end + shift, meaning(event)))
    finally:
        loader.dispose()


def _nothing(_: yaml.Event) -> tuple[object, ...]:
    return ()


# Nodes and marks are made by the thousand: this skips the function that names their fields.
_new = tuple.__new__
_KINDS: dict[type[yaml.Event], tuple[str, Callable[[yaml.Event], tuple[object, ...]]]] = {
    **{
        kind: (kind.__name__.removesuffix("Event"), _nothing)
        for kind in vars(yaml.events).values()
        if isinstance(kind, type)
    },
    yaml.ScalarEvent: ("Scalar", attrgetter("anchor", "tag", "implicit", "value", "style")),
    yaml.AliasEvent: ("Alias", attrgetter("anchor", "anchor")),
    yaml.MappingStartEvent: ("MappingStart", attrgetter("anchor", "tag", "implicit", "flow_style")),
    yaml.SequenceStartEvent: ("SequenceStart", attrgetter("anchor", "tag", "implicit", "flow_style")),
}


def compose_yaml(document: Document, keep: Keep | None, *, marked: bool = False) -> Checked[Tree]:
    """See :func:`idempact.text.nodes.compose`."""
    reader = _Reader(document, keep, marked)
    try:
        root = reader.read()
    except _Refused as refused:
        return Checked(None, (*reader.diagnostics, refused.diagnostic))
    except yaml.MarkedYAMLError as error:
        return Checked(None, (*reader.diagnostics, _syntax(document, error)))
    except yaml.YAMLError as error:
        message = f"this is not YAML: {error}".splitlines()[0]
        return Checked(None, (Diagnostic("text/yaml-syntax", Severity.ERROR, message, document.span(0)),))
    diagnostics = tuple(reader.diagnostics)
    tree = Tree(document, root, frozenset(reader.aliased), marks=tuple(reader.marks or ()))
    return Checked(None if any(d.severity is Severity.ERROR for d in diagnostics) else tree, diagnostics)


def _syntax(document: Document, error: yaml.MarkedYAMLError) -> Diagnostic:
    from idempact.text.yaml_faults import syntax

    shift = 1 if document.text.startswith("\ufeff") else 0
    mark, context = error.problem_mark or error.context_mark, error.context_mark
    at, context_at = (one.index + shift if one else None for one in (mark, context))
    return syntax(document, error.problem or "unreadable", at, error.context or "", context_at)


def _too_deep(where: Span, what: str = "nested") -> Diagnostic:
    from idempact.text.yaml_faults import too_deep

    return too_deep(where, what)


_BEGINNINGS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
# Styles of texts without blank lines behind them, and how many nodes are far fewer than any limit.
_FLAT = {sign: style for sign, style in _STYLES.items() if sign not in ("|", ">")}
_FEW = MAX_EXPANDED // 2


class _Reader:
    """One pass over the events, without recursion."""

    def __init__(self, document: Document, keep: Keep | None, marked: bool) -> None:
        self.document = document
        self.marks: list[Mark] | None = [] if marked else None
        self.keep = keep
        self.shift = 1 if document.text.startswith("\ufeff") else 0
        self.diagnostics: list[Diagnostic] = []
        self.anchors: dict[str, tuple[Node, int, int]] = {}
        self.aliased: set[str] = set()
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.documents = 0

    def read(self) -> Node | None:
        marks, shift, stack = self.marks, self.shift, self.stack
        for event in events(self.document):
            # The parser marks every event.
            start = event.start_mark.index + shift  # type: ignore[union-attr]
            end = event.end_mark.index + shift  # type: ignore[union-attr]
            if marks is not None:
                kind, meaning = _KINDS[type(event)]
                marks.append(_new(Mark, (kind, start, end, meaning(event))))
            if isinstance(event, yaml.ScalarEvent):
                if not (stack and self._usual(event, stack[-1], start, end)):
                    self._add(self._scalar(event, start, end), 1, 0)
            elif isinstance(event, _BEGINNINGS):
                self._open(event, start, end)
            elif isinstance(event, _ENDS):
                self._close(end)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event, start, end)
            elif isinstance(event, yaml.DocumentStartEvent):
                self._begin(start, end)
        return self.root

    def _begin(self, start: int, end: int) -> None:
        self.documents += 1
        if self.documents > 1:
            raise _Refused(
                Diagnostic(
                    "text/several-documents",
                    Severity.ERROR,
                    "a second YAML document begins here; one file holds one document",
                    self.document.span(start, end),
                    hint="remove the `---` or split the file",
                )
            )

    def _usual(self, event: yaml.ScalarEvent, top: _Open, start: int, end: int) -> bool:
        """Add a scalar of the usual kind to a mapping: a text on its own, without anchor or tag. False for others."""
        style = _FLAT.get(event.style)
        if style is None or event.anchor or event.tag or start == end or not top.mapping or top.size > _FEW:
            return False
        value = event.value
        node = _new(Scalar, (start, end, value, style, "", ""))
        key = top.key
        if key is None:
            if top.keys.setdefault(value, node) is not node:
                self.diagnostics.append(duplicate_key(self.document, node, top.keys[value]))
            top.key = node
        else:
            top.key = None
            if not top.skipped:
                top.entries.append(_new(Entry, (key, node)))
        if end > top.last:
            top.last = end
        top.size += 1
        return True

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> Scalar:
        style = _STYLES[event.style]
        if style is Style.LITERAL or style is Style.FOLDED:
            end = self._without_blank_end(start, end)
        tag = "" if event.implicit[0] else (event.tag or "").replace("tag:yaml.org,2002:", "!!")
        return _new(Scalar, (start, end, event.value, style, event.anchor or "", tag))

    def _without_blank_end(self, start: int, end: int) -> int:
        """A block scalar's mark lies behind the blank lines that follow it: step back to the end of its last text."""
        return max(start + 1, start + len(self.document.text[start:end].rstrip()))

    def _path(self) -> tuple[str, ...]:
        if not self.stack:
            return ()
        top = self.stack[-1]
        return (*top.path, top.key.value if top.mapping and top.key is not None else str(len(top.items)))

    def _open(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, start: int, end: int) -> None:
        top = self.stack[-1] if self.stack else None
        mapping = isinstance(event, yaml.MappingStartEvent)
        if len(self.stack) >= MAX_DEPTH:
            raise _Refused(_too_deep(self.document.span(start, start + 1)))
        if top is not None and top.mapping and top.key is None:
            raise _Refused(
                Diagnostic(
                    "text/complex-key",
                    Severity.ERROR,
                    "a key must be a plain text, not a list or mapping",
                    self.document.span(start, start + 1),
                    hint="a text that starts with { or [ needs quotes",
                )
            )
        path = () if top is None or top.skipped else self._path()
        skipped = top is not None and (top.skipped or (self.keep is not None and not self.keep(path)))
        flow = bool(event.flow_style)
        if (event.anchor or event.tag) and (flow or not mapping):
            start = self._behind_properties(start, end, flow=flow)
        self.stack.append(_Open(mapping, start, flow, event.anchor or "", path, end, skipped))
        if event.anchor and top is not None:
            top.anchors += (event.anchor,)

    def _behind_properties(self, start: int, end: int, *, flow: bool) -> int:
        """Where a collection itself begins that has an anchor or a tag: its bracket or first dash."""
        if flow:
            return end - 1
        # The mark ends in front of what is indented, and behind the first dash of what is not.
        return end - 1 if end > start and self.document.text.startswith("-", end - 1) else end

    def _close(self, end: int) -> None:
        done = self.stack.pop()
        end = end if done.flow else done.last
        node: Node
        if done.skipped:
            node = Skipped(done.start, end, "mapping" if done.mapping else "sequence", done.anchor, done.anchors)
        elif done.mapping:
            node = Mapping(done.start, end, tuple(done.entries), done.flow, done.anchor)
        else:
            node = Sequence(done.start, end, tuple(done.items), done.flow, done.anchor)
        if self.stack:
            self.stack[-1].anchors += done.anchors
        self._add(node, done.size, done.height)

    def _alias(self, event: yaml.AliasEvent, start: int, end: int) -> None:
        anchor = event.anchor or ""
        known = self.anchors.get(anchor)
        if known is None:
            inside = any(o.anchor == anchor for o in self.stack)
            raise _Refused(
                Diagnostic(
                    "text/yaml-syntax",
                    Severity.ERROR,
                    f"the alias *{anchor} stands inside its own anchor"
                    if inside
                    else f"the alias *{anchor} has no anchor before it",
                    self.document.span(start, end),
                    hint=f"define &{anchor} before its first use",
                )
            )
        self.aliased.add(anchor)
        self._add(Alias(start, end, anchor, known[0]), known[1], known[2])

    def _add(self, node: Node, size: int, height: int) -> None:
        if node.anchor:
            self.anchors[node.anchor] = (node, size, height)
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if isinstance(node, Scalar) and node.anchor:
            top.anchors += (node.anchor,)
        # An empty value has no text of its own: its mark may lie on a later line.
        if node.end > top.last and not (node.start == node.end and isinstance(node, Scalar)):
            top.last = node.end
        top.size += size
        if height >= top.height:
            top.height = height + 1
        if isinstance(node, Alias) and len(self.stack) + height > MAX_DEPTH:
            raise _Refused(_too_deep(self.document.span(node.start, node.end), "the alias makes the file nested"))
        if top.size > MAX_EXPANDED:
            raise _Refused(
                Diagnostic(
                    "text/alias-bomb",
                    Severity.ERROR,
                    f"the aliases expand to more than {MAX_EXPANDED:,} nodes",
                    self.document.span(node.start, node.end),
                    hint="write the value out instead of nesting aliases",
                )
            )
        if not top.mapping:
            if not top.skipped:
                top.items.append(node)
            return
        if top.key is None:
            if isinstance(node, Alias) and isinstance(node.target, Scalar):
                node = Scalar(node.start, node.end, node.target.value, node.target.style)
            if not isinstance(node, Scalar):
                raise _Refused(
                    Diagnostic(
                        "text/complex-key",
                        Severity.ERROR,
                        "a key must be a plain text",
                        self.document.span(node.start, node.end),
                    )
                )
            top.key = node
            if node.end > top.last:
                top.last = node.end
            first = top.keys.setdefault(node.value, node)
            if first is not node:
                self.diagnostics.append(duplicate_key(self.document, node, first))
            return
        key, top.key = top.key, None
        if isinstance(node, Scalar) and node.start == node.end:
            # `key:` with nothing behind it: the value's place is just behind the colon; in brackets there may be none.
            after = self.document.text.find(":", key.end)
            place = key.end if after < 0 or (top.flow and self.document.text[key.end : after].strip()) else after + 1
            node = Scalar(place, place, node.value, node.style, node.anchor, node.tag)
            top.last = max(top.last, place)
        if not top.skipped:
            top.entries.append(_new(Entry, (key, node)))
