"""HTML cut into blocks of prose (HTML Living Standard, 13.1.2 and 13.2.5, as far as it matters)."""

from __future__ import annotations

import re

from idempact.prose.blocks import Block, Comment, Outline, Scope
from idempact.prose.fragment import Code
from idempact.prose.lines import lines_of
from idempact.prose.passage import OPAQUE, STOP, Builder
from idempact.text.dataclass import dataclass, field

SUFFIXES = (".html", ".htm", ".xhtml")
_TOKEN = re.compile(
    r"<!--|<(?P<close>/?)(?P<name>[A-Za-z][\w:-]*)(?P<rest>(?:[^<>\"']|\"[^\"<]{0,2000}\"|'[^'<]{0,2000}')*+)>|<![^>]*>"
)
_RAW = frozenset({"script", "style", "textarea", "svg", "math", "template", "noscript", "object", "iframe"})
_OPAQUE = frozenset({"code", "kbd", "samp", "var", "tt"})
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "input",
        "ins",
        "label",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "wbr",
    ]
)
_SCOPES = {"title": Scope.TITLE, "tr": Scope.TABLE_ROW}
_SCOPES |= {f"h{n}": Scope.HEADING for n in range(1, 7)}
_CELLS = frozenset({"td", "th"})
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush:)-?\s?([\w+#-]+)")


def outline(text: str, name: str) -> Outline:
    """The text between tags, block by block; code, scripts, styles and attributes are no prose."""
    return _Outliner(text).read()


@dataclass(slots=True)
class _Outliner:
    text: str
    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    scope: Scope = Scope.TEXT
    prose: Builder = field(default_factory=Builder)
    coded: Builder = field(default_factory=Builder)
    """The same with the words of code."""
    cells: set[str] = field(default_factory=set)
    """The elements that the open row's cells are."""
    head: Block | None = None
    first: int = -1
    last: int = -1

    def read(self) -> Outline:
        text, at = self.text, 0
        lower = text.lower() if len(text.lower()) == len(text) else text
        while True:
            token = _TOKEN.search(text, at)
            if token is None:
                break
            self._words(at, token.start())
            at = token.end()
            if token.group() == "<!--":
                close = text.find("-->", at)
                end = close + 3 if close >= 0 else len(text)
                self.comments.append(Comment(text[at : close if close >= 0 else end], token.start(), end))
                at = end
                continue
            name = (token["name"] or "").lower()
            if not token["close"] and (name in _RAW or name == "pre" or name in _OPAQUE):
                close = lower.find(f"</{name}", at)
                close = close if close >= 0 else len(text)
                self._aside(name, token["rest"], at, close)
                at = close
            elif name and name not in _INLINE and name not in _OPAQUE:
                self._border(name, bool(token["close"]), token.start(), token.end())
        self._words(at, len(text))
        self._flush()
        return Outline(tuple(self.blocks), tuple(self.comments), tuple(self.code))

    def _border(self, name: str, closes: bool, start: int, end: int) -> None:
        """A tag that parts what is before it from what is behind: blocks, or in a table's row cells and paragraphs."""
        if self.scope is Scope.TABLE_ROW and name not in ("tr", "table", "thead", "tbody", "tfoot"):
            if name not in _CELLS:
                self._mark(STOP, start, end - start)
            elif not closes:
                self.cells |= {name}
                self._mark("|", start, end - start)
            return
        self._flush()
        if name == "table":
            self.head = None
        self.scope = Scope.TEXT if closes else _SCOPES.get(name, Scope.TEXT)

    def _mark(self, mark: str, start: int, width: int) -> None:
        for builder in (self.prose, self.coded):
            builder.add(mark, start, width)

    def _aside(self, name: str, attributes: str, start: int, end: int) -> None:
        """An element whose content is no prose: code in a line stands in it as one character."""
        if name in _OPAQUE:
            if end > start:
                self.prose.add(OPAQUE, start, end - start)
                self.coded.add(self.text[start:end], start)
                self._reach(start, end)
            return
        self._flush()
        language = _LANGUAGE.search(attributes + self.text[start : start + 200]) if name == "pre" else None
        if language:
            lines = tuple((start + place, line) for place, line in lines_of(self.text[start:end]))
            self.code.append(Code.of(language.group(1), lines))

    def _words(self, start: int, end: int) -> None:
        if end > start:
            words = self.text[start:end]
            self.prose.add(words, start)
            self.coded.add(words, start)
            if words.strip():
                self._reach(start, end)

    def _reach(self, start: int, end: int) -> None:
        self.first = start if self.first < 0 else self.first
        self.last = end

    def _flush(self) -> None:
        if self.first >= 0:
            head = self.head if self.scope is Scope.TABLE_ROW else None
            coded = self.coded.passage()
            self.blocks.append(Block(self.scope, self.prose.passage(), self.first, self.last, coded=coded, head=head))
            if self.cells == {"th"}:
                self.head = self.blocks[-1]
        self.prose, self.coded, self.first, self.last = Builder(), Builder(), -1, -1
        self.cells = set()
