"""Dated versions of a site: the pages of contracts that held earlier, below the present ones, each saying so.

What is kept is each contract and not its pages, so that old pages are made, checked and linked like new ones, and the
present pages stay at the addresses that problem types and readers know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from idempact.contract.read import Read
from idempact.pages.editions import Edition, folder_of
from idempact.pages.flavor import Flavor
from idempact.pages.page import VersionLink
from idempact.pages.render import front_matter, split_front
from idempact.pages.texts import LISTING, SOURCE
from idempact.render.artifact import Artifact
from idempact.render.literals import yaml
from idempact.render.words import MARKDOWN, Words
from idempact.text.dataclass import dataclass

FOLDER = "versions"
_HEADING = re.compile(r"\A\n*# [^\n]*\n", re.S)


@dataclass(frozen=True, slots=True)
class Version:
    """A contract that held earlier: the ISO date on which it did, what it says, and how pages call its file."""

    date: str
    read: Read
    name: str


def links(versions: Sequence[Version], locale: str, up: str) -> tuple[VersionLink, ...]:
    """Each version with the path of its first page in *locale*, where it has that; *up* leads to the site's root."""
    found = []
    for version in versions:
        locales = version.read.contract.publish.locales
        folder = folder_of(locale, locales) if locale in locales else ""
        found.append(VersionLink(version.date, f"{up}{FOLDER}/{version.date}/{folder}index.md"))
    return tuple(found)


def archived(
    date: str, artifacts: Iterable[Artifact], spoken: Sequence[Words], now: Sequence[Edition], flavor: Flavor
) -> Iterator[Artifact]:
    """The files of one version in their folder; *spoken* are its locales' words, and *now* is the present site.

    Every page, and its Markdown source, says on top of which day it is, and leads to the same page of the present
    site, or to its home. A site's search passes over it. Listings and the theme's files are the present site's alone.
    """
    present = {artifact.path for edition in now for artifact in edition.site.artifacts}
    locales = [words.locale for words in spoken]
    for artifact in artifacts:
        path = artifact.path
        if path.rpartition("/")[2] == LISTING or path.startswith("."):
            continue
        ending = next((ending for ending in (SOURCE, ".md") if path.endswith(ending)), "")
        if not ending:
            yield Artifact(f"{FOLDER}/{date}/{path}", artifact.text, artifact.data)
            continue
        place = next((n for n, locale in enumerate(locales) if n and path.startswith(folder_of(locale, locales))), 0)
        page = path.removesuffix(ending)
        same = page if f"{page}.md" in present else "index"
        up = "../" * (2 + path.count("/"))
        words = spoken[place].on(MARKDOWN)
        link, notice = words.say("versions.now"), words.say("versions.notice", date=date)
        said = f"{notice}{words.say('locale.gap')}[{link}]({up}{same}{ending})"
        plain = ending == SOURCE or flavor is Flavor.GFM
        title = words.say("versions.earlier")
        warning = f"> **{title}.** {said}\n" if plain else f'!!! warning "{title}"\n    {said}\n'
        yield Artifact(f"{FOLDER}/{date}/{path}", _headed(artifact.text, warning, date, searched=plain))


def _headed(text: str, notice: str, date: str, *, searched: bool) -> str:
    """The page with *notice* below its heading, the date in its title, and kept from the search unless *searched*."""
    front, body = split_front(text)
    if title := front_matter(text).get("title"):
        front = re.sub(r"(?m)^title: .*$", lambda _: f"title: {yaml(f'{title} ({date})')}", front, count=1)
    if not searched:
        front += "search:\n  exclude: true\n"
    heading = _HEADING.match(body)
    end = heading.end() if heading else 0
    body = f"{body[:end]}\n{notice}\n{body[end:].lstrip(chr(10))}"
    return f"---\n{front}---\n{body}" if front else body.lstrip("\n")
