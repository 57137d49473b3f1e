"""Findings for people: the place first, so that editors can jump there, then the line with a caret under the fault."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.present import RuleText
from idempact.text.present._plain import summary, visible
from idempact.text.span import Document, Span

NAME = "text"

WINDOW = 100
"""The columns that a quoted line takes at most."""
_TAB = 4
_COLORS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}
_BLUE, _RESET = "\x1b[1;34m", "\x1b[0m"


def present(
    diagnostics: tuple[Diagnostic, ...], documents: Mapping[str, str], color: bool, rules: Mapping[str, RuleText]
) -> str:
    """The findings, each with its line, its related places and its remedy, and a line that counts them."""
    if not diagnostics:
        return ""
    opened: dict[str, _Opened] = {}
    blocks = [_block(diagnostic, documents, opened, color) for diagnostic in diagnostics]
    return "".join(f"{block}\n\n" for block in blocks) + summary(diagnostics) + "\n"


@dataclass(slots=True)
class _Opened:
    """A document of which the line asked for last is at hand: a long one with many findings is cut out once."""

    document: Document
    number: int = 0
    text: str = ""

    def line(self, number: int) -> str:
        if number != self.number:
            self.number, self.text = number, self.document.line(number)
        return self.text


def _paint(text: str, code: str, color: bool) -> str:
    return f"{code}{text}{_RESET}" if color and text else text


def _place(span: Span) -> str:
    return f"{visible(span.path)}:{span.line}:{span.column}"


def _block(diagnostic: Diagnostic, documents: Mapping[str, str], opened: dict[str, _Opened], color: bool) -> str:
    tint = _COLORS[diagnostic.severity]
    head = (
        f"{_paint(diagnostic.severity.value, tint, color)}: {visible(diagnostic.message)} [{visible(diagnostic.rule)}]"
    )
    lines = [head if diagnostic.span is None else f"{_place(diagnostic.span)}: {head}"]
    gutter = "   "
    if diagnostic.span is not None and diagnostic.span.path in documents:
        path = diagnostic.span.path
        if path not in opened:
            opened[path] = _Opened(Document(path, documents[path]))
        gutter = " " * (len(str(diagnostic.span.line)) + 1)
        lines += _quote(opened[path], diagnostic.span, gutter, tint, color)
    mark = gutter + _paint("=", _BLUE, color)
    for related in diagnostic.related:
        lines.append(f"{mark} {visible(related.message)}: {_place(related.span)}")
    if diagnostic.hint:
        first, *rest = diagnostic.hint.splitlines()
        lines.append(f"{mark} help: {visible(first)}")
        lines += [f"{gutter}        {visible(line)}" for line in rest]
    return "\n".join(lines)


def _quote(opened: _Opened, span: Span, gutter: str, tint: str, color: bool) -> list[str]:
    line = opened.line(span.line)
    end = span.end_column if span.end_line == span.line else len(line) + 1
    shown, before, width = excerpt(line, span.column, end)
    bar = _paint("|", _BLUE, color)
    number = _paint(str(span.line), _BLUE, color)
    return [
        f"{gutter}{bar}",
        f"{number} {bar} {shown}".rstrip(),
        f"{gutter}{bar} {' ' * before}{_paint('^' * width, tint, color)}",
    ]


def excerpt(line: str, column: int, end_column: int) -> tuple[str, int, int]:
    """What to show of *line*, the columns before the caret, and the caret's width, for characters from 1.

    Tabs are spread to stops of four columns. Of a line wider than :data:`WINDOW` the part around the caret is shown,
    cut ends marked by an ellipsis; a caret that would leave the part is cut, too. The width is at least one. The work
    doesn't grow with the line: no more than :data:`WINDOW` characters to either side of *column* are looked at.
    """
    start = min(max(column, 1), len(line) + 1) - 1
    begin, stop = max(start - WINDOW, 0), min(start + WINDOW, len(line))
    cells, edges = _cells(line[begin:stop])
    end = min(max(end_column - 1, start), stop) - begin
    left = edges[start - begin]
    right = max(edges[end], left + 1)
    low = max(0, min(left - WINDOW // 3, edges[-1] - WINDOW))
    first = next(i for i in range(len(edges)) if edges[i] >= low)
    last = next((i for i in range(len(cells), first, -1) if edges[i] <= low + WINDOW), first)
    lead = "…" if begin + first else ""
    tail = "…" if begin + last < len(line) else ""
    shift = len(lead) - edges[first]
    before = max(left + shift, len(lead))
    width = max(min(right, max(edges[last], left + 1)) + shift - before, 1)
    return f"{lead}{''.join(cells[first:last])}{tail}", before, width


def _cells(part: str) -> tuple[list[str], list[int]]:
    """Each character as it is shown, and the column at which each begins, with the part's width at the end."""
    cells: list[str] = []
    edges = [0]
    for character in part:
        cell, width = _cell(character)
        if character == "\t":
            width = _TAB - edges[-1] % _TAB
            cell = " " * width
        cells.append(cell)
        edges.append(edges[-1] + width)
    return cells, edges


@lru_cache(maxsize=4096)
def _cell(character: str) -> tuple[str, int]:
    cell = visible(character)
    return cell, display_width(cell)


def display_width(text: str) -> int:
    """The columns that *text* takes in a terminal: two for East Asian wide and full-width characters (UAX #11), none
    for combining marks and format characters."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
