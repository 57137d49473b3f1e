"""Findings for people: the place first, so that editors can jump there, then the line with a caret under the fault."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

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
    opened: dict[str, Document] = {}
    blocks = [_block(diagnostic, documents, opened, color) for diagnostic in diagnostics]
    return "".join(f"{block}\n\n" for block in blocks) + summary(diagnostics) + "\n"


def _paint(text: str, code: str, color: bool) -> str:
    return f"{code}{text}{_RESET}" if color and text else text


def _place(span: Span) -> str:
    return f"{visible(span.path)}:{span.line}:{span.column}"


def _block(diagnostic: Diagnostic, documents: Mapping[str, str], opened: dict[str, Document], color: bool) -> str:
    tint = _COLORS[diagnostic.severity]
    head = (
        f"{_paint(diagnostic.severity.value, tint, color)}: {visible(diagnostic.message)} [{visible(diagnostic.rule)}]"
    )
    lines = [head if diagnostic.span is None else f"{_place(diagnostic.span)}: {head}"]
    gutter = "   "
    if diagnostic.span is not None and diagnostic.span.path in documents:
        path = diagnostic.span.path
        document = opened.setdefault(path, Document(path, documents[path]))
        gutter = " " * (len(str(diagnostic.span.line)) + 1)
        lines += _quote(document, diagnostic.span, gutter, tint, color)
    mark = gutter + _paint("=", _BLUE, color)
    for related in diagnostic.related:
        lines.append(f"{mark} {visible(related.message)}: {_place(related.span)}")
    if diagnostic.hint:
        first, *rest = diagnostic.hint.splitlines()
        lines.append(f"{mark} help: {visible(first)}")
        lines += [f"{gutter}        {visible(line)}" for line in rest]
    return "\n".join(lines)


def _quote(document: Document, span: Span, gutter: str, tint: str, color: bool) -> list[str]:
    line = document.line(span.line)
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
    cut ends marked by an ellipsis; a caret that would leave the part is cut, too. The width is at least one.
    """
    start = min(max(column, 1), len(line) + 1) - 1
    end = min(max(end_column - 1, start), len(line))
    cells, edges = _cells(line)
    left, right = edges[start], max(edges[end], edges[start] + 1)
    if edges[-1] <= WINDOW:
        return "".join(cells), left, right - left
    low = max(0, min(left - WINDOW // 3, edges[-1] - WINDOW))
    high = low + WINDOW
    first = next(i for i in range(len(line) + 1) if edges[i] >= low)
    last = next((i for i in range(len(line), first, -1) if edges[i] <= high), first)
    shown = "".join(cells[first:last])
    lead = "…" if first else ""
    tail = "…" if last < len(line) else ""
    shift = len(lead) - edges[first]
    before = max(left + shift, len(lead))
    width = max(min(right, edges[last]) + shift - before, 1)
    return f"{lead}{shown}{tail}", before, width


def _cells(line: str) -> tuple[list[str], list[int]]:
    """Each character as it is shown, and the column at which each begins, with the line's width at the end."""
    cells: list[str] = []
    edges = [0]
    for character in line:
        cell = " " * (_TAB - edges[-1] % _TAB) if character == "\t" else visible(character)
        cells.append(cell)
        edges.append(edges[-1] + display_width(cell))
    return cells, edges


def display_width(text: str) -> int:
    """The columns that *text* takes in a terminal: two for East Asian wide and full-width characters (UAX #11), none
    for combining marks and format characters."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
