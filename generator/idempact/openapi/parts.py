"""The proof of a long YAML file's edit in parts: those that nothing is put into need none, and two go on at once.

A file is divided at its paths: at keys on lines of their own, in the block mapping that is the value of a key at the
first column. In front of such a key libyaml is always in the same state: two block mappings are open, at the first
column and at the key's own, and the inner one awaits a key. So what it reads from there up to the next such key is what
it reads behind a line ``p:``, and the same text means the same again. A file with aliases is not divided; where a tag
were read otherwise without a directive before it, the events would differ, and the whole is proven instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Sequence as Ordered
from itertools import groupby, islice, takewhile

from idempact.openapi.beside import Beside, may_fork
from idempact.openapi.edits import Edit, Ranges
from idempact.openapi.locate import File
from idempact.openapi.proof import NotProven, Token, prove_events, tokens
from idempact.openapi.wants import Addition, Replacement
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Mark, Scalar
from idempact.text.span import Document
from idempact.text.yaml_nodes import Unreadable, marks

LEAST = 20_000
"""How many events of the file as it is are worth a division."""
_HEAD = "p:\n"
_OPENING = ["StreamStart", "DocumentStart", "MappingStart", "Scalar", "MappingStart"]

Made = Ordered[tuple[Edit, Addition | Replacement]]


def proven_in_parts(file: File, after: Document, made: Made, ranges: Ranges) -> bool:
    """Whether :func:`prove_events` proves each part of the edit. Where not, nothing is said: the file may be one that
    can't be divided, or is too short for it, or the system may have no room for a process.
    """
    if len(file.tree.marks) < LEAST or file.tree.aliased:
        return False
    parts = divided(file, after, made, ranges)
    if parts is None:
        return False
    runs = parts.touched()
    if sum(parts.length(first, last) for first, last in runs) * 2 <= len(after.text):
        return parts.rest_is_the_same(runs) and all(parts.proven(first, last) for first, last in runs)
    middle = parts.middle()
    if not middle or not may_fork():
        return False
    with Beside(lambda: parts.proven(middle, len(parts.cuts)), worth=True) as second:
        return not second.failed and parts.proven(0, middle - 1) and second.holds()


@dataclass(frozen=True, slots=True)
class Cut:
    """A path's key that the file is divided at: where its line begins in the text before, by how much that was moved,
    and how many of the edits stand before it.
    """

    key: Scalar
    line: int
    shift: int
    edits: int

    @property
    def moved(self) -> int:
        """Where the line begins in the new text."""
        return self.line + self.shift

    @property
    def place(self) -> int:
        """Where the key stands in the new text."""
        return self.key.start + self.shift


@dataclass(frozen=True, slots=True)
class Parts:
    """A file's parts: part 0 is what stands before the first cut, part n what stands behind the nth one."""

    file: File
    after: Document
    made: Made
    ranges: Ranges
    cuts: tuple[Cut, ...]

    def touched(self) -> tuple[tuple[int, int], ...]:
        """The parts with edits in them, joined where they touch: the first and the last of each run."""
        bounds = [cut.edits for cut in self.cuts]
        found = sorted({bisect_left(bounds, index + 1) for index in range(len(self.made))})
        runs: list[tuple[int, int]] = []
        for _, run in groupby(enumerate(found), key=lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            runs.append((numbers[0], numbers[-1]))
        return tuple(runs)

    def middle(self) -> int:
        """The part that begins in the middle of the new text."""
        return bisect_left(self.cuts, len(self.after.text) // 2, hi=len(self.cuts) - 1, key=lambda cut: cut.moved) + 1

    def _bounds(self, first: int, last: int) -> tuple[Cut | None, Cut | None]:
        """The cuts around a run of parts; none where the file begins or ends there."""
        return self.cuts[first - 1] if first else None, self.cuts[last] if last < len(self.cuts) else None

    def length(self, first: int, last: int) -> int:
        """How long a run of parts is in the new text."""
        begin, end = self._bounds(first, last)
        return (end.moved if end else len(self.after.text)) - (begin.moved if begin else 0)

    def rest_is_the_same(self, runs: Ordered[tuple[int, int]]) -> bool:
        """Whether everything outside of the *runs* stands in the new text as it did."""
        old, new = self.file.document.text, self.after.text
        place = moved = 0
        for begin, end in (self._bounds(*run) for run in runs):
            if old[place : begin.line if begin else 0] != new[moved : begin.moved if begin else 0]:
                return False
            place, moved = (end.line, end.moved) if end else (len(old), len(new))
        return old[place:] == new[moved:]

    def proven(self, first: int, last: int) -> bool:
        """Whether a run of parts is proven, and leads to the state that the part behind it begins in."""
        begin, end = self._bounds(first, last)
        line = begin.moved if begin else 0
        away = line - len(_HEAD) if begin else 0
        text = self.after.text[line : self._line_end(end.moved) if end else None]
        found = marks(Document(self.after.path, _HEAD + text if begin else text))
        low, high = begin.edits if begin else 0, end.edits if end else len(self.made)
        made, ranges = self.made[low:high], [(start - away, stop - away) for start, stop in self.ranges[low:high]]
        stop = end.place - away if end else -1
        before = self.file.tree.marks[self._event(begin, 0) : self._event(end, len(self.file.tree.marks))]
        try:
            if begin is not None and not _opened(list(islice(found, len(_OPENING))), begin.place - away):
                return False
            open_ = prove_events(
                before,
                takewhile(lambda mark: mark.start != stop or mark.kind != "Scalar" or mark.end == mark.start, found),
                [edit for edit, _ in made],
                tuple(ranges),
                _members(made),
                {edit.start: what.value for edit, what in made if isinstance(what, Replacement)},
                shift=begin.shift - away if begin else 0,
                open_=_open_paths() if begin else (),
            )
        except (NotProven, Unreadable):
            return False
        return open_ == (_open_paths() if end else [])

    def _line_end(self, start: int) -> int:
        end = self.after.text.find("\n", start)
        return len(self.after.text) if end < 0 else end + 1

    def _event(self, cut: Cut | None, otherwise: int) -> int:
        """The number of the event that is the key of a cut; past the last one where there is none."""
        if cut is None:
            return otherwise
        found, key = self.file.tree.marks, cut.key
        number = bisect_left(found, key.start, key=lambda mark: mark.start)
        while number < len(found) and found[number][:3] != ("Scalar", key.start, key.end):
            number += 1
        return number


def _opened(head: list[Mark], place: int) -> bool:
    """Whether these are the events of the line that stands for all before a path, and the path is at its place."""
    return [mark.kind for mark in head] == _OPENING and head[-1].start == place and not head[-1].meaning[-1]


def _members(made: Made) -> Iterator[Token]:
    return tokens(member for _, what in made if isinstance(what, Addition) for member in what.members)


def _open_paths() -> list[list[bool]]:
    """The root and the paths, both as they were and awaiting a key."""
    return [[False, True, False, False], [False, True, False, False]]


def divided(file: File, after: Document, made: Made, ranges: Ranges) -> Parts | None:
    """The parts of a file; none where no path there can divide it."""
    root = file.root
    paths = root.entry("paths")
    if paths is None or not isinstance(paths.value, Mapping) or root.flow or paths.value.flow:
        return None
    text, new = file.document.text, after.text
    starts = [edit.start for edit, _ in made]
    shifts = [0]
    for edit, _ in made:
        shifts.append(shifts[-1] + len(edit.text) - (edit.end - edit.start))
    place = paths.key.start + shifts[bisect_left(starts, paths.key.start + 1)]
    if place and new[place - 1 : place] != "\n":
        return None
    cuts: list[Cut] = []
    for entry in paths.value.entries:
        key = entry.key
        line = text.rfind("\n", 0, key.start) + 1
        number = bisect_left(starts, line + 1)
        cut = Cut(key, line, shifts[number], number)
        inside = number < len(starts) and starts[number] <= key.end + 1
        if _alone(text, line, key) and not inside and new.startswith(text[line - 1 : key.end + 1], cut.moved - 1):
            cuts.append(cut)
    return Parts(file, after, made, ranges, tuple(cuts)) if cuts else None


def _alone(text: str, line: int, key: Scalar) -> bool:
    """Whether only blanks stand before the key on its line, and its colon right behind it."""
    indent = text[line : key.start]
    own = line > 0 and bool(indent) and not indent.strip(" ") and text[key.end : key.end + 1] == ":"
    return own and "\n" not in text[key.start : key.end]
