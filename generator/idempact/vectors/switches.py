"""What the retry switches of common libraries do on the vectors: our own runs, as ``contract/vectors/switches.yml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from idempact.resources import shipped
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Plain, Tree, load, plain

FAULTS = ("twice", "again", "too-few", "early", "late", "lost")
"""What can be wrong with a call, gravest first.

``twice``: the server acted twice. ``again``: more requests than may be made, after a final answer, above the cap, or
without a key. ``too-few``: it gave up where a repeat was due. ``early``: it waited less than it was asked to.
``late``: it went on beyond the deadline. ``lost``: it told the caller less, or other, than the server had answered.
"""
_ROW = ("id", "language", "library", "version", "setting", "failed")


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its library's installed version, how it was set, and what was wrong, by the vector's id."""

    id: str
    language: str
    library: str
    version: str
    setting: str
    failed: Mapping[str, tuple[str, ...]]

    def count(self, fault: str) -> int:
        """In how many vectors *fault* was seen."""
        return sum(fault in found for found in self.failed.values())


@dataclass(frozen=True, slots=True)
class Switches:
    """All runs: their date (ISO 8601), how many vectors were played, and a digest of what was run."""

    date: str
    vectors: int
    digest: str
    rows: tuple[Switch, ...]


def shipped_switches() -> Path:
    """The shipped figures."""
    return shipped("contract") / "vectors" / "switches.yml"


def read_switches(path: Path) -> Checked[Switches]:
    """The figures at *path*; no value where the file is not what a run writes."""
    loaded = load(path)
    if loaded.value is None:
        return Checked(None, loaded.diagnostics)
    data = plain(loaded.value.root)
    if not isinstance(data, dict) or set(data) != {"date", "vectors", "digest", "switches"}:
        return Checked(None, (_finding(loaded.value, "date, vectors, digest and switches are expected here"),))
    vectors, listed = data["vectors"], data["switches"]
    if not isinstance(vectors, int) or not isinstance(listed, list):
        return Checked(None, (_finding(loaded.value, "'vectors' is a number, and 'switches' a list"),))
    rows = tuple(_switch(row) for row in listed)
    good = tuple(row for row in rows if row is not None)
    if len(good) < len(rows):
        return Checked(None, (_finding(loaded.value, f"a switch has the fields {', '.join(_ROW)}"),))
    return Checked(Switches(str(data["date"]), vectors, str(data["digest"]), good))


def _switch(row: Plain) -> Switch | None:
    if not isinstance(row, dict) or tuple(row) != _ROW:
        return None
    failed = row["failed"]
    if not isinstance(failed, dict):
        return None
    found: dict[str, tuple[str, ...]] = {}
    for name, faults in failed.items():
        if not isinstance(faults, list) or not faults or not all(fault in FAULTS for fault in faults):
            return None
        found[str(name)] = tuple(map(str, faults))
    name, language, library, version, setting = (str(row[field]) for field in _ROW[:-1])
    return Switch(name, language, library, version, setting, found)


def _finding(tree: Tree, message: str) -> Diagnostic:
    span = tree.document.span(tree.root.start if tree.root is not None else 0)
    hint = "it is written by a run: make switches"
    return Diagnostic("vectors/malformed-switches", Severity.ERROR, message, span, hint=hint)
