"""What a site is made from beside the contract: the shipped assets, and the team's own pages and files over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from idempact.render.artifact import Artifact
from idempact.render.environment import SUFFIX
from idempact.resources import shipped
from idempact.text.dataclass import dataclass

FOLDER = "integrator"


@dataclass(frozen=True, slots=True)
class Sources:
    """``templates`` are (path, template text) of pages to be rendered, ``pages`` are (path, text) of Markdown as it is.

    ``files`` are all else.
    """

    templates: tuple[tuple[str, str], ...]
    pages: tuple[tuple[str, str], ...]
    files: tuple[Artifact, ...]


def site_sources(folder: Path | None) -> Sources:
    """The shipped assets and what *folder* holds; a file of the folder takes the place of a shipped one.

    Names that begin with a dot are passed over. Pages and templates are UTF-8, else UnicodeDecodeError is raised; any
    other file may hold anything.
    """
    found: dict[str, Path] = {}
    for top in (shipped("site_src") / FOLDER, *((folder,) if folder else ())):
        found.update(_below(top))
    templates, pages, files = [], [], []
    for name, path in sorted(found.items()):
        if name.endswith(SUFFIX):
            templates.append((name.removesuffix(SUFFIX), path.read_text(encoding="utf-8")))
        elif name.endswith(".md"):
            pages.append((name, path.read_text(encoding="utf-8")))
        else:
            files.append(_file(name, path.read_bytes()))
    return Sources(tuple(templates), tuple(pages), tuple(files))


def _below(top: Path) -> Iterator[tuple[str, Path]]:
    for path in top.rglob("*"):
        inside = path.relative_to(top)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            yield inside.as_posix(), path


def _file(name: str, data: bytes) -> Artifact:
    try:
        return Artifact(name, data.decode("utf-8"))
    except UnicodeDecodeError:
        return Artifact(name, "", data)
