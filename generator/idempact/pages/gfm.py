"""Pages for Material as plain Markdown that GitHub shows, and that compiles as MDX for Docusaurus.

Only the constructs that our templates use are turned; one that isn't known here is refused, since it would show as
rubbish on one of the two. Sources: GitHub Flavored Markdown 0.29; MDX 3, "What is MDX?" (no autolinks, no comments, no
unknown tags, braces and ``import`` act); Docusaurus 3, "Markdown links" and "Front matter".
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape

from idempact.pages.render import front_matter, split_front, tidy
from idempact.pages.slug import shown, slugs
from idempact.render.artifact import Artifact
from idempact.render.literals import md_text, yaml
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity

DRAWINGS = "drawings"
_FENCE = re.compile(r"( *)(```+|~~~+)(.*)$")
_HEADING = re.compile(r"(#{1,6}) (.*?)(?: +\{ *#([\w-]+) *\})? *$")
_TAB = re.compile(r'=== "(.*)"$')
_ADMONITION = re.compile(r'!!! \w+ "(.*)"$')
_DRAWING = re.compile(
    r'<div class="drawing">(<svg [^>]*aria-labelledby="(\S+)-title [^>]*>)'
    r"(<title[^>]*>(.*?)</title><desc[^>]*>(.*?)</desc>.*</svg>)</div>$"
)
_UNKNOWN_BLOCK = re.compile(r"\s*(?:!!!|\?\?\?|=== |/// |--8<--|\[TOC\]|\*\[[^\]]*\]:|<(?:div|svg|details|p)\b)")
_INLINE = re.compile(
    r"""(?P<kept>\\[!-/:-@\[-`{-~]|&(?:\#\d+|\#x[0-9a-fA-F]+|\w+);|</?(?:code|sub|sup|kbd)>)
    |(?P<code>(?P<ticks>`+)(?:.+?)(?<!`)(?P=ticks)(?!`))
    |(?P<comment><!--.*?-->)
    |(?P<auto><(?P<address>[a-zA-Z][a-zA-Z0-9+.-]+:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>)
    |(?P<br><br\ ?/?>)
    |(?P<small><small\ class="derived">|</small>)
    |(?P<to>\]\((?P<target>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\))(?P<marks>\{\ hreflang=\S+\ lang=\S+\ \})?
    |(?P<refused>\{:?\ *(?:\#|\.|[a-z-]+=)[^}\n]*\}|</?[a-zA-Z!?]|:(?:material|octicons|fontawesome|simple)-[\w-]+:)
    |(?P<escaped>[{}<])
    |(?P<module>^(?:import|export)\b)""",
    re.X | re.S | re.M,
)
# In a file of its own, a drawing takes its ink from the reader's system, since no theme reaches it.
_INK = "<style>:root{color:#1f2328}@media(prefers-color-scheme:dark){:root{color:#d1d7e0}}</style>"


class _Refused(ValueError):
    """A construct that has no known form in plain Markdown."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a page: a heading (with its anchor in Material's page, if it names one), code, or text."""

    kind: str
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class _Page:
    path: str
    front: str
    pieces: tuple[_Piece, ...]
    drawings: tuple[Artifact, ...]
    anchors: Mapping[str, str]


def plain(pages: Sequence[Artifact], *, drawn: bool = True) -> Checked[tuple[Artifact, ...]]:
    """The pages in plain Markdown, at the same paths, with their drawings as files beside them.

    Without *drawn*, a drawing's description stands in its place. Anchors become those of :mod:`idempact.pages.slug`.
    Findings: what has no form in plain Markdown, and anchors that lead nowhere.
    """
    read: dict[str, _Page] = {}
    found: list[Diagnostic] = []
    for page in pages:
        try:
            read[page.path] = _read(page, drawn)
        except _Refused as error:
            found.append(_refusal(page.path, error))
    made: list[Artifact] = []
    for path, turned in read.items():
        try:
            made += (Artifact(path, _written(turned, read)), *turned.drawings)
        except _Refused as error:
            found.append(_refusal(path, error))
    return Checked(None if found else tuple(made), tuple(found))


def _refusal(path: str, error: _Refused) -> Diagnostic:
    return Diagnostic(
        "build/no-plain-markdown",
        Severity.ERROR,
        f"{path}: {error}",
        None,
        subject=path,
        hint="write it in plain Markdown, or as the shipped templates do",
    )


def _read(page: Artifact, drawn: bool) -> _Page:
    front, body = split_front(page.text)
    drawings: list[Artifact] = []
    pieces = tuple(_pieces(body.splitlines(), 1, posixpath.dirname(page.path), drawings if drawn else None))
    headings = [piece for piece in pieces if piece.kind == "heading"]
    names = tuple(slugs(shown(piece.text.lstrip("#").strip()) for piece in headings))
    anchors = {name: name for name in names}
    anchors.update({piece.anchor: name for piece, name in zip(headings, names, strict=True) if piece.anchor})
    return _Page(page.path, _front(front, page.text) if front else "", pieces, tuple(drawings), anchors)


def _front(front: str, text: str) -> str:
    """The front matter; the order in the navigation becomes Docusaurus' ``sidebar_position``."""
    values = front_matter(text)
    lines = []
    for chunk in re.split(r"^(?=\S)", front, flags=re.M)[1:]:
        key = chunk.partition(":")[0]
        if key == "order":
            lines.append(f"sidebar_position: {values[key]}\n")
        elif key in ("title", "description") and key in values:
            lines.append(f"{key}: {yaml(unescape(values[key]))}\n")
        else:
            lines.append(chunk)
    return f"---\n{''.join(lines)}---\n"


def _pieces(lines: Sequence[str], level: int, folder: str, drawings: list[Artifact] | None) -> Iterator[_Piece]:
    """The stretches of a page; tabs become sections one *level* below the heading that they stand under."""
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if fence := _FENCE.match(line):
            end = next((n for n in range(place, len(lines)) if lines[n].strip() == fence[2]), None)
            if end is None or fence[3].lstrip().startswith("{"):
                raise _Refused(f"this fence is none of plain Markdown: {line.strip()}")
            yield _Piece("code", "\n".join(lines[place - 1 : end + 1]))
            place = end + 1
        elif heading := _HEADING.match(line):
            level = len(heading[1])
            yield _Piece("heading", f"{heading[1]} {heading[2]}", heading[3] or "")
        elif tab := _TAB.match(line):
            inside, place = _indented(lines, place)
            depth = min(level + 1, 6)
            yield from (_Piece("text", ""), _Piece("heading", f"{'#' * depth} {tab[1]}"), _Piece("text", ""))
            yield from _pieces(inside, depth, folder, drawings)
        elif note := _ADMONITION.match(line):
            inside, place = _indented(lines, place)
            if any(_FENCE.match(each) or _UNKNOWN_BLOCK.match(each) for each in inside):
                raise _Refused(f"there is more than words in this note: {line}")
            quoted = (f"> {each}".rstrip() for each in ("", *inside))
            yield _Piece("text", "\n".join((f"> **{note[1]}**", *quoted)) + "\n")
        elif drawing := _DRAWING.match(line):
            yield _drawn(drawing, folder, drawings)
        elif _UNKNOWN_BLOCK.match(line):
            raise _Refused(f"this has no known form in plain Markdown: {line.strip()[:80]}")
        else:
            yield _Piece("text", line)


def _indented(lines: Sequence[str], place: int) -> tuple[list[str], int]:
    """The lines from *place* on that belong to the block before them, without their indent, and where they end."""
    end = place
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith("    ")):
        end += 1
    inside = [line[4:] for line in lines[place:end]]
    while inside and not inside[-1].strip():
        inside.pop()
    return inside, end


def _drawn(drawing: re.Match[str], folder: str, drawings: list[Artifact] | None) -> _Piece:
    start, name, rest, title, description = drawing.groups()
    if drawings is None:
        return _Piece("text", f"*{title}*: {description}")
    drawings.append(Artifact(posixpath.join(folder, DRAWINGS, f"{name}.svg"), f"{start}{_INK}{rest}\n"))
    words = md_text(unescape(f"{title}: {description}"))
    return _Piece("text", f"![{words}]({DRAWINGS}/{name}.svg)")


def _written(page: _Page, pages: Mapping[str, _Page]) -> str:
    out: list[str] = []
    run: list[str] = []
    for piece in (*page.pieces, _Piece("code", "")):
        if piece.kind != "code":
            run.append(piece.text)
            continue
        # Inline marks may go on over lines, but not over a blank one.
        blocks = re.split(r"(\n(?:[ \t]*\n)+)", "\n".join(run))
        out += ["".join(_inline(block, page, pages) for block in blocks), piece.text]
        run = []
    body = "\n".join(part for part in out if part)
    return page.front + tidy(body)


def _inline(text: str, page: _Page, pages: Mapping[str, _Page]) -> str:
    def put(match: re.Match[str]) -> str:
        if match["kept"] or match["code"]:
            return match[0]
        if match["refused"]:
            line = text[text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
            raise _Refused(f"this has no known form in plain Markdown: {match[0]} in “{line.strip()[:80]}”")
        if match["auto"]:
            address = match["address"]
            scheme = "mailto:" if "@" in address and ":" not in address else ""
            return f"[{md_text(address)}]({scheme}{_safe(address)})"
        if match["to"] is not None:
            return f"]({_safe(_address(match['target'], page, pages))})"
        if match["small"]:
            return "</sub>" if match["small"].startswith("</") else "<sub>"
        if match["module"]:
            return f"&#{ord(match[0][0])};{match[0][1:]}"
        return "<br />" if match["br"] else "" if match["comment"] else f"&#{ord(match[0])};"

    return _INLINE.sub(put, text)


def _safe(address: str) -> str:
    return address.replace("{", "%7B").replace("}", "%7D")


def _address(target: str, page: _Page, pages: Mapping[str, _Page]) -> str:
    """A link's target with the anchor that it has in plain Markdown."""
    path, mark, anchor = target.partition("#")
    if not mark or re.match(r"[a-z][a-z0-9+.-]*:|//", target):
        return target
    named = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path
    anchors = pages[named].anchors if named in pages else {}
    if anchor not in anchors:
        raise _Refused(f"there is no heading at {target}")
    return f"{path}#{anchors[anchor]}"
