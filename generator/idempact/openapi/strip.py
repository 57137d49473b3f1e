"""Take what the tool owns out of a file again: the inverse of an injection, and the first step of the next one."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from idempact.openapi import proof, record
from idempact.openapi.edits import Edit, apply, undo
from idempact.openapi.locate import Api, File
from idempact.openapi.pointers import Path, find, path_of, pointer
from idempact.openapi.splice import NoPlace, Surface, joined, removed
from idempact.openapi.style import line_end, line_start, notation_of
from idempact.openapi.whereabouts import digested, followed, led_back
from idempact.text.dataclass import dataclass, field, replace
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, compose, plain
from idempact.text.span import Document
from idempact.text.yaml_nodes import marks


@dataclass(frozen=True, slots=True)
class Stripped:
    """A text without what the tool owns. ``kept`` gives the digests of owned nodes that were edited and so left,
    ``created`` the containers of ours that are left with them, ``replaced`` the replaced scalars that were edited and
    so left, ``gone`` the pointers that were taken out, ``lost`` what was in parameters that are not to be found, by
    their pointers. ``complete`` is false where something of ours was not to be found as it was.
    """

    text: str
    kept: dict[str, str] = field(default_factory=dict)
    created: tuple[str, ...] = ()
    replaced: dict[str, record.Replaced] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    complete: bool = True
    back: tuple[Edit, ...] = ()
    lost: tuple[tuple[str, str], ...] = ()


def strip(
    api: Api,
    file: File,
    owned: record.Record,
    share: record.Share,
    *,
    force: bool,
    spare: frozenset[str] = frozenset(),
) -> Checked[Stripped]:
    """The text of *file* of *api* without what the *share* of *owned* says is ours in it.

    A node that somebody edited stays and is reported, unless *force*; one in *spare* stays, too. A record that somebody
    edited is an error, unless *force*.
    """
    if not owned.intact and not force:
        return Checked(None, (_edited_record(file, owned),))
    gone: set[Path] = set() if file.name else {(owned.entry.key.value,)}
    moved = tuple(_moved_paths(file, share)) if not force else ()
    if moved:
        return Checked(None, moved)
    now = followed(file.root, share)
    made = _Stripping(api, file, owned, now.share, gone, force, spare, now.unsure).run()
    if made.value is None or not now.lost:
        return made
    return Checked(replace(made.value, complete=False, lost=now.lost), made.diagnostics)


def _moved_paths(file: File, share: record.Share) -> Iterator[Diagnostic]:
    """A finding for each path that is a reference now, and held something of ours before."""
    ours = {path_of(at)[:2]: path_of(at) for at in (*share.replaced, *share.inserted) if at.startswith("/paths/")}
    for path, whole in ours.items():
        item = find(file.root, path)
        ref = item.get("$ref") if isinstance(item, Mapping) else None
        if ref is not None and len(whole) > 2 and find(file.root, whole[:3]) is None:
            yield Diagnostic(
                "openapi/moved-path",
                Severity.ERROR,
                f"the path {path[1]} is a reference now, and what idempact had put into it went elsewhere with it",
                file.document.span(ref.start, ref.end),
                subject=pointer(path),
                hint="undo the move, run `idempact eject`, move it, and run again; or give that up with --force",
            )


def _edited_record(file: File, owned: record.Record) -> Diagnostic:
    key = owned.entry.key
    return Diagnostic(
        "openapi/edited-record",
        Severity.ERROR,
        "this record of what idempact inserted was edited, so it no longer tells which parts of the file are ours",
        file.document.span(key.start, key.end),
        subject=key.value,
        hint="undo the edit, or run with --force to trust the record as it stands",
    )


class _Stripping:
    def __init__(
        self,
        api: Api,
        file: File,
        owned: record.Record,
        share: record.Share,
        gone: set[Path],
        force: bool,
        spare: frozenset[str],
        unsure: frozenset[str],
    ) -> None:
        self.api, self.file, self.owned, self.share, self.unsure = api, file, owned, share, unsure
        self.force, self.spare = force, spare
        self.root, self.document = file.root, file.document
        self.marks = file.marks
        self.scalars = [mark for mark in self.marks if mark.kind in ("Scalar", "Alias") and not mark.empty]
        self.starts = [mark.start for mark in self.scalars]
        self.surface = Surface(file.tree, notation_of(file.tree, file.json), {})
        self.diagnostics: list[Diagnostic] = []
        self.gone = gone
        self.kept: dict[Path, str] = {}
        self.restored: dict[str, Plain] = {}
        self.left: dict[str, record.Replaced] = {}
        self.complete = True
        self.by_value = False

    def run(self) -> Checked[Stripped]:
        for at, digest in self.share.inserted.items():
            self._claim(path_of(at), digest)
        created = self._close_containers()
        ranges, fills = self._ranges()
        text = self.document.text
        gone = tuple(pointer(path) for path in self.gone if find(self.root, path) is not None)
        restored = self._restorations(ranges)
        cuts = [Edit(start, end, "") for start, end in ranges]
        try:
            edits = self._proven([*cuts, *(one for one, _ in restored)], gone, fills)
        except proof.NotProven as failed:
            try:
                # Another tool wrote the file anew, and what stood there reads differently in its notation.
                anew = [replace(one, text=self.surface.notation.inline(value)) for one, value in restored]
                edits = self._proven([*cuts, *anew], gone, fills)
            except proof.NotProven:
                return Checked(None, (*self.diagnostics, not_proven(self.document, failed)))
        kept = {self._settled(path): digest for path, digest in self.kept.items()}
        created = tuple(self._settled(path_of(at)) for at in created)
        replaced = {self._settled(path_of(at)): one for at, one in self.left.items()}
        found = len(self.kept) + len(self.gone & {path_of(at) for at in self.share.inserted})
        complete = self.complete and found == len(self.share.inserted)
        left, back = apply(text, [*edits, *fills])[0], undo(text, [*edits, *fills])
        result = Stripped(left, kept, created, replaced, gone, complete, back)
        return Checked(result, tuple(self.diagnostics))

    def _restorations(self, ranges: tuple[tuple[int, int], ...]) -> list[tuple[Edit, Plain]]:
        """What stood in place of the scalars that were replaced, where these are still what we made of them: as it was
        written, and what it says.
        """
        edits: list[tuple[Edit, Plain]] = []
        for at, one in self.share.replaced.items():
            path = path_of(at)
            node = find(self.root, path)
            if not isinstance(node, Scalar) or any(start <= node.start < end for start, end in ranges):
                self.complete = False
            elif record.digest(plain(node)) != one.now and plain(node) == self._value_of(one.was):
                # Somebody put it back already.
                self.complete = False
            elif (same := record.digest(plain(node)) == one.now) or (self.force and at not in self.unsure):
                self.complete = self.complete and same
                was = self._was(path, one)
                if was is None:
                    self.left[at] = one
                    self.diagnostics.append(self._lost(node, path, one))
                    continue
                self.restored[at] = self._value_of(was)
                edits.append((Edit(node.start, node.end, was), self.restored[at]))
            else:
                self.left[at] = one
                self.diagnostics.append(self._edited(node, path, "keep the edit, or run with --force to undo it"))
        return edits

    def _was(self, path: Path, one: record.Replaced) -> str | None:
        """What is written where a scalar was replaced; none where that would be a reference to nothing."""
        value = self._value_of(one.was) if path[-1] == "$ref" else None
        if not isinstance(value, str):
            return one.was
        ours = [path_of(at) for at in self.owned.shares[""].inserted if at.startswith("/components/")]
        now = led_back(self.api, self.file, value, one.to, ours)
        return one.was.replace(value, now) if now is not None else None

    def _lost(self, node: Node, path: Path, one: record.Replaced) -> Diagnostic:
        return Diagnostic(
            "openapi/lost-original",
            Severity.WARNING,
            f"idempact put this reference in the place of {one.was}, which is gone by now, so it is left as it is",
            self.document.span(node.start, node.end),
            subject=pointer(path),
            hint="refer to what should stand here by hand",
        )

    def _settled(self, path: Path) -> str:
        """The pointer of what stays, in the text that is left: without items before it that are gone."""
        keys = list(path)
        for end, key in enumerate(path):
            if isinstance(find(self.root, path[:end]), Sequence):
                before = (str(index) for index in range(int(key)))
                keys[end] = str(int(key) - sum((*path[:end], index) in self.gone for index in before))
        return pointer(tuple(keys))

    def _value_of(self, written: str) -> Plain:
        """The value of a scalar by its text, which is of the other format where a tool has converted the file since."""
        for name in sorted(("was.json", "was.yaml"), reverse=not self.file.json):
            # What ends a block scalar is no part of it in the file, and belongs to its value.
            tree = compose(Document(name, written + "\n")).value
            if tree is not None:
                return plain(tree.root)
        return None

    def _claim(self, path: Path, digest: str) -> None:
        """Decide on one owned pointer: it goes, or it is kept as edited."""
        node = find(self.root, path)
        if pointer(path) in self.spare:
            if node is not None:
                self.kept[path] = digest
            return
        holder = find(self.root, path[:-1])
        if isinstance(holder, Sequence):
            # An index may name somebody else's item by now, so only a digest proves that an item is ours.
            index = next((i for i in self._indexes(path, holder) if self._same((*path[:-1], str(i)), digest)), None)
            if index is not None:
                self.gone.add((*path[:-1], str(index)))
            elif node is not None:
                self.diagnostics.append(self._edited(node, path, "remove it by hand if it is not wanted any more"))
        elif node is not None and self._same(path, digest):
            self.gone.add(path)
        elif node is not None and pointer(path) in self.unsure:
            self.diagnostics.append(self._edited(node, path, "remove it by hand if it is not wanted any more"))
        elif node is not None and self.force:
            self.gone.add(path)
            self.complete = False
        elif node is not None:
            self.kept[path] = digest
            self.diagnostics.append(self._edited(node, path, "keep the edit, or run with --force to replace it"))

    def _indexes(self, path: Path, holder: Sequence) -> list[int]:
        """Where an item may be now, the place where it was put first."""
        free = [i for i in range(len(holder.items)) if (*path[:-1], str(i)) not in self.gone]
        return sorted(free, key=lambda i: (str(i) != path[-1], i))

    def _same(self, path: Path, digest: str) -> bool:
        """Whether the value is what was inserted, and nobody put a comment into it or behind it."""
        node = find(self.root, path)
        return node is not None and digested(node) == digest and self._comment(path, node) is None

    def _comment(self, path: Path, node: Node) -> int | None:
        """Where a comment stands in a value or behind it."""
        holder = find(self.root, path[:-1])
        entry = holder.entry(path[-1]) if isinstance(holder, Mapping) else None
        first = bisect_left(self.starts, entry.key.start if entry else node.start)
        inner = self.scalars[first : bisect_left(self.starts, node.end)]
        text = self.document.text
        stops = [mark.start for mark in inner[1:]]
        if isinstance(holder, Mapping | Sequence) and not holder.flow:
            stops.append(line_end(text, node.end) or len(text))
        found = (text.find("#", mark.end, stop) for mark, stop in zip(inner, stops, strict=False))
        return next((at for at in found if at >= 0), None)

    def _edited(self, node: Node, path: Path, hint: str) -> Diagnostic:
        """The finding, at the comment where that is the edit: of a value, nothing but its digest is known."""
        same = digested(node) == self.share.inserted.get(pointer(path), "")
        at = (self._comment(path, node) if same else None) or node.start
        lines = len(self.document.text[node.start : node.end].rstrip().splitlines())
        inside = f", somewhere in the {lines} lines from here," if at == node.start and lines > 1 else ""
        return Diagnostic(
            "openapi/edited-node",
            Severity.WARNING,
            f"idempact inserted this and somebody edited it since{inside or ','} so it is left as it is",
            self.document.span(at, min(node.end, at + 60) if at < node.end else at + 1),
            subject=pointer(path),
            hint=hint,
        )

    def _close_containers(self) -> tuple[str, ...]:
        """Let containers that we made go with the last of their children; the pointers of those that stay."""
        left: list[str] = []
        for path in sorted(map(path_of, self.share.created), key=len, reverse=True):
            node = find(self.root, path)
            if isinstance(node, Mapping | Sequence):
                if all(child in self.gone for child in _children_of(node, path)) and node.anchor == "":
                    self.gone.add(path)
                else:
                    left.append(pointer(path))
        return tuple(sorted(left))

    def _ranges(self) -> tuple[tuple[tuple[int, int], ...], tuple[Edit, ...]]:
        groups: dict[Path, set[int]] = defaultdict(set)
        for path in self.gone:
            if not any(path[:end] in self.gone for end in range(1, len(path))):
                holder = find(self.root, path[:-1])
                if isinstance(holder, Mapping):
                    groups[path[:-1]].add(next(i for i, e in enumerate(holder.entries) if e.key.value == path[-1]))
                elif isinstance(holder, Sequence):
                    groups[path[:-1]].add(int(path[-1]))
        ranges: list[tuple[int, int]] = []
        fills: list[Edit] = []
        for base, indexes in groups.items():
            node = find(self.root, base)
            assert isinstance(node, Mapping | Sequence)
            try:
                found = removed(self.surface, node, frozenset(indexes))
            except NoPlace as failed:
                self.diagnostics.append(self._stuck(base, node, indexes, failed))
                continue
            ranges += found
            # A mapping that begins behind its dash with what goes is an old one at a new place, which no event tells.
            text = self.document.text
            self.by_value |= not node.flow and any(line_start(text, start) != start for start, _ in found)
            if not node.flow and len(indexes) == len(_children_of(node, base)) and base:
                fills.append(self._fill(base, node))
        return joined(self.surface, ranges), tuple(fills)

    def _fill(self, base: Path, node: Mapping | Sequence) -> Edit:
        """A block container that was the user's and is empty now says so, or it would read as null."""
        holder = find(self.root, base[:-1])
        entry = holder.entry(base[-1]) if isinstance(holder, Mapping) else None
        at = self.document.text.index(":", entry.key.end) + 1 if entry else node.start
        return Edit(at, at, " {}" if isinstance(node, Mapping) else " []")

    def _stuck(self, base: Path, node: Mapping | Sequence, indexes: set[int], failed: NoPlace) -> Diagnostic:
        """Let children of ours stay that can't be taken out: they are ours still."""
        children = _children_of(node, base)
        for path in (children[index] for index in indexes):
            self.gone.discard(path)
            if (digest := self.share.inserted.get(pointer(path))) is not None:
                self.kept[path] = digest
        return Diagnostic(
            "openapi/shared-line",
            Severity.WARNING,
            "idempact inserted this, but it shares its line with something else now and can't be taken out",
            self.document.span(failed.offset),
            subject=pointer(base),
            hint="move it to a line of its own, or remove it by hand",
        )

    def _proven(self, made: list[Edit], gone: tuple[str, ...], fills: tuple[Edit, ...]) -> list[Edit]:
        """The edits in order of place. The way back is proven as the way there: the file as it is, is what is left with
        ours put in. Raises NotProven.
        """
        edits = sorted(made, key=lambda edit: edit.start)
        document = self.document
        bare, _ = apply(document.text, edits)
        before = Document(document.path, bare)
        tree = compose(before, self.file.wanted).value
        if tree is None or tree.root is None or tree.json != self.file.json:
            raise proof.NotProven("what is left can't be read any more", 0)
        self._prove(before, tree.root, edits, gone, fills)
        for at, value in self.restored.items():
            node = find(tree.root, path_of(self._settled(path_of(at))))
            if node is None or not proof.same(plain(node), value):
                raise proof.NotProven("what stood there before would read differently", 0)
        return edits

    def _prove(
        self, before: Document, left: Node, edits: list[Edit], gone: tuple[str, ...], fills: tuple[Edit, ...]
    ) -> None:
        document = self.document
        if fills or self.by_value:
            filled = Document(document.path, apply(document.text, [*edits, *fills])[0])
            proof.prove_removal(document, filled, gone, self.restored)
            return
        there = undo(document.text, edits)
        places = tuple((edit.start, edit.end) for edit in edits)
        if self.file.json:
            proof.prove_json(before, left, document, self.root, there, places)
        else:
            proof.prove_events(marks(before), self.marks, there, places)


def _children_of(node: Mapping | Sequence, path: Path) -> list[Path]:
    if isinstance(node, Mapping):
        return [(*path, entry.key.value) for entry in node.entries]
    return [(*path, str(index)) for index in range(len(node.items))]


def not_proven(document: Document, failed: proof.NotProven) -> Diagnostic:
    """The finding for an edit that was made in memory, failed its proof and was dropped."""
    return Diagnostic(
        "openapi/unproven-edit",
        Severity.ERROR,
        f"the edit was dropped, because it could not be proven to only add: {failed}",
        document.span(min(failed.offset, len(document.text))),
        hint="nothing was written; please report this with the file's lines around this place",
    )
