"""Editions: the site in several languages, the first at the root and each further one in a folder of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from idempact.pages.page import CodeTab, LoopSection
from idempact.pages.render import Site
from idempact.render.artifact import Artifact
from idempact.render.literals import yaml
from idempact.text.dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Edition:
    """The site in one language: its locale, the language's own name, the site's title in it, and its pages.

    ``folder`` is where it lies below the site's root: empty for the first edition, and ``zh/`` for a further one.
    ``terms`` are the words that the search keeps whole, where the language is written without spaces.
    """

    locale: str
    name: str
    title: str
    folder: str
    site: Site
    terms: tuple[str, ...] = ()


def folder_of(locale: str, locales: Sequence[str]) -> str:
    """Where the edition of a locale lies: at the root for the first of *locales*, else in a folder of its name."""
    return "" if locale == locales[0] else f"{locale}/"


def sources_of(locale: str, locales: Sequence[str], sources: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The hand-written pages of one edition: its folder's own, and those of the root that it doesn't replace.

    The paths that are returned are below the edition's folder.
    """
    folders = tuple(folder_of(other, locales) for other in locales[1:])
    common, own = {}, {}
    folder = folder_of(locale, locales)
    for path, text in sources:
        if folder and path.startswith(folder):
            own[path.removeprefix(folder)] = text
        elif not path.startswith(folders):
            common[path] = text
    return tuple(sorted({**common, **own}.items()))


def pages_of(locale: str, locales: Sequence[str], pages: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The Markdown pages that lie in one edition's folder; those of the root are of the first edition alone.

    Their links can't be moved, as a template's can. The paths that are returned are below the edition's folder.
    """
    folder = folder_of(locale, locales)
    others = tuple(folder_of(other, locales) for other in locales[1:])
    here = (path for path in pages if path[0].startswith(folder) and (folder or not path[0].startswith(others)))
    return tuple((path.removeprefix(folder), text) for path, text in here)


def shared_downloads(loops: Iterable[LoopSection], folder: str) -> tuple[LoopSection, ...]:
    """The loops with addresses that lead from an edition's folder to the files at the root, which are for all."""
    up = "../" * folder.count("/")

    def moved(tab: CodeTab) -> CodeTab:
        return replace(tab, blocks=tuple(replace(block, download=up + block.download) for block in tab.blocks))

    return tuple(replace(section, tabs=tuple(map(moved, section.tabs))) for section in loops)


def bound(editions: Sequence[Edition]) -> tuple[Edition, ...]:
    """The editions in their places, each page with a link to the same page in the other languages.

    A page that another edition doesn't have gets no link to it. A single edition stays as it is.
    """
    if len(editions) == 1:
        return tuple(editions)
    return tuple(_placed(edition, [other for other in editions if other is not edition]) for edition in editions)


def _placed(edition: Edition, others: Sequence[Edition]) -> Edition:
    held = [(other, {artifact.path for artifact in other.site.artifacts}) for other in others]
    artifacts = []
    for artifact in edition.site.artifacts:
        text = artifact.text
        if artifact.path.endswith(".md"):
            here = [other for other, paths in held if artifact.path in paths]
            text = _headed(text, edition, " · ".join(_links(artifact.path, edition, here)))
        artifacts.append(Artifact(edition.folder + artifact.path, text))
    nav = tuple(replace(entry, path=edition.folder + entry.path) for entry in edition.site.nav)
    return replace(edition, site=Site(tuple(artifacts), nav))


def _links(path: str, edition: Edition, others: Iterable[Edition]) -> Iterator[str]:
    up = "../" * (edition.folder + path).count("/")
    for other in others:
        marks = f"hreflang={other.locale} lang={other.locale}"
        yield f"[{other.name}]({up}{other.folder}{path}){{ {marks} }}"


def _headed(text: str, edition: Edition, links: str) -> str:
    """The page with the links below its heading (or at its beginning), and its language in the front matter."""
    match = re.match(r"---\n(.*?\n)---\n", text, re.S)
    front, body = (match[1], text[match.end() :]) if match else ("", text)
    if edition.folder:
        front += f"language: {yaml(edition.locale)}\n"
    if links:
        heading = re.match(r"\n*# [^\n]*\n", body)
        end = heading.end() if heading else 0
        body = f"{body[:end]}\n{links}\n{'' if body[end:].startswith(chr(10)) else chr(10)}{body[end:]}".lstrip("\n")
    return f"---\n{front}---\n{body}" if front else body
