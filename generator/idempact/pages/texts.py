"""The site as text, for readers that are programs: ``llms.txt``, and the Markdown source beside each page.

``llms.txt`` follows https://llmstxt.org: the name as heading, what matters most as a quote, then lists of links. They
lead to the Markdown sources, whose links lead to each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

from idempact.facts import Facts
from idempact.pages.editions import Edition
from idempact.pages.gfm import plain
from idempact.pages.render import front_matter, page_environment, split_front, tidy
from idempact.render.artifact import Artifact
from idempact.text.dataclass import dataclass

LISTING = "llms.txt"
# MkDocs turns `.md` into HTML, and leaves `.md.txt` as it is.
SOURCE = ".md.txt"
_TEMPLATE = f"texts/{LISTING}.jinja"
_LINK = re.compile(r"(\]\((?![a-z][a-z0-9+.-]*:|/)[^)\s]*?)\.md(?=[)#])")
_SPECIAL = re.compile(r"[|#>`~!=:<-]|\s|[*]\s|\d+[.)]\s|\[[^\]]*\]\([^)]*\)\{")
_SENTENCE = re.compile(r".*?(?:[.!?](?=\s|$)|[。！？])", re.S)


@dataclass(frozen=True, slots=True)
class Entry:
    """One page as the listing names it: its title, the path of its source, and what it says.

    ``sentence`` is the ``description`` of its front matter, or else its first sentence; it may be empty.
    """

    title: str
    path: str
    sentence: str


def as_text(
    facts: Facts, editions: Sequence[Edition], downloads: Sequence[tuple[str, str]], templates_dirs: Sequence[Path] = ()
) -> tuple[Artifact, ...]:
    """The sources of all pages, and each edition's listing; *downloads* are (name, path below the site's root)."""
    made: list[Artifact] = []
    for edition in editions:
        others = tuple(other for other in editions if other is not edition)
        made += sources(edition.site.artifacts)
        made.append(listing(facts, edition, downloads, others, templates_dirs))
    return tuple(made)


def sources(pages: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """The Markdown of each page, to be staged beside it.

    It is plain, with each drawing told in words; where a page has no plain form, all are as they were written.
    """
    written = tuple(page for page in pages if page.path.endswith(".md"))
    made = ((page.path.removesuffix(".md"), page.text) for page in plain(written, drawn=False).value or written)
    return tuple(Artifact(path + SOURCE, _LINK.sub(rf"\1{SOURCE}", text)) for path, text in made)


def listing(
    facts: Facts,
    edition: Edition,
    downloads: Sequence[tuple[str, str]],
    others: Sequence[Edition],
    templates_dirs: Sequence[Path] = (),
) -> Artifact:
    """The ``llms.txt`` of one edition, at its root; *downloads* are (name, path below the site's root)."""
    env = page_environment(edition.locale, templates_dirs)
    up = "../" * edition.folder.count("/")
    order = {entry.path: entry.order for entry in edition.site.nav}
    pages = sorted(
        (page for page in edition.site.artifacts if page.path.endswith(".md")),
        key=lambda page: (order.get(page.path, max(order.values(), default=0) + 1), page.path),
    )
    text = env.get_template(_TEMPLATE).render(
        facts=facts,
        title=edition.title,
        pages=[_entry(page, edition.folder) for page in pages if page.path in order],
        more=[_entry(page, edition.folder) for page in pages if page.path not in order],
        downloads=[(name, up + path) for name, path in downloads],
        others=[(other.name, f"{up}{other.folder}{LISTING}") for other in others],
    )
    return Artifact(edition.folder + LISTING, tidy(text, env.filters["say"]("locale.gap")))


def _entry(page: Artifact, folder: str) -> Entry:
    path = page.path.removeprefix(folder)
    front = front_matter(page.text)
    said = front.get("description") or first_sentence(page)
    return Entry(unescape(front.get("title", path)), path.removesuffix(".md") + SOURCE, said)


def first_sentence(page: Artifact) -> str:
    """The first sentence of a page's first paragraph of plain words, as Markdown; empty without one."""
    _, body = split_front(page.text)
    for block in re.split(r"\n{2,}", body.split("\n## ")[0].strip("\n")):
        if block and not _SPECIAL.match(block):
            words = " ".join(block.split())
            match = _SENTENCE.match(words)
            sentence = match[0] if match else words
            # A link's address counts from its page, and not from the listing.
            return re.sub(r"\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?", r"\1", sentence)
    return ""
