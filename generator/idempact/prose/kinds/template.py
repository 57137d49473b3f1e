"""Templates: the text that they print, read as the kind that their inner suffix names (page.md.jinja is Markdown)."""

from __future__ import annotations

import re

from idempact.prose.blocks import Comment, Outline, markdown
from idempact.prose.passage import OPAQUE

OPTION = "templates"
SUFFIXES = (".jinja", ".jinja2", ".j2", ".tmpl", ".mustache", ".hbs", ".handlebars", ".liquid", ".erb", ".njk", ".tera")
_TAG = re.compile(r"\{\{.{0,400}?\}\}|\{%.{0,400}?%\}|\{#.{0,4000}?#\}|<%.{0,400}?%>", re.DOTALL)
# The comments of Jinja and its kin, of ERB, and of Handlebars and its kin.
_COMMENTS = ("{#", "<%#", "{{!")
_SPOKEN = re.compile(r"idempact:[^\r\n]*?(?=\s*-*(?:#\}|%>|\}\}))")


def outline(text: str, name: str) -> Outline:
    """The template's own words; what it fills in stands as a character that is no letter, statements as space."""
    from idempact.prose.kinds import kind_of

    bare = _TAG.sub(_blank, text)
    inner = kind_of(name.rpartition(".")[0])
    read = inner.outline(bare) if inner is not None else markdown(bare)
    if "idempact:" not in text:
        return read
    own = (tag for tag in _TAG.finditer(text) if tag.group().startswith(_COMMENTS))
    spoken = [Comment(said.group(), tag.start(), tag.end()) for tag in own if (said := _SPOKEN.search(tag.group()))]
    comments = tuple(sorted((*read.comments, *spoken), key=lambda comment: comment.start))
    return Outline(read.blocks, comments, read.code)


def _blank(found: re.Match[str]) -> str:
    tag = found.group()
    filler = OPAQUE if tag.startswith(("{{", "<%=")) and not tag.startswith(_COMMENTS) else " "
    return re.sub(r"[^\r\n]", filler, tag)
