"""The anchors that GitHub and Docusaurus give to headings: both number and spell them as ``github-slugger`` does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape

_KEPT = ("L", "M", "Nd", "Nl", "Pc")
# A code span's own content, then links by their words, tags, and the marks of emphasis.
_CODE = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"</?[a-z][^>]*>|\*+|\\(?=[!-/:-@\[-`{-~])")


def shown(heading: str) -> str:
    """What a reader sees of a heading's Markdown."""
    parts = []
    place = 0
    for span in _CODE.finditer(heading):
        parts += [_plain(heading[place : span.start()]), span[2]]
        place = span.end()
    return "".join((*parts, _plain(heading[place:])))


def _plain(text: str) -> str:
    return unescape(_MARKUP.sub("", _LINK.sub(r"\1", text)))


def slug(text: str) -> str:
    """The anchor of one heading's shown text: small letters, hyphens for spaces, no punctuation."""
    kept = (c for c in text.lower() if c in " -" or unicodedata.category(c).startswith(_KEPT))
    return "".join(kept).replace(" ", "-")


def slugs(headings: Iterable[str]) -> Iterator[str]:
    """The anchors of one page's headings (shown texts) in order; what comes again is numbered from 1."""
    seen: dict[str, int] = {}
    for heading in headings:
        first = found = slug(heading)
        while found in seen:
            seen[first] += 1
            found = f"{first}-{seen[first]}"
        seen[found] = 0
        yield found
