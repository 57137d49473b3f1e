"""From "this value at that path" to additions to containers that exist, or to a refusal with its place."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.openapi.locate import File
from idempact.openapi.pointers import Path, child, is_null, pointer
from idempact.openapi.takes import Unread
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Alias, Mapping, Node, Plain, Scalar, Sequence, Skipped, resolve

APPEND = "-"
# No key of any file: stands for what is there already.
_WITHIN = "\0"
# No key of any file, either: stands for one that isn't there.
_ANY = "\1"


@dataclass(frozen=True, slots=True)
class Want:
    """*value* at *path*; a last key ``-`` appends to a sequence (RFC 6901, section 4).

    A key that is added along the way goes in front of the first of the siblings *before* that is there.
    """

    path: Path
    value: Plain
    before: tuple[str, ...] = ()


@dataclass(slots=True)
class Addition:
    """Entries for one container: (key, value), the key none in a sequence; ``at`` counts the children before."""

    container: Path
    node: Mapping | Sequence
    at: int
    members: list[tuple[str | None, Plain]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Another value for a scalar that is there."""

    node: Scalar
    value: Plain


@dataclass(slots=True)
class Gathered:
    """Additions by container, the pointers of the wanted values, the containers that had to be made for them, and the
    scalars that get another value, by pointer.
    """

    additions: dict[tuple[Path, int], Addition] = field(default_factory=dict)
    owned: dict[str, Plain] = field(default_factory=dict)
    created: dict[str, None] = field(default_factory=dict)
    replacements: dict[str, Replacement] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.owned or self.replacements)


class Gathering:
    """Collects wants against one file; each is taken or refused as a whole."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.tree = file.tree
        self.root = file.root
        self.result = Gathered()
        # What is there and may be edited, by its path: places near each other share most of their way.
        self._clear: dict[Path, Node] = {(): file.root}
        self._simples: dict[Mapping, bool] = {}
        self._containers: dict[tuple[Path, int], tuple[Plain, Plain, Path]] = {}

    def at(self, path: Path) -> Plain:
        """The value that is put at *path*, if one is."""
        at = pointer(path)
        there = self.result.replacements.get(at)
        return there.value if there is not None else self.result.owned.get(at)

    def replace(self, path: Path, value: Plain, subject: str) -> Diagnostic | None:
        """Give the scalar at *path* another value; the finding where that would show elsewhere, too."""
        refusal = self.refusal((*path[:-1], _WITHIN), subject)
        node = self.file.at(path)
        if refusal is not None:
            return refusal
        if not isinstance(node, Scalar) or node.anchor or node.start == node.end:
            return self._finding(node or self.root, subject, "this value can't be replaced where it stands", _OUT)
        self.result.replacements[pointer(path)] = Replacement(node, value)
        return None

    def refusal(self, path: Path, subject: str) -> Diagnostic | None:
        """Why nothing can be put at *path*, if so: the edit would go through an anchor, a merge or a null."""
        found = self.place(path, subject)
        return found if isinstance(found, Diagnostic) else None

    def place(self, path: Path, subject: str) -> tuple[Node, int] | Diagnostic:
        """The innermost node on the way to *path* that is there and its depth, or why nothing can be put there."""
        node, depth = self._nearest(path)
        for at in range(depth, len(path)):
            key = path[at]
            following = None if key == APPEND else child(node, key)
            refusal = self._refusal(node, key, following, subject)
            if refusal is not None:
                return refusal
            if following is None:
                return node, at
            node = self._clear[path[: at + 1]] = following
        return node, len(path)

    def _nearest(self, path: Path) -> tuple[Node, int]:
        """The node nearest to *path* that is known to be there with nothing to be said against edits on its way, and
        its depth.
        """
        depth = len(path) - 1 if path else 0
        while (node := self._clear.get(path[:depth])) is None:
            depth -= 1
        return node, depth

    def take(self, want: Want, subject: str = "", place: tuple[Node, int] | None = None) -> Diagnostic | None:
        """Take *want* up, at the *place* that :meth:`place` gave for it; or say why not. Nothing may stand at its path;
        ValueError otherwise.
        """
        found = place or self.place(want.path, subject)
        if isinstance(found, Diagnostic):
            return found
        node, depth = found
        if depth == len(want.path):
            raise ValueError(f"{pointer(want.path)} is there already")
        self._add(node, want, depth)
        return None

    def lacking(self, path: Path, subject: str) -> Mapping | None:
        """The mapping at *path*, where any key that it lacks may be added; none where each has to be asked about."""
        found = self.place((*path, _ANY), subject)
        if isinstance(found, Diagnostic) or found[1] < len(path):
            return None
        node = found[0]
        if not isinstance(node, Mapping) or not self._simple(node):
            return None
        known = self.result.additions.get((path, len(node.entries)))
        return node if known is None or not known.members else None

    def take_members(self, path: Path, node: Mapping, members: list[tuple[str, Plain]]) -> None:
        """Take up values under keys that the mapping *node* at *path* lacks, see :meth:`lacking`."""
        base = pointer(path)
        self._addition(path, node, len(node.entries)).members += members
        self.result.owned.update([(base + pointer((key,)), value) for key, value in members])

    def _simple(self, node: Mapping) -> bool:
        """Whether a mapping says all itself: it neither merges another one nor is a reference."""
        known = self._simples.get(node)
        if known is None:
            names = [entry.key.value for entry in node.entries]
            known = self._simples[node] = "<<" not in names and "$ref" not in names
        return known

    def _refusal(self, node: Node, key: str, there: Node | None, subject: str) -> Diagnostic | None:
        """Why nothing can be put into *node* under *key*, where it holds *there* now."""
        if isinstance(node, Alias):
            return self._finding(
                node, subject, f"this is the alias *{node.name}: an edit would show wherever it is used", _OUT
            )
        if node.anchor and node.anchor in self.tree.aliased:
            return self._finding(
                node, subject, f"the anchor &{node.anchor} is used elsewhere, so an edit would show there too", _OUT
            )
        if there is not None or (isinstance(node, Mapping) and key != APPEND and self._simple(node)):
            return None
        if isinstance(node, Mapping) and key != APPEND and self._merged(node, key):
            merge = node.entry("<<")
            return self._finding(
                merge.key if merge else node,
                subject,
                f"`<<` supplies {key!r}, which an addition would override",
                _OUT,
            )
        if isinstance(node, Mapping) and node.get("$ref") is not None and key != _WITHIN:
            return self._finding(node, subject, "this is a reference, and nothing beside it is read", _OUT)
        if isinstance(node, Mapping if key != APPEND else Sequence):
            return None
        what = "empty" if is_null(node) else "no list" if key == APPEND else "no mapping"
        return self._finding(node, subject, f"this value is {what}, so nothing can be added to it", _FILL)

    def _merged(self, node: Mapping, key: str) -> bool:
        """Whether the key comes from a merged mapping. Raises Unread where one was left out when its file was read."""
        merge = node.get("<<")
        if merge is None:
            return False
        value = resolve(merge)
        sources = value.items if isinstance(value, Sequence) else (value,)
        for source in map(resolve, sources):
            if isinstance(source, Skipped):
                raise Unread
            if isinstance(source, Mapping) and (source.get(key) or self._merged(source, key)):
                return True
        return False

    def _finding(self, node: Node, subject: str, message: str, hint: str) -> Diagnostic:
        span = self.tree.document.span(node.start, min(node.end, node.start + 60))
        # Responses of ours refer to a header component, and would lead nowhere without it.
        severity = Severity.ERROR if subject.startswith("#/components/headers/") else Severity.WARNING
        return Diagnostic("openapi/indirect-container", severity, message, span, subject=subject, hint=hint)

    def _add(self, node: Node, want: Want, depth: int) -> None:
        path = want.path
        container, first, last = path[:depth], path[depth], depth == len(path) - 1
        assert isinstance(node, Mapping | Sequence)
        addition = self._addition(container, node, _size(node) if last else _place(node, want.before))
        key = None if first == APPEND else first
        rest = path[depth + 1 :]
        own = None
        if key is not None and addition.members:
            own = next((i for i, (name, _) in enumerate(addition.members) if name == key), None)
        if own is not None:
            value, below = _nest(addition.members[own][1], rest, want.value)
            addition.members[own] = (key, value)
        else:
            value, below = self._nested(rest, want.value)
            addition.members.append((key, value))
        if key is None:
            first = str(_size(node) + len(addition.members) - 1)
        if last:
            self.result.owned[pointer(container) + pointer((first,))] = want.value
            return
        full = (*container, first, *below)
        self.result.owned[pointer(full)] = want.value
        for end in range(depth + 1, len(full)):
            self.result.created[pointer(full[:end])] = None

    def _nested(self, rest: Path, value: Plain) -> tuple[Plain, Path]:
        """*value* at *rest* below containers of its own: the same ones for the same value, so that they are written and
        proven once for all operations.
        """
        known = self._containers.get((rest, id(value)))
        if known is None:
            # Kept with the value, so that no other one takes over its identity.
            known = self._containers[rest, id(value)] = (value, *_nest(None, rest, value))
        return known[1:]

    def _addition(self, container: Path, node: Mapping | Sequence, at: int) -> Addition:
        addition = self.result.additions.get((container, at))
        if addition is None:
            addition = self.result.additions[container, at] = Addition(container, node, at)
        return addition


_OUT = "write the value out at this place, then run again"
_FILL = "remove the key or give it a value, then run again"


def _size(node: Mapping | Sequence) -> int:
    return len(node.entries if isinstance(node, Mapping) else node.items)


def _place(node: Mapping | Sequence, before: Iterable[str]) -> int:
    """How many children stay in front: up to the first sibling named, never none (a first key may share its line)."""
    if isinstance(node, Mapping):
        names = [entry.key.value for entry in node.entries]
        places = [names.index(name) for name in before if name in names]
        if places and min(places) > 0:
            return min(places)
    return _size(node)


def _nest(existing: Plain, rest: Path, value: Plain) -> tuple[Plain, Path]:
    """*value* put below *existing* at *rest*, containers made on the way; and *rest* with indexes for appends."""
    if not rest:
        return value, ()
    if rest[0] == APPEND:
        items = list(existing) if isinstance(existing, list) else []
        nested, path = _nest(None, rest[1:], value)
        items.append(nested)
        return items, (str(len(items) - 1), *path)
    members = dict(existing) if isinstance(existing, dict) else {}
    nested, path = _nest(members.get(rest[0]), rest[1:], value)
    members[rest[0]] = nested
    return members, (rest[0], *path)
