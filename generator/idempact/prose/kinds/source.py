"""Source code: the prose in its comments and docstrings, and the code itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.blocks import Block, Comment, Outline, Scope
from idempact.prose.fragment import Code
from idempact.prose.lines import Line, block, lines_of, paragraphs

OPTION = "sources"
SUFFIXES = (
    *(".py", ".rb", ".sh", ".bash"),
    *(".ts", ".tsx", ".js", ".jsx", ".mjs", ".go", ".java", ".kt", ".rs", ".cs", ".swift", ".php"),
    *(".sql",),
)
# What a comment or a text begins with, longest first; every alternative ends at a character that it could begin with.
_HASH = r"(?P<line>\#[^\r\n]*)"
_SLASH = r"(?P<line>//[^\r\n]*)|(?P<many>/\*)"
_DASH = r"(?P<line>--[^\r\n]*)|(?P<many>/\*)"
_TEXT = r"(?P<long>\"\"\"|''')|\"(?:[^\"\\\r\n]|\\.)*+\"|'(?:[^'\\\r\n]|\\.)*+'"
# What ends right before a docstring: nothing, a line, or a byte-order mark.
_BEFORE = ("", "\n", "\r", "\ufeff")
_BREAK = re.compile(r"\r\n?|\n")
_MARKS = re.compile(r"[ \t]*(?:#+!?|/{2,}!?|/\*+!?|\*+/?|--+|;+|\"\"\"|''')?[ \t]?")


def _pattern(name: str) -> re.Pattern[str]:
    if name.endswith((".py", ".rb", ".sh", ".bash")):
        return re.compile(f"{_HASH}|{_TEXT}")
    if name.endswith(".sql"):
        return re.compile(f"{_DASH}|{_TEXT}")
    return re.compile(
        f"{_SLASH}|{_TEXT}|`(?:[^`\\\\]|\\\\.)*+`"
        + (f"|{_HASH.replace('line', 'hash')}" if name.endswith(".php") else "")
    )


def outline(text: str, name: str) -> Outline:
    """The comments' paragraphs, and the whole text as code; a comment that speaks to us is an allowance."""
    blocks: list[Block] = []
    comments: list[Comment] = []
    for lines in _comments(text, name):
        for paragraph in paragraphs(lines):
            first = paragraph[0]
            if first[1].startswith("idempact:"):
                comments.append(Comment(first[1], first[0], first[0] + len(first[1])))
                paragraph = paragraph[1:]
            if paragraph:
                blocks.append(block(Scope.TEXT, paragraph))
    suffix = name.rpartition(".")[2]
    return Outline(tuple(blocks), tuple(comments), (Code.of(suffix, tuple(lines_of(text))),) if text.strip() else ())


def _comments(text: str, name: str) -> Iterator[list[Line]]:
    """Each run of comments, as lines without their marks; line comments on lines in a row are one run."""
    pattern = _pattern(name)
    python = name.endswith(".py")
    run: list[Line] = []
    last = at = 0
    while True:
        found = pattern.search(text, at)
        if found is None:
            break
        at = found.end()
        groups = found.groupdict()
        if groups.get("line") or groups.get("hash"):
            if run and len(_BREAK.findall(text, last, found.start())) > 1:
                yield run
                run = []
            run.append(_bare(found.start(), found.group()))
            last = found.end()
        elif groups.get("many") or groups.get("long"):
            closing = "*/" if groups.get("many") else found.group()
            end = text.find(closing, at)
            end = end if end >= 0 else len(text)
            docstring = groups.get("many") or (
                python and text[max(found.start() - 200, 0) : found.start()].rstrip(" \trRuU")[-1:] in _BEFORE
            )
            if docstring:
                yield [_bare(at + place, line) for place, line in lines_of(text[at:end])]
            at = min(end + len(closing), len(text))
    if run:
        yield run


def _bare(place: int, line: str) -> Line:
    marks = _MARKS.match(line)
    cut = marks.end() if marks else 0
    return place + cut, line[cut:]
