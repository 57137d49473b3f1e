"""The proof of a long YAML file's edit in two halves at once, the second one in a process of its own.

A file is divided at a path: a key on a line of its own, in the block mapping of the paths, which is the value of a key
at the first column. In front of such a key libyaml is always in the same state: two block mappings are open, at the
first column and at the key's own, and the inner one awaits a key. So what it reads from there on is what it reads
behind a line ``p:``. A file with aliases is not divided; where a tag were read otherwise without a directive before it,
the events would differ, and the whole is proven instead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from collections.abc import Sequence as Ordered
from itertools import islice, takewhile

from idempact.openapi.beside import Beside, may_fork
from idempact.openapi.edits import Edit, Ranges
from idempact.openapi.locate import File
from idempact.openapi.proof import NotProven, Token, prove_events, tokens
from idempact.openapi.wants import Addition, Replacement
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Mark, Plain, Scalar
from idempact.text.span import Document
from idempact.text.yaml_nodes import Unreadable, marks

LEAST = 20_000
"""How many events of the file as it is are worth a process."""
_HEAD = "p:\n"
_OPENING = ["StreamStart", "DocumentStart", "MappingStart", "Scalar", "MappingStart"]

Made = Ordered[tuple[Edit, Addition | Replacement]]


def proven_in_halves(file: File, after: Document, made: Made, ranges: Ranges) -> bool:
    """Whether :func:`prove_events` proves both halves of the edit. Where not, nothing is said: the file may be one that
    can't be divided, or is too short for it, or the system may have no room for a process.
    """
    if len(file.tree.marks) < LEAST or not may_fork() or file.tree.aliased:
        return False
    halves = _divided(file, after, made, ranges)
    if halves is None:
        return False
    with Beside(halves.second, worth=True) as second:
        return not second.failed and halves.first() and second.holds()


@dataclass(frozen=True, slots=True)
class _Halves:
    """Where a file is divided: its events before ``event``, its edits before ``edit``; in the text *after*, the line of
    the key from ``line`` and the key from ``key`` on, by ``shift`` behind its old place.
    """

    marks: tuple[Mark, ...]
    after: Document
    made: Made
    ranges: Ranges
    event: int
    edit: int
    line: int
    key: int
    shift: int

    def first(self) -> bool:
        """Whether the text up to the key is proven, and leads to the state that the second half begins in."""
        before = takewhile(lambda m: m.start != self.key or m.kind != "Scalar" or m.end == m.start, marks(self.after))
        made = self.made[: self.edit]
        try:
            open_ = prove_events(
                self.marks[: self.event], before, _edits(made), self.ranges[: self.edit], _members(made), _values(made)
            )
        except (NotProven, Unreadable):
            return False
        return open_ == _open_paths()

    def second(self) -> bool:
        """Whether the text from the key on is proven."""
        text = _HEAD + self.after.text[self.line :]
        away = self.line - len(_HEAD)
        made, ranges = self.made[self.edit :], self.ranges[self.edit :]
        moved = tuple((start - away, end - away) for start, end in ranges)
        found = marks(Document(self.after.path, text))
        try:
            head = list(islice(found, len(_OPENING)))
            if [mark.kind for mark in head] != _OPENING or head[-1].start != self.key - away or head[-1].meaning[-1]:
                return False
            open_ = prove_events(
                self.marks[self.event :],
                found,
                _edits(made),
                moved,
                _members(made),
                _values(made),
                shift=self.shift - away,
                open_=_open_paths(),
            )
        except (NotProven, Unreadable):
            return False
        return not open_


def _edits(made: Made) -> list[Edit]:
    return [edit for edit, _ in made]


def _members(made: Made) -> Iterator[Token]:
    return tokens(member for _, what in made if isinstance(what, Addition) for member in what.members)


def _values(made: Made) -> dict[int, Plain]:
    return {edit.start: what.value for edit, what in made if isinstance(what, Replacement)}


def _open_paths() -> list[list[bool]]:
    """The root and the paths, both as they were and awaiting a key."""
    return [[False, True, False, False], [False, True, False, False]]


def _divided(file: File, after: Document, made: Made, ranges: Ranges) -> _Halves | None:
    """The halves of a file, divided in the middle of the new text; none where no path there can divide it."""
    text, root = file.document.text, file.root
    paths = root.entry("paths")
    if paths is None or not isinstance(paths.value, Mapping) or root.flow or paths.value.flow:
        return None
    entries = paths.value.entries
    keys = [entry.key for entry in entries]
    following = bisect_left(ranges, (len(after.text) // 2,))
    before = made[following][0].start if following < len(made) else len(text)
    index = bisect_left(keys, before, hi=len(keys) - 1, key=lambda key: key.start)
    key = keys[index]
    line = text.rfind("\n", 0, key.start) + 1
    places = [edit.start for edit, _ in made]
    edit = bisect_right(places, line)
    shift = sum(len(one.text) - (one.end - one.start) for one, _ in made[:edit])
    event = bisect_left(file.tree.marks, key.start, key=lambda mark: mark.start)
    while (
        event < len(file.tree.marks)
        and file.tree.marks[event].start == key.start
        and file.tree.marks[event].kind != "Scalar"
    ):
        event += 1
    if index == 0 or not _alone(text, line, key) or not _first_column(after.text, paths.key.start, made):
        return None
    if event == len(file.tree.marks) or file.tree.marks[event][:3] != ("Scalar", key.start, key.end):
        return None
    if edit < len(places) and places[edit] <= key.end + 1:
        return None
    moved = line + shift
    if not after.text.startswith(text[line : key.end + 1], moved) or after.text[moved - 1] != "\n":
        return None
    return _Halves(file.tree.marks, after, made, ranges, event, edit, moved, key.start + shift, shift)


def _alone(text: str, line: int, key: Scalar) -> bool:
    """Whether only blanks stand before the key on its line, and its colon stands right behind it."""
    indent, colon = text[line : key.start], text[key.end : key.end + 1]
    return bool(indent) and not indent.strip(" ") and colon == ":" and "\n" not in text[key.start : key.end]


def _first_column(after: str, start: int, made: Made) -> bool:
    """Whether the key that stood at *start* begins a line of the new text."""
    moved = start + sum(len(one.text) - (one.end - one.start) for one, _ in made if one.start <= start)
    return moved == 0 or after[moved - 1] == "\n"
