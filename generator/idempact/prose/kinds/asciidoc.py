"""AsciiDoc, as far as it decides what is prose (the language's documentation: blocks, sections, tables)."""

from __future__ import annotations

import re

from idempact.prose.blocks import Block, Comment, Outline, Scope
from idempact.prose.fragment import Code
from idempact.prose.lines import Line, block, lines_of, stripped
from idempact.text.dataclass import dataclass, field

SUFFIXES = (".adoc", ".asciidoc", ".asc")
_VERBATIM = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```[\w-]*)\Z")
_WRAPPER = re.compile(r"(?:={4,}|\*{4,}|_{4,}|--|[|,:!]===+)\Z")
_HEADING = re.compile(r"(?:={1,6}|#{1,6})[ \t]+")
_ATTRIBUTE = re.compile(r":!?[\w-]+!?:(?:[ \t]|\Z)")
_LIST = re.compile(r"\[[^\[\]]*\]\Z")
_LANGUAGE = re.compile(r"\[(?:source|,)[^,\]]*,[ ]?([\w+#-]+)")
_ITEM = re.compile(r"(?:[*.\-]{1,5}|[0-9]{1,3}\.|<[0-9.]{1,3}>)[ \t]+(?=\S)")
_MACRO = re.compile(r"(?:image|include|video|audio|toc|ifdef|ifndef|ifeval|endif)::?[^\s\[]*\[[^\]]*\]\Z")
_LABEL = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")


def outline(text: str, name: str) -> Outline:
    """The paragraphs, titles, list items and table rows; listings, literals and comments are no prose."""
    return _Outliner().read(text)


@dataclass(slots=True)
class _Outliner:
    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    open: list[Line] = field(default_factory=list)
    fence: str = ""
    language: str = ""
    held: list[Line] = field(default_factory=list)

    def read(self, text: str) -> Outline:
        for line in lines_of(text):
            place, body = stripped(line)
            if self.fence:
                if body == self.fence:
                    self._end_code()
                else:
                    self.held.append(line)
            elif not body:
                self._flush()
            else:
                self._line(line, place, body)
        self._flush()
        self._end_code()
        return Outline(tuple(self.blocks), tuple(self.comments), tuple(self.code))

    def _line(self, line: Line, place: int, body: str) -> None:
        if verbatim := _VERBATIM.match(body):
            self._flush()
            ticks = verbatim.group(1).startswith("```")
            self.fence = "```" if ticks else verbatim.group(1)
            self.language = (body[3:] or self.language) if ticks else self.language if body[0] == "-" else ""
        elif body.startswith("//"):
            self._flush()
            self.comments.append(Comment(body[2:], place, place + len(body)))
        elif _LIST.match(body):
            self._flush()
            language = _LANGUAGE.match(body)
            self.language = language.group(1) if language else ""
        elif _WRAPPER.match(body) or _ATTRIBUTE.match(body) or _MACRO.match(body) or body == "+":
            self._flush()
        elif heading := _HEADING.match(body):
            self._flush()
            self.blocks.append(block(Scope.HEADING, [(place + heading.end(), body[heading.end() :])]))
        elif body[0] in "|" or (body[0] == "." and body[1:2].strip() and not body.startswith("..")):
            self._flush()
            self.blocks.append(block(Scope.TABLE_ROW if body[0] == "|" else Scope.HEADING, [(place, body)]))
        elif not self.open and line[1][:1] in (" ", "\t") and not _ITEM.match(body):
            return  # an indented paragraph is literal
        else:
            lead = _ITEM.match(body) or _LABEL.match(body)
            if lead:
                self._flush()
                place, body = place + lead.end(), body[lead.end() :]
            self.open.append((place, body))

    def _end_code(self) -> None:
        if self.held and self.language:
            self.code.append(Code.of(self.language, tuple(self.held)))
        self.fence, self.held, self.language = "", [], ""

    def _flush(self) -> None:
        if self.open:
            self.blocks.append(block(Scope.TEXT, self.open))
            self.open = []
