"""What a contract's comments allow: ``# idempact: allow contract/RULE because …``, before a line or at its end.

An allowance holds for the next field (with everything below it) or item of a list, and at a line's end for the first
one that begins on that line; with ``in this file``, everywhere.
JSON has no comments, so a contract in JSON allows nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from idempact.text.allowances import Allowances, Suppression, read, yaml_comments
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Scalar, Sequence, Style, Tree, walk
from idempact.text.span import Document


def allowances(tree: Tree) -> tuple[Suppression, ...]:
    """Every allowance in the comments of a contract, in order of place."""
    if tree.json or tree.root is None:
        return ()
    texts = [
        (node.start, node.end) for node in walk(tree.root) if isinstance(node, Scalar) and node.style is not Style.PLAIN
    ]
    comments = list(yaml_comments(tree.document.text, texts, behind=True))
    if not comments:
        return ()
    fields = _Fields(tree)
    found = (read(comment, start, end, fields) for comment, start, end in comments)
    return tuple(allowance for allowance in found if allowance is not None)


class _Fields:
    """The fields and items of a contract, as stretches of its text."""

    def __init__(self, tree: Tree) -> None:
        ends: dict[int, int] = {}
        for start, end in _stretches(tree):
            ends[start] = max(end, ends.get(start, end))
        self._found = sorted(ends.items())
        self._document = tree.document

    def at(self, place: int) -> tuple[int, int]:
        """The first one that begins on the line of *place* or later, the largest of several; behind all nothing."""
        line, _ = self._document.place(place)
        n = bisect_left(self._found, (self._document.offset(line), 0))
        return self._found[n] if n < len(self._found) else (place, place)


def _stretches(tree: Tree) -> Iterator[tuple[int, int]]:
    for node in walk(tree.root):
        if isinstance(node, Mapping):
            yield from ((entry.key.start, entry.value.end) for entry in node.entries)
        elif isinstance(node, Sequence):
            yield from ((item.start, item.end) for item in node.items)


def let_go(found: Iterable[Diagnostic], written: tuple[Suppression, ...], document: Document) -> list[Diagnostic]:
    """The findings that no allowance lets go; an error is never let go. What an allowance let go, it notes as used."""
    if not written:
        return list(found)
    allowed = Allowances(written)
    return [one for one in found if one.severity is Severity.ERROR or not allowed.take(one.rule, *place(one, document))]


def place(diagnostic: Diagnostic, document: Document) -> tuple[int, int]:
    """A finding's place as offsets in its document."""
    span = diagnostic.span
    if span is None:
        return 0, 0
    start = document.offset(span.line, span.column)
    return start, document.offset(span.end_line, span.end_column)
