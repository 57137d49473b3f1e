"""Markdown cut into blocks of prose with their exact places.

CommonMark 0.31.2 sections 4 and 5, GFM tables, front matter, and Material's admonitions and tabs, as far as they
decide what is prose. Out: fenced and indented code, HTML comments, script, style and pre elements, link definitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from idempact.prose.fragment import Code
from idempact.prose.inline import passage
from idempact.prose.passage import Passage
from idempact.text.dataclass import dataclass, field


class Scope(StrEnum):
    """What kind of block a passage is."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    TABLE_ROW = "table row"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of prose; ``start`` and ``end`` are the places of its first and behind its last line in the source.

    ``coded`` is its prose with the words of code in it, where ``lines`` don't tell; a table's row knows its ``head``.
    """

    scope: Scope
    passage: Passage
    start: int
    end: int
    lines: tuple[tuple[int, str], ...] = ()
    coded: Passage | None = None
    head: Block | None = None

    def with_code(self) -> Passage:
        """The block's prose with the words of its code spans, which name headers, codes and statuses."""
        return passage(self.lines, code=True)[0] if self.lines else self.coded or self.passage


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of HTML or MDX: its text without the marks, and where it stands with them."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A text's prose, comments and code, each in order of place; a ``partial`` one leaves some of them out."""

    blocks: tuple[Block, ...]
    comments: tuple[Comment, ...]
    code: tuple[Code, ...] = ()
    partial: bool = False


_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r"(`{3,}+(?=[^`]*\Z)|~{3,})")
_FENCE_NAME = re.compile(r"[ \t]*+\{?[ \t]*+\.?([A-Za-z0-9_+#-]+)")
_HEADING = re.compile(r"#{1,6}(?=[ \t]|\Z)[ \t]*")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|\Z)")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===!?\+?)[ \t]+(?:[\w-]++[ \t]*+)*+(?:([\"'])(.*)\1[ \t]*)?\Z")
# Docusaurus, VitePress, MyST and Pandoc open an admonition so, and close it by the colons alone; Obsidian in a quote.
_DIRECTIVE = re.compile(r"(?::{3,}+[ \t]*+(?:\{[^{}]*+\}|[\w-]++)?[ \t]*+\[?|\[![\w-]++\][-+]?[ \t]*+)([^\[\]{}]*+)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(r"(?:[-*_][ \t]*+){3,}+\Z")
_DIVIDER = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)*+\Z")
_DEFINITION = re.compile(r"\[[^\]\^][^\]]*\]:[ \t]*\S")
_RAW_HTML = re.compile(r"<(script|style|pre|textarea|svg)(?=[\s>]|\Z)", re.IGNORECASE)
# Of YAML and of TOML, in whose quotes a whole text stands as the value that it is, quoting nobody.
_FRONT_TEXT = re.compile(
    r"(?:title|description|summary|subtitle)[ \t]*[:=][ \t]*(?![|>{\[])"
    r"""(?:"((?:[^"\\\r\n]|\\.)*+)"[ \t]*(?:\#.*)?\Z|'((?:[^'\r\n]|'')*+)'[ \t]*(?:\#.*)?\Z|(\S[^\r\n]*))"""
)
_FRONT = (
    (re.compile(r"---[ \t]*(?:\r\n|\r|\n)"), re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)),
    (re.compile(r"\+\+\+[ \t]*(?:\r\n|\r|\n)"), re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)),
)


# Of HTML, and of MDX, which has none of HTML's.
_COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))
# Lines that change nothing for what follows: no fence, quote, element or comment among them, the first at the margin;
# then blank lines, and another line at the margin, where a list or an admonition would end.
_NEUTRAL = re.compile(
    r"(?! )(?:[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?(?!```|~~~|[<>\n\r])[^\n\r<]*+\n)++(?:\n++(?![ \t])|\Z)"
)
_FENCED = re.compile(r"(`{3,})[^`\n\r]*+\n(?:(?!\1)[^\n\r]*+\n)*+\1`*+[ \t]*+\n(?:\n++(?![ \t])|\Z)")


@dataclass(frozen=True, slots=True)
class Interest:
    """What of a text matters: ``prose`` and ``code`` say of the stretch between two places whether anything in it does.

    A stretch is made of whole lines.
    """

    prose: Callable[[int, int], bool]
    code: Callable[[int, int], bool]


def markdown(text: str, keep: Interest | None = None) -> Outline:
    """The prose, comments and code of a Markdown text. Total: any text has an outline; time is linear in the text.

    With *keep*, what doesn't matter may be left out.
    """
    return _Outliner(text, keep).read()


@dataclass(slots=True)
class _Outliner:
    """One pass over the lines."""

    text: str
    keep: Interest | None = None
    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    open: list[tuple[int, str]] = field(default_factory=list)
    fence: str = ""
    fence_depth: int = 0
    fence_name: str = ""
    fenced: list[tuple[int, str]] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    depth: int = 0
    """How many block quotes the line stands in."""
    raw: str = ""
    """The closing tag of the raw element that is open."""
    indent: int = 0
    """The indent at which the open list item's or admonition's content stands."""
    blank: bool = True
    head: Block | None = None
    """The head of the table that the line before belongs to."""
    resume: int = 0
    """Where a comment that began before ends; lines before are not prose."""

    def read(self) -> Outline:
        text, at, kept = self.text, self._front_matter(), 0
        while at < len(text):
            if self.keep is not None and at >= kept and at >= self.resume and self._between():
                kept = self._uninteresting(at)
                if kept > at:
                    at, self.indent = kept, 0
                    continue
                kept = -kept
            line = _LINE.match(text, at)
            if line is None:
                break
            self._line(line.start(1), line.group(1))
            at = line.end()
        self._flush()
        self._end_fence()
        self.comments.sort(key=lambda comment: comment.start)
        return Outline(tuple(self.blocks), tuple(self.comments), tuple(self.code), self.keep is not None)

    def _uninteresting(self, at: int) -> int:
        """The end of what begins at *at* and may be left out; else minus the place until which that is settled."""
        if self.keep is None:
            return -at
        neutral = _NEUTRAL.match(self.text, at)
        if neutral:
            return -neutral.end() if self.keep.prose(*neutral.span()) else neutral.end()
        fenced = _FENCED.match(self.text, at)
        if fenced:
            return -fenced.end() if self.keep.code(*fenced.span()) else fenced.end()
        return -at

    def _between(self) -> bool:
        """Whether no block is open, so that the next line begins one."""
        return self.blank and not (self.open or self.fence or self.raw)

    def _front_matter(self) -> int:
        """Take the titles out of YAML's or TOML's front matter; where the body begins."""
        begin = 1 if self.text.startswith("\ufeff") else 0
        fences = next(((m.end(), end) for start, end in _FRONT if (m := start.match(self.text, begin))), None)
        closing = fences and fences[1].search(self.text.replace("\r", "\n"), fences[0])
        if fences is None or not closing:
            return begin
        for line in _LINE.finditer(self.text, fences[0], closing.start()):
            found = _FRONT_TEXT.match(line.group(1))
            if found and found.lastindex:
                self._add(Scope.TITLE, [(line.start(1) + found.start(found.lastindex), found.group(found.lastindex))])
            if line.end() >= closing.start():
                break
        return closing.end()

    def _line(self, place: int, line: str) -> None:
        if place < self.resume:
            cut = self.resume - place
            if cut >= len(line):
                return
            place, line = place + cut, line[cut:]
        place, line, depth = _without_quotes(place, line, self.fence_depth if self.fence else 50)
        body = line.lstrip(" \t")
        indent = _width(line[: len(line) - len(body)])
        place += len(line) - len(body)
        if self.fence and depth == self.fence_depth:
            closes = re.match(r"[`~]+", body)
            if closes and closes.group().startswith(self.fence) and not body[closes.end() :].strip():
                self._end_fence()
            else:
                self.fenced.append((place - (len(line) - len(body)), line))
            return
        if self.fence:
            self._end_fence()  # a fence in a block quote ends with it
        self.depth = depth
        if self.raw:
            if self.raw in body.lower():
                self.raw = ""
            return
        if not body:
            self._flush()
            self.blank, self.head = True, None
            return
        if self.blank:
            self.indent = min(self.indent, indent)
        if self.blank and not self.open and indent >= self.indent + 4:
            return  # indented code; a blank line must follow before prose can stand at this indent
        self.blank = False
        self._block(place, body, indent)

    def _block(self, place: int, body: str, indent: int) -> None:
        """A line that is no code: where it begins a block, the open one ends."""
        fence = _FENCE.match(body)
        if fence:
            self._flush()
            self.fence, self.fence_depth = fence.group(1), self.depth
            name = _FENCE_NAME.match(body, fence.end())
            self.fence_name = name.group(1) if name else ""
            return
        raw = _RAW_HTML.match(body)
        if raw:
            self._flush()
            closing = f"</{raw.group(1).lower()}"
            self.raw = "" if closing in body.lower() else closing
            return
        if self._comment(place, body, indent):
            return
        item = None if _RULE.match(body) else _ITEM.match(body)
        if item:
            self._flush()
            self.indent = indent + min(_width(item.group()), 4)
            self._block(place + item.end(), body[item.end() :], self.indent) if body[item.end() :] else None
            return
        if self.open and _UNDERLINE.match(body):
            self._flush(Scope.HEADING)
        elif "-" in body and _DIVIDER.match(body):
            self._flush()
            last = self.blocks[-1] if self.blocks else None
            if last is not None and last.scope is Scope.TABLE_ROW and not self.text[last.end : place].strip(" \t\r\n>"):
                self.head = last
                return
        elif _RULE.match(body) or _DEFINITION.match(body):
            self._flush()
        elif heading := _HEADING.match(body):
            self._flush()
            self._add(Scope.HEADING, [(place + heading.end(), body[heading.end() :])])
        elif admonition := _ADMONITION.match(body):
            self._flush()
            self.indent = indent + 4
            if admonition.group(2):
                self._add(Scope.HEADING, [(place + admonition.start(2), admonition.group(2))])
        elif directive := _DIRECTIVE.match(body) if body[0] == ":" or self.depth else None:
            self._flush()
            self._add(Scope.TEXT, [(place + directive.start(1), directive.group(1))])
        elif body.startswith("|"):
            self._flush()
            self._add(Scope.TABLE_ROW, [(place, body)], self.head)
            return
        else:
            self.open.append((place, body))
        self.head = None

    def _comment(self, place: int, body: str, indent: int) -> bool:
        """Take a comment that begins the line; whether the line is done with."""
        marks = next((marks for marks in _COMMENTS if body.startswith(marks[0])), None)
        if marks is None:
            return False
        begin = place + len(marks[0])
        close = self.text.find(marks[1], begin)
        end = close + 3 if close >= 0 else len(self.text)
        self._flush()
        self.comments.append(Comment(self.text[begin : close if close >= 0 else end], place, end))
        self.resume = end
        rest = body[end - place :]
        if rest.strip():
            lead = len(rest) - len(rest.lstrip())
            self._block(end + lead, rest.lstrip(), indent)
        return True

    def _end_fence(self) -> None:
        if self.fenced:
            self.code.append(Code.of(self.fence_name, tuple(self.fenced)))
            self.fenced = []
        self.fence = ""

    def _flush(self, scope: Scope = Scope.TEXT) -> None:
        if self.open:
            self._add(scope, self.open)
            self.open = []

    def _add(self, scope: Scope, lines: list[tuple[int, str]], head: Block | None = None) -> None:
        last_place, last = lines[-1]
        if last.strip() or len(lines) > 1:
            prose, inside = passage(lines)
            self.comments += (Comment(self.text[a + 4 : b - 3], a, b) for a, b in inside)
            self.blocks.append(Block(scope, prose, lines[0][0], last_place + len(last), tuple(lines), head=head))


def _without_quotes(place: int, line: str, most: int) -> tuple[int, str, int]:
    """The line without its block quote marks (the first *most* of them), and how many those were."""
    depth = at = 0
    while True:
        mark = _QUOTE.match(line, at) if depth < most else None
        if mark is None:
            return place + at, line[at:], depth
        at = mark.end()
        depth += 1


def _width(space: str) -> int:
    """The columns that leading white space or a marker takes, tabs to stops of four."""
    column = 0
    for character in space:
        column += 4 - column % 4 if character == "\t" else 1
    return column
