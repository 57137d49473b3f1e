"""What a page template sees beside the facts."""

from __future__ import annotations

from idempact.facts.codes import ErrorCode
from idempact.facts.implementer import Implementer
from idempact.text.dataclass import dataclass


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

    @property
    def needs(self) -> tuple[tuple[str, str], ...]:
        """What must be installed, the language's own tools first: names and versions."""
        return (*self.tools, *self.libraries)


@dataclass(frozen=True, slots=True)
class CodeTab:
    """One language's loops, in the reader's order."""

    title: str
    blocks: tuple[CodeBlock, ...]


@dataclass(frozen=True, slots=True)
class LoopSection:
    """The loops that serve some operations, one tab per language; ``natural`` ones send no key."""

    operations: tuple[str, ...]
    tabs: tuple[CodeTab, ...]
    natural: bool = False
    repeat_status: int | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What came of one loop in our tests: what it ran with, the vectors that it passed, and how it waited.

    ``mean`` and ``greatest`` are of its waits, as shares (0-1) of the window; ``date`` is an ISO date;
    ``build_seconds`` is empty where nothing is built.
    """

    language: str
    title: str
    versions: tuple[tuple[str, str], ...]
    passed: int
    total: int
    waits: int
    mean: str
    greatest: str
    build_seconds: str
    date: str


@dataclass(frozen=True, slots=True)
class SqlBlock:
    """One statement as a page shows it: what it is for, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """One library's own retries: how they were switched on, how many vectors they met, and how often each fault was."""

    language: str
    library: str
    version: str
    setting: str
    met: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SwitchTable:
    """The runs of libraries' own retries: on which day (ISO 8601), over how many vectors, and the faults looked for."""

    date: str
    vectors: int
    faults: tuple[str, ...]
    rows: tuple[SwitchRow, ...]


@dataclass(frozen=True, slots=True)
class OverlayFile:
    """The overlay that the site offers: its path, the OpenAPI file and the state of it that it is for, what it adds.

    ``added`` are (target, what is set there); ``example`` is one operation's extension, as (target, YAML).
    """

    path: str
    file: str
    made_for: str
    added: tuple[tuple[str, tuple[str, ...]], ...]
    example: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class VersionLink:
    """An earlier version of the contract: the ISO date on which it held, and the path of its first page."""

    date: str
    path: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its path below the site's root, the way back to that root, and the machine code that it is about.

    ``record`` is the provider's side, where the contract publishes it, and ``statements`` are those of its store.
    ``results`` are those of the loops in our own tests. ``sourced`` pages have their Markdown source beside them.
    ``overlay`` is None where the site offers none. ``versions`` are the earlier ones, newest first.
    """

    path: str
    root: str
    code: ErrorCode | None = None
    loops: tuple[LoopSection, ...] = ()
    downloads: tuple[tuple[str, str], ...] = ()
    contract: str = "contract.yaml"
    drawings: tuple[tuple[str, str], ...] = ()
    record: Implementer | None = None
    statements: tuple[SqlBlock, ...] = ()
    results: tuple[ResultRow, ...] = ()
    switches: SwitchTable | None = None
    sourced: bool = False
    overlay: OverlayFile | None = None
    versions: tuple[VersionLink, ...] = ()

    @property
    def least_met(self) -> tuple[int, int] | None:
        """What the loop that met the smallest part of its vectors met, and of how many; None without results."""
        found = min(self.results, key=lambda row: row.passed / row.total, default=None)
        return (found.passed, found.total) if found is not None else None

    @property
    def source(self) -> str:
        """The address of the page's Markdown source, seen from the page; empty where none is staged."""
        return f"{self.path.rpartition('/')[2]}.txt" if self.sourced else ""

    def drawing(self, name: str) -> str:
        """The drawing *name* as SVG; empty where the contract gives nothing to draw."""
        return dict(self.drawings).get(name, "")


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One line of the navigation: its place, title and page."""

    order: int
    title: str
    path: str
