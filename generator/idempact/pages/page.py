"""What a page template sees beside the facts."""

from __future__ import annotations

from dataclasses import dataclass

from idempact.facts.codes import ErrorCode


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One loop as a page shows it; ``title`` tells it from its language's others, ``download`` is its file's path."""

    title: str
    fence: str
    file_name: str
    code: str
    tools: tuple[tuple[str, str], ...]
    libraries: tuple[tuple[str, str], ...]
    shared_budget: bool
    download: str


@dataclass(frozen=True, slots=True)
class CodeTab:
    """One language's loops, in the reader's order."""

    title: str
    blocks: tuple[CodeBlock, ...]


@dataclass(frozen=True, slots=True)
class LoopSection:
    """The loops that serve some operations, one tab per language."""

    operations: tuple[str, ...]
    tabs: tuple[CodeTab, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its path below the site's root, the way back to that root, and the machine code that it is about."""

    path: str
    root: str
    code: ErrorCode | None = None
    loops: tuple[LoopSection, ...] = ()
    downloads: tuple[tuple[str, str], ...] = ()
    contract: str = "contract.yaml"
    drawings: tuple[tuple[str, str], ...] = ()

    def drawing(self, name: str) -> str:
        """The drawing *name* as SVG; empty where the contract gives nothing to draw."""
        return dict(self.drawings).get(name, "")


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One line of the navigation: its place, title and page."""

    order: int
    title: str
    path: str
