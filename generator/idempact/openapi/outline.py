"""A long YAML file without the stretches that no addition depends on, so that an edit need not parse all of it.

The file is split by its indentation, which in block YAML is its structure (YAML 1.2.2, section 8.1). A stretch that is
left out becomes a plain word on the line of its key, and comes back in its place afterwards. At the first oddity there
is no outline, and the whole file is read instead.

What the outline shows then holds for the whole file, if two things are true, which libyaml is asked for. Each word is
read as the whole value of a key in a block mapping. And each stretch, behind such a key at its own column, is read as
one whole value, with no bracket or quote left open: libyaml lets some texts go on at any column, which a split by
indentation does not see. A value's events depend on nothing else: the reader is in one state behind a key of a block
mapping at that column, and in one state before the next line that stands no further right.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count as naturals

from idempact.openapi.doubled import Written, may_double
from idempact.openapi.edits import Edit, apply, relocated, undo
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import Keep, Mapping, Node, Scalar, Sequence
from idempact.text.span import Document
from idempact.text.yaml_nodes import count

LEAST = 100_000
_WORTH = 80
_MOST = 100_000
# Anchors and aliases join distant places. Both begin a value: behind a colon, a dash, a bracket, a comma, or on a line.
_JOINT = re.compile(r"&[\w-]+(?=[ \r\n])|\*[\w-]+ *(?=[\r\n,\]}])")
_BEFORE_VALUE = frozenset(":-?[{,\n")
_FIRST = re.compile(r"^( *)([^ #\r\n])", re.M)
_KEY = re.compile(
    r"(?:\"([^\"\\\n]*)\"|'([^'\n]*)'|((?:[^\s\"'\[\]{}&*!|>%@`#?,:-]|-(?! ))(?:[^\n:]|:(?![ \r\n]))*)):(?=[ \r\n])"
)
_NOTHING = re.compile(r" *(?:#[^\n]*)?\r?\n")
_BLOCK = re.compile(r" +[|>](-?[1-9]?|[1-9]-) *\r?\n")
# What no open quote, bracket or block text can go on with: a quote of either kind, and what no bracket may hold.
_CLOSED = '\n"\'": |\n a\n'
_KEEPING = re.compile(r"[|>][1-9]?\+")


def _is_odd(text: str) -> bool:
    """Whether something in the text joins distant places, or divides it otherwise than lines and indents do."""
    if "<" in text and "<<" in text:
        return True
    if not text.isascii() and any(sign in text for sign in ("\x85", "\u2028", "\u2029")):
        return True
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return True
    if "\t" in text and re.search(r"\n *\t", text):
        return True
    return any(_before(text, found.start()) in _BEFORE_VALUE for found in _joints(text))


def _before(text: str, at: int) -> str:
    """The last character before *at* that is no space; a line break where there is none."""
    while at > 0 and text[at - 1] == " ":
        at -= 1
    return text[at - 1] if at > 0 else "\n"


def _joints(text: str) -> Iterator[re.Match[str]]:
    for sign in "&*":
        at = text.find(sign)
        while at >= 0:
            found = _JOINT.match(text, at)
            if found is not None:
                yield found
            at = text.find(sign, at + 1)


class _Odd(Exception):
    """Something that a split by indentation might get wrong."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a file: ``document`` is read and edited in its place, ``edits`` turn its text into the whole.

    ``columns`` tells for each edit where the key stands whose value is left out, ``word`` how the words begin.
    """

    whole: Document
    document: Document
    edits: tuple[Edit, ...]
    columns: tuple[int, ...]
    word: str

    def restored(self, text: str) -> str | None:
        """The whole text for what the outline became; none where something left out was lost, doubled or moved."""
        parts = re.split(rf" {self.word}([0-9]+)\b", text)
        if parts[1::2] != [str(number) for number in range(len(self.edits))]:
            return None
        parts[1::2] = [edit.text for edit in self.edits]
        return "".join(parts)

    def filled(self, text: str) -> str:
        """A part of the outline's text with what was left out of it."""
        return re.sub(rf" {self.word}([0-9]+)\b", lambda found: self.edits[int(found[1])].text, text)

    def holds(self, root: Node | None) -> bool:
        """Whether each word is the whole value of a key in a block mapping; *root* is what the outline was read into.

        With :meth:`closed`, the outline then shows the file as libyaml reads it.
        """
        return [value for value in _block_values(root) if value.startswith(self.word)] == [
            f"{self.word}{number}" for number in range(len(self.edits))
        ]

    def closed(self) -> bool:
        """Whether each stretch that is left out is one whole value, by libyaml's reading."""
        return all(count(Document(self.whole.path, text)) >= 0 for text in self._stretches())

    def doubled(self) -> bool:
        """Whether some mapping that is left out may hold a key twice."""
        written = Written()
        return any(may_double(edit.text, written) for edit in self.edits if not _BLOCK.match(edit.text))

    def sound(self) -> bool:
        """Whether what is left out needs no reading."""
        return self.closed() and not self.doubled()

    def _stretches(self) -> Iterator[str]:
        """What is left out, each stretch behind a key at its own column and closed, in texts that are not too long to
        hold beside the file.
        """
        parts: list[str] = []
        length = 0
        for edit, column in zip(self.edits, self.columns, strict=True):
            parts += (f"k:\n{' ' * column}k:" if column else "k:", edit.text, _CLOSED)
            length += len(edit.text)
            if length > _MOST:
                yield "".join(parts)
                parts, length = [], 0
        yield "".join(parts)

    def relocated(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings with their places in the whole file."""
        return relocated(diagnostics, self.document, self.whole, self.edits)


Cuts = tuple[str, tuple[tuple[int, int, int], ...]]
"""How the words begin; and of what is left out from where to where it stands, and the column of its key."""


def outline(document: Document, wanted: Keep) -> Outline | None:
    """The outline of *document* with all that *wanted* keeps; none for a short file, JSON, or one with oddities."""
    found = cuts_of(document, wanted)
    return outlined(document, found) if found is not None else None


def cuts_of(document: Document, wanted: Keep) -> Cuts | None:
    """What is left out of the outline of *document*; none where there is no outline."""
    text = document.text
    if len(text) < LEAST or text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", "%") or _is_odd(text):
        return None
    word = next(word for n in naturals() if (word := f"left-out-{n or ''}x") not in text)
    start = 1 if text.startswith("\ufeff") else 0
    if text.startswith("---", start):
        start = text.find("\n", start) + 1
    try:
        cuts = tuple(_Splitting(text, wanted, _Shallow(text, start)).cuts(start, len(text), ()))
    except _Odd:
        return None
    return (word, cuts) if cuts else None


def outlined(document: Document, found: Cuts) -> Outline:
    """The outline of *document* without what was *found*."""
    word, cuts = found
    away = [Edit(start, end, f" {word}{number}") for number, (start, end, _) in enumerate(cuts)]
    short, _ = apply(document.text, away)
    columns = tuple(column for _, _, column in cuts)
    return Outline(document, Document(document.path, short), undo(document.text, away), columns, word)


def _block_values(root: Node | None) -> Iterator[str]:
    """The scalars that are values of keys in block mappings, in order of place."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping) and not node.flow:
            stack += [entry.value for entry in reversed(node.entries)]
        elif isinstance(node, Sequence):
            stack += [item for item in reversed(node.items) if not isinstance(item, Scalar)]
        elif isinstance(node, Scalar):
            yield node.value


@dataclass(frozen=True, slots=True)
class _Splitting:
    text: str
    wanted: Keep
    shallow: _Shallow

    def cuts(self, start: int, end: int, path: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
        """What is left out of the block mapping in the lines from *start* to *end*: from behind a key's colon to the
        end of its value's last line, and the key's column.
        """
        first = _FIRST.search(self.text, start, end)
        if first is None:
            return
        column = len(first[1])
        keys = list(self._keys(start, end, first.start(2), column))
        for index, (name, colon) in enumerate(keys):
            line = self.text.find("\n", colon) + 1
            following = self.text.rfind("\n", 0, keys[index + 1][1]) + 1 if index + 1 < len(keys) else end
            if not 0 < line < following - _WORTH:
                continue
            below = (*path, name)
            if _NOTHING.match(self.text, colon):
                if self.wanted(below):
                    yield from self.cuts(line, following, below)
                    continue
            elif not _BLOCK.match(self.text, colon) or (not _unread(path, name) and self.wanted(path or below)):
                continue
            last = self._last(line, following, column)
            if last is not None:
                yield colon, last, column

    def _keys(self, start: int, end: int, first: int, column: int) -> Iterator[tuple[str, int]]:
        """The keys of a block mapping, each with the place behind its colon; none of a sequence."""
        for line, at in self.shallow.lines(start, end, column):
            if self.text[at] == "-" and self.text[at + 1 : at + 2] in (" ", "\n", "\r"):
                if at == first:
                    return
                continue
            key = _KEY.match(self.text, at, end)
            if key is None or at - line != column:
                raise _Odd
            yield key[1] or key[2] or key[3] or "", key.end()

    def _last(self, start: int, end: int, column: int) -> int | None:
        """Where the last line of a value ends whose key stands at *column*; none where it can't be told from what
        stands behind it.
        """
        while True:
            value = self.text[start:end]
            body = value.rstrip()
            tail = value[len(body) :].lstrip(" ")
            line = body.rfind("\n") + 1
            last = body[line:].lstrip(" ")
            if not body or tail.strip("\r\n") or not tail:
                return None
            if not last.startswith("#"):
                keeping = "+" in body and _KEEPING.search(body)
                return None if keeping else start + len(value) - len(tail)
            if len(body) - line - len(last) > column:
                return None
            end = start + line


def _unread(path: tuple[str, ...], name: str) -> bool:
    """Whether this is a description that nobody looks at; a parameter's may contradict the contract's window."""
    return name == "description" and path[-2:-1] != ("parameters",)


@cache
def _indented(column: int) -> re.Pattern[str]:
    return re.compile(rf"\n {{0,{column}}}(?=[^ #\r\n])")


class _Shallow:
    """The lines of a text by their indents. Those that stand far left, of which there are few, are looked for once; for
    the root's keys, and for those of what stands below it, all of the text would be gone through each time.
    """

    _WIDE = 4

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        first = _FIRST.match(text, start)
        self._found = [(start, first.start(2))] if first is not None and len(first[1]) <= self._WIDE else []
        self._found += [(found.start() + 1, found.end()) for found in _indented(self._WIDE).finditer(text, start)]
        if any(line == at and text.startswith(("---", "..."), at) for line, at in self._found):
            raise _Odd

    def lines(self, start: int, end: int, column: int) -> Iterator[tuple[int, int]]:
        """The lines that are indented up to *column*, but for blank ones and comments: where each begins, and its
        text.
        """
        if column > self._WIDE:
            first = _FIRST.match(self.text, start, end)
            if first is not None and len(first[1]) <= column:
                yield start, first.start(2)
            for found in _indented(column).finditer(self.text, start, end):
                yield found.start() + 1, found.end()
            return
        for index in range(bisect_left(self._found, (start, 0)), len(self._found)):
            line, at = self._found[index]
            if line >= end:
                return
            if at - line <= column:
                yield line, at
