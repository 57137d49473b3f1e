"""The notation of a file, read off what already stands in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from idempact.openapi.notation import Notation
from idempact.resources.typed import TypeVar
from idempact.text.nodes import Entry, Keep, Mapping, Node, Scalar, Sequence, Style, Tree

T = TypeVar("T")

LINE_BREAK = re.compile(r"\r\n|\r|\n")
_STATUS_KEY = re.compile(r"[1-5]([0-9]{2}|XX)\Z")
_BLANKS = re.compile(r"[ \t]*")
# After so many collections whatever has been shown once is taken for the file's habit.
_ENOUGH = 500
LONG = 100_000
"""From how many characters on single parameters don't decide on a file's style: that many may have been left out."""
_QUOTES = {Style.SINGLE: "'", Style.DOUBLE: '"', Style.PLAIN: ""}


def column(text: str, offset: int) -> int:
    """How many characters stand before *offset* on its line."""
    return offset - line_start(text, offset)


def line_start(text: str, offset: int) -> int:
    """Where the line of *offset* begins, behind a byte-order mark."""
    start = text.rfind("\n", 0, offset) + 1
    start = max(start, text.rfind("\r", start, offset) + 1)
    return start + text.startswith("\ufeff", start)


def line_end(text: str, offset: int) -> int | None:
    """Where the line after that of *offset* begins; none on a last line without a line break."""
    found = LINE_BREAK.search(text, offset)
    return found.end() if found else None


def indent_of(text: str, offset: int) -> str:
    """The blanks that open the line of *offset*."""
    found = _BLANKS.match(text, line_start(text, offset))
    return found.group() if found else ""


def starts_line(text: str, offset: int) -> bool:
    """Whether only blanks stand before *offset* on its line."""
    return not text[line_start(text, offset) : offset].strip(" \t")


def notation_of(tree: Tree, json: bool, counted: Keep | None = None) -> Notation:
    """How the file of *tree* writes indents, line breaks, quotes and separators; usual values where it shows none.

    Only what *counted* keeps is looked at, all where it is none: how much of a file is read must not decide on it. A
    long file has shown its style before its end.
    """
    text = tree.document.text
    found = LINE_BREAK.search(text)
    newline = found.group() if found else "\n"
    return _json_notation(tree, newline) if json else _yaml_notation(tree, newline, counted)


def _json_notation(tree: Tree, newline: str) -> Notation:
    text, root = tree.document.text, tree.root
    first = root.entries[0] if isinstance(root, Mapping) and root.entries else None
    spread = first is not None and starts_line(text, first.key.start)
    colon = text[first.key.end : first.value.start] if first else ": "
    between = ", "
    if isinstance(root, Mapping) and len(root.entries) > 1:
        between = text[root.entries[0].value.end : root.entries[1].key.start]
    comma = between if not LINE_BREAK.search(between) else "," + " " * colon.endswith(" ")
    return Notation(
        json=True,
        newline=newline,
        step=indent_of(text, first.key.start) if first and spread else "  ",
        colon=colon if not LINE_BREAK.search(colon) else ": ",
        comma=comma,
        multiline=spread,
        ascii=text.removeprefix("\ufeff").isascii(),
    )


def _yaml_notation(tree: Tree, newline: str, counted: Keep | None) -> Notation:
    text = tree.document.text
    steps: Counter[int] = Counter()
    dashes: Counter[int] = Counter()
    quotes: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    refs: Counter[str] = Counter()
    ref_keys: Counter[str] = Counter()
    shown = 0
    for entry in entries(tree.root) if counted is None else _counted(tree.root, counted):
        key, value = entry.key, entry.value
        if isinstance(value, Mapping | Sequence):
            if not value.flow and starts_line(text, key.start):
                shown += 1
                below = column(text, value.start) - column(text, key.start)
                if isinstance(value, Sequence):
                    dashes[below] += 1
                elif starts_line(text, value.start):
                    steps[below] += 1
        elif isinstance(value, Scalar) and value.style in _QUOTES:
            if key.value == "$ref":
                ref_keys[_QUOTES[key.style]] += 1
                refs[_QUOTES[value.style]] += 1
            elif value.style is not Style.PLAIN:
                quotes[_QUOTES[value.style]] += 1
        status = quote_of_status(key)
        if status is not None:
            statuses[status] += 1
        if shown >= _ENOUGH and all((steps, dashes, statuses, quotes or refs)):
            break
    step = _most(steps, 2)
    quote = _most(quotes, _most(refs, "'") or "'")
    return Notation(
        json=False,
        newline=newline,
        step=" " * max(step, 1),
        dash=max(_most(dashes, step), 0),
        quote=quote,
        status_quote=_most(statuses, quote),
        ref_quote=_most(refs, quote) or quote,
        ref_key_quote=_most(ref_keys, ""),
    )


def quote_of_status(key: Scalar) -> str | None:
    """How a status key is quoted; none where that shows nothing: `4XX` is a text without quotes, too."""
    if not _STATUS_KEY.match(key.value) or (key.style is Style.PLAIN and not key.value.isdigit()):
        return None
    return _QUOTES.get(key.style)


def _counted(root: Node | None, counted: Keep) -> Iterator[Entry]:
    """Every entry that shows its value where *counted* says what is read; a scalar always does."""
    stack: list[tuple[Node, tuple[str, ...]]] = [(root, ())] if root is not None else []
    while stack:
        found, path = stack.pop()
        if isinstance(found, Mapping):
            read: list[tuple[Node, tuple[str, ...]]] = []
            for entry in found.entries:
                way = (*path, entry.key.value)
                if isinstance(entry.value, Scalar):
                    yield entry
                elif counted(way):
                    yield entry
                    read.append((entry.value, way))
            stack += reversed(read)
        elif isinstance(found, Sequence):
            inner = [((*path, str(index)), item) for index, item in enumerate(found.items)]
            stack += [(item, way) for way, item in reversed(inner) if counted(way)]


def entries(node: Node | None) -> Iterator[Entry]:
    """Every entry of every mapping below and including *node*."""
    stack = [node] if node is not None else []
    while stack:
        found = stack.pop()
        if isinstance(found, Mapping):
            yield from found.entries
            stack += [entry.value for entry in reversed(found.entries)]
        elif isinstance(found, Sequence):
            stack += reversed(found.items)


def _most(counted: Counter[T], otherwise: T) -> T:
    return counted.most_common(1)[0][0] if counted else otherwise
