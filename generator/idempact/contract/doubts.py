"""Doubts: which fields of a contract say nothing, as their values are missing or could not be read."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.contract.dotted import Path
from idempact.contract.source import Source


class Doubts:
    """What can be asked of the unread fields, in a time that doesn't grow with their number."""

    def __init__(self, source: Source) -> None:
        self._unread = source.unread
        self._above = _parents(source.unread)
        self._written_within = _parents(source.places) if source.unread else frozenset()
        self._by_section: dict[str, list[Path]] = {}
        for path in source.unread:
            if path[0] != "operations":
                self._by_section.setdefault(path[0], []).append(path)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._unread)

    def about(self, path: Path) -> bool:
        """Whether the author's value at *path*, or a part of it, is missing or could not be read."""
        return path in self._above or self.above(path)

    def above(self, path: Path) -> bool:
        """Whether the field at *path*, or one that it is a part of, is missing or could not be read."""
        return any(path[:length] in self._unread for length in range(1, len(path) + 1))

    def merged_into(self, operation: Path, path: Path) -> bool:
        """Whether *operation* overrides fields at *path* of something above that is missing or could not be read."""
        return any(
            (path[: len(one)] == one or one[: len(path)] == path) and (*operation, *one) in self._written_within
            for one in self._by_section.get(path[0], ())
        )


def _parents(paths: Iterable[Path]) -> frozenset[Path]:
    return frozenset(path[:length] for path in paths for length in range(1, len(path)))
