"""reStructuredText, as far as it decides what is prose (docutils' markup specification)."""

from __future__ import annotations

import re

from idempact.prose.blocks import Block, Comment, Outline, Scope
from idempact.prose.fragment import Code
from idempact.prose.lines import Line, block, lines_of, stripped
from idempact.text.dataclass import dataclass, field

SUFFIXES = (".rst", ".rest")
_LINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]*\|[ \t]+)?([A-Za-z][\w:.+-]*)::[ \t]*(.*)\Z")
_COMMENT = re.compile(r"\.\.(?:[ \t]+(.*))?\Z")
_TARGET = re.compile(r"\.\.[ \t]+(?:_|\[|__)")
_FIELD = re.compile(r":[A-Za-z][^:\n]{0,60}:(?:[ \t]|\Z)")
_ITEM = re.compile(r"(?:[-*+•]|[0-9A-Za-z]{1,3}[.)]|\([0-9A-Za-z]{1,3}\)|#\.)[ \t]+")
_TITLED = frozenset(
    [
        "note",
        "warning",
        "tip",
        "hint",
        "important",
        "caution",
        "danger",
        "attention",
        "admonition",
        "seealso",
        "topic",
        "sidebar",
        "versionadded",
        "versionchanged",
        "deprecated",
        "rubric",
        "centered",
        "epigraph",
        "tab-item",
        "dropdown",
    ]
)
_CODE = frozenset(["code", "code-block", "sourcecode", "highlight"])
_BODIES = _TITLED | frozenset(
    ["container", "only", "list-table", "table", "csv-table", "toctree-text", "compound", "class", "tab-set"]
)


def outline(text: str, name: str) -> Outline:
    """The paragraphs, titles and list items; literal blocks and the bodies of most directives are no prose."""
    return _Outliner().read(text)


@dataclass(slots=True)
class _Outliner:
    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    open: list[Line] = field(default_factory=list)
    skip: int | None = None
    """Lines that are indented deeper than this are no prose."""
    literal: bool = False
    """Whether a paragraph announced a literal block by two colons."""
    language: str = ""
    held: list[Line] = field(default_factory=list)

    def read(self, text: str) -> Outline:
        last_indent = 0
        for line in lines_of(text):
            place, body = stripped(line)
            indent = place - line[0]
            if not body:
                self._flush()
                continue
            if self.skip is not None:
                if indent > self.skip:
                    self.held.append(line)
                    continue
                self._end_code()
            if self.literal and indent > last_indent:
                self.skip, self.literal = last_indent, False
                self.held.append(line)
                continue
            self.literal = False
            last_indent = indent
            self._line(place, body, indent)
        self._flush()
        self._end_code()
        return Outline(tuple(self.blocks), tuple(self.comments), tuple(self.code))

    def _line(self, place: int, body: str, indent: int) -> None:
        if _LINE.match(body):
            self._flush(Scope.HEADING if len(self.open) == 1 else Scope.TEXT)
        elif directive := _DIRECTIVE.match(body):
            self._flush()
            self._directive(directive, place, indent)
        elif _TARGET.match(body):
            self._flush()
        elif comment := _COMMENT.match(body):
            self._flush()
            self.comments.append(Comment(comment.group(1) or "", place, place + len(body)))
            self.skip, self.language = indent, ""
        elif not self.open and _FIELD.match(body):
            found = _FIELD.match(body)
            at = found.end() if found else 0
            if body[at:].strip():
                self.open.append(stripped((place + at, body[at:])))
        else:
            item = _ITEM.match(body)
            if item:
                self._flush()
                place, body = place + item.end(), body[item.end() :]
            if body:
                self.open.append((place, body))
            self.literal = body.endswith("::")

    def _directive(self, directive: re.Match[str], place: int, indent: int) -> None:
        name, rest = directive.group(1).lower(), directive.group(2)
        if name in _CODE or name not in _BODIES:
            self.skip, self.language = indent, rest.split(" ")[0] if name in _CODE else ""
        elif name in _TITLED and rest:
            self.blocks.append(block(Scope.TEXT, [(place + directive.start(2), rest)]))

    def _end_code(self) -> None:
        lines = [(p, t) for p, t in self.held if not _FIELD.match(t.strip())]
        if lines and self.language:
            self.code.append(Code.of(self.language, tuple(lines)))
        self.skip, self.held, self.language = None, [], ""

    def _flush(self, scope: Scope = Scope.TEXT) -> None:
        if self.open:
            self.blocks.append(block(scope, self.open))
            self.open = []
