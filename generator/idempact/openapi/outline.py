"""A long YAML file without the stretches that no addition depends on, so that an edit need not parse all of it.

The file is split by its indentation, which in block YAML is its structure (YAML 1.2.2, section 8.1). A stretch that is
left out becomes a plain word on the line of its key, and comes back in its place afterwards. At the first oddity there
is no outline, and the whole file is read instead.

What the outline shows then holds for the whole file, if two things are true, which libyaml is asked for. Each word is
read as the whole value of a key in a block mapping, or of a dash in a block sequence. And each stretch, behind such a
key or dash at its own column, is read as one whole value, with no bracket or quote left open: libyaml lets some texts
go on at any column, which a split by indentation does not see. A value's events depend on nothing else: the reader is
in one state behind a key of a block mapping or a dash of a block sequence at that column, and in one state before the
next line that stands no further right.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Sequence as Ordered
from functools import cache
from itertools import count as naturals

from idempact.openapi.doubled import Written, may_double
from idempact.openapi.edits import Change, moved
from idempact.openapi.parameter_lists import lists_parameters, others
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import Keep, Mapping, Node, Scalar, Sequence
from idempact.text.span import Document
from idempact.text.yaml_nodes import count

LEAST = 100_000
_WORTH = 80
_MOST = 100_000
# Blanks behind a value are seldom more.
_TAIL = 64
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
    """The outline of a file: ``document`` is read and edited in place of the ``whole``.

    ``cuts`` tells what is left out: where it stands in the whole from and to, and what must stand before it in a text
    of its own, the key or the dash whose value it is. ``word`` is how the words begin, ``names`` are those of
    parameters that are left out: one of them may be a contract's, which isn't known when an outline is begun.
    """

    whole: Document
    document: Document
    cuts: tuple[tuple[int, int, str], ...]
    word: str
    names: frozenset[str]

    def restored(self, text: str) -> str | None:
        """The whole text for what the outline became; none where something left out was lost, doubled or moved."""
        parts = re.split(rf" {self.word}([0-9]+)\b", text)
        if parts[1::2] != [str(number) for number in range(len(self.cuts))]:
            return None
        whole = self.whole.text
        parts[1::2] = [whole[start:end] for start, end, _ in self.cuts]
        return "".join(parts)

    def filled(self, text: str) -> str:
        """A part of the outline's text with what was left out of it."""

        def left_out(found: re.Match[str]) -> str:
            start, end, _ = self.cuts[int(found[1])]
            return self.whole.text[start:end]

        return re.sub(rf" {self.word}([0-9]+)\b", left_out, text)

    def holds(self, root: Node | None) -> bool:
        """Whether each word is the whole value of a key in a block mapping, or of a dash in a block sequence; *root* is
        what the outline was read into.

        With :meth:`closed`, the outline then shows the file as libyaml reads it.
        """
        return [value for value in _block_values(root) if value.startswith(self.word)] == [
            f"{self.word}{number}" for number in range(len(self.cuts))
        ]

    def closed(self) -> bool:
        """Whether each stretch that is left out is one whole value, by libyaml's reading."""
        return all(count(Document(self.whole.path, text)) >= 0 for text in self._stretches())

    def doubled(self) -> bool:
        """Whether some mapping that is left out may hold a key twice."""
        written = Written()
        for start, end, _ in self.cuts:
            # A parameter's own keys were compared when it was left out.
            text = self.whole.text[start:end]
            if not _BLOCK.match(text) and may_double(text, written):
                return True
        return False

    def sound(self) -> bool:
        """Whether what is left out needs no reading."""
        return self.closed() and not self.doubled()

    def _stretches(self) -> Iterator[str]:
        """What is left out, each stretch behind its key or dash at its own column and closed, in texts that are not too
        long to hold beside the file.
        """
        parts: list[str] = []
        length = 0
        for start, end, lead in self.cuts:
            parts += (lead, self.whole.text[start:end], _CLOSED)
            length += end - start
            if length > _MOST:
                yield "".join(parts)
                parts, length = [], 0
        yield "".join(parts)

    def relocated(self, diagnostics: Ordered[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings with their places in the whole file."""
        if not diagnostics:
            return ()
        changes: list[Change] = []
        shorter = 0
        for number, (start, end, _) in enumerate(self.cuts):
            word = 1 + len(self.word) + len(str(number))
            changes.append((start - shorter, start - shorter + word, end - start))
            shorter += end - start - word
        return moved(diagnostics, self.document, self.whole, changes)


Cuts = tuple[str, tuple[tuple[int, int, str], ...], tuple[str, ...]]
"""How the words begin, what is left out, and the names of the parameters that are: see :class:`Outline`."""


def outline(document: Document, wanted: Keep, *, parameters: bool = False) -> Outline | None:
    """The outline of *document* with all that *wanted* keeps, with *parameters* but for those that hardly any contract
    carries a key in; none for a short file, JSON, or one with oddities.
    """
    found = cuts_of(document, wanted, parameters=parameters)
    return outlined(document, found) if found is not None else None


def cuts_of(document: Document, wanted: Keep, *, parameters: bool = False) -> Cuts | None:
    """What is left out of the outline of *document*; none where there is no outline."""
    text = document.text
    if len(text) < LEAST or text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", "%") or _is_odd(text):
        return None
    word = next(word for n in naturals() if (word := f"left-out-{n or ''}x") not in text)
    start = 1 if text.startswith("\ufeff") else 0
    if text.startswith("---", start):
        start = text.find("\n", start) + 1
    try:
        splitting = _Splitting(text, wanted, _Shallow(text, start), set() if parameters else None)
        splitting.mapping(start, len(text), ())
    except _Odd:
        return None
    return (word, tuple(splitting.cuts), tuple(sorted(splitting.names or ()))) if splitting.cuts else None


def outlined(document: Document, found: Cuts) -> Outline:
    """The outline of *document* without what was *found*."""
    word, cuts, names = found
    parts: list[str] = []
    at = 0
    for number, (start, end, _) in enumerate(cuts):
        parts += (document.text[at:start], f" {word}{number}")
        at = end
    parts.append(document.text[at:])
    return Outline(document, Document(document.path, "".join(parts)), cuts, word, frozenset(names))


def _block_values(root: Node | None) -> Iterator[str]:
    """The scalars that are values of keys in block mappings, or items of block sequences, in order of place."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping) and not node.flow:
            stack += [entry.value for entry in reversed(node.entries)]
        elif isinstance(node, Sequence):
            stack += [item for item in reversed(node.items) if not node.flow or not isinstance(item, Scalar)]
        elif isinstance(node, Scalar):
            yield node.value


@dataclass(frozen=True, slots=True)
class _Splitting:
    """Gathers in ``cuts`` what is left out; ``names`` gets those of parameters that are, and is none where none are."""

    text: str
    wanted: Keep
    shallow: _Shallow
    names: set[str] | None
    cuts: list[tuple[int, int, str]] = field(default_factory=list)

    def mapping(self, start: int, end: int, path: tuple[str, ...]) -> None:
        """The block mapping in the lines from *start* to *end*: what is left out begins behind a key's colon, and goes
        to the end of its value's last line.
        """
        first = _FIRST.search(self.text, start, end)
        if first is None:
            return
        column = len(first[1])
        keys = list(self._keys(start, end, first.start(2), column))
        for index, (name, colon, _) in enumerate(keys):
            line = self.text.find("\n", colon) + 1
            following = keys[index + 1][2] if index + 1 < len(keys) else end
            if not 0 < line < following - _WORTH:
                continue
            below = (*path, name)
            if _NOTHING.match(self.text, colon):
                if self.wanted(below):
                    if self.names is not None and lists_parameters(below):
                        self._parameters(line, following, self.names)
                    else:
                        self.mapping(line, following, below)
                    continue
            elif not _BLOCK.match(self.text, colon) or (not _unread(path, name) and self.wanted(path or below)):
                continue
            last = self._last(line, following, column)
            if last is not None:
                self.cuts.append((colon, last, _lead(column, "k:")))

    def _parameters(self, start: int, end: int, names: set[str]) -> None:
        """The list of parameters in the lines from *start* to *end*."""
        first = _FIRST.search(self.text, start, end)
        if first is None or self.text[first.start(2)] != "-":
            return
        column = len(first[1])
        found = list(others(self.text, start, end, column))
        for index, (line, name) in enumerate(found):
            following = found[index + 1][0] if index + 1 < len(found) else end
            last = self._last(line, following, column) if name else None
            if last is not None:
                names.add(name)
                self.cuts.append((line + column + 1, last, _lead(column, "-")))

    def _keys(self, start: int, end: int, first: int, column: int) -> Iterator[tuple[str, int, int]]:
        """The keys of a block mapping, with the place behind the colon and that of the line; none of a sequence."""
        for line, at in self.shallow.lines(start, end, column):
            if self.text[at] == "-" and self.text[at + 1 : at + 2] in (" ", "\n", "\r"):
                if at == first:
                    return
                continue
            key = _KEY.match(self.text, at, end)
            if key is None or at - line != column:
                raise _Odd
            yield key[1] or key[2] or key[3] or "", key.end(), line

    def _last(self, start: int, end: int, column: int) -> int | None:
        """Where the last line of a value ends whose key stands at *column*; none where it can't be told from what
        stands behind it.
        """
        text = self.text
        while True:
            tail = text[max(start, end - _TAIL) : end]
            if not tail.strip():
                tail = text[start:end]
            body = end - len(tail) + len(tail.rstrip())
            tail = text[body:end].lstrip(" ")
            line = max(text.rfind("\n", start, body) + 1, start)
            last = text[line:body].lstrip(" ")
            if body == start or tail.strip("\r\n") or not tail:
                return None
            if not last.startswith("#"):
                keeping = text.find("+", start, body) >= 0 and _KEEPING.search(text, start, body)
                return None if keeping else end - len(tail)
            if body - line - len(last) > column:
                return None
            end = line


def _unread(path: tuple[str, ...], name: str) -> bool:
    """Whether this is a description that nobody looks at; a parameter's may contradict the contract's window."""
    return name == "description" and path[-2:-1] != ("parameters",)


@cache
def _lead(column: int, sign: str) -> str:
    """A text that ends with a key or a dash at *column*, and what it stands below."""
    return f"k:\n{' ' * column}{sign}" if column or sign == "-" else sign


@cache
def _indented(column: int) -> re.Pattern[str]:
    # Most lines are indented further, which is seen at once by what would be too many blanks.
    return re.compile(rf"\n(?!{' ' * (column + 1)}) {{0,{column}}}(?=[^ #\r\n])")


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
