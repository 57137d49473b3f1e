"""Where each value of a contract stands in its file."""

from __future__ import annotations

from collections.abc import Set

from idempact.contract.shapes import Path
from idempact.text.allowances import Suppression
from idempact.text.dataclass import dataclass, field
from idempact.text.span import Document, Span


@dataclass(frozen=True, slots=True)
class Source:
    """The places of a contract's values and keys, beside the model, and what its comments allow.

    Paths are the language's keys. ``unread`` are the fields whose value is missing or could not be read.
    """

    document: Document
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    allowances: tuple[Suppression, ...] = ()
    unread: Set[Path] = frozenset()

    def given(self, *path: str) -> bool:
        """Whether the author wrote this very field."""
        return path in self.places

    def written(self, *path: str) -> str:
        """The text of a field's value as the author wrote it; empty where the field is a default."""
        start, end = self.places.get(path, (0, 0))
        return self.document.text[start:end]

    def span(self, *path: str) -> Span:
        """The place of a field's value; of the nearest mapping above it (its key) where the field is a default."""
        if path in self.places:
            return self.document.span(*self.places[path])
        for length in range(len(path) - 1, 0, -1):
            if path[:length] in self.keys:
                return self.document.span(*self.keys[path[:length]])
        return self.document.span(0)

    def key(self, *path: str) -> Span:
        """The place of a field's key, or else what :meth:`span` gives."""
        return self.document.span(*self.keys[path]) if path in self.keys else self.span(*path)

    def holds(self, operation: str | None, *path: str) -> Path:
        """The path under which a field that holds for *operation* was written: its own override, or the section above.

        Where neither wrote the field itself, whichever wrote more of the way to it; the operation's at a tie.
        """
        if operation is None:
            return path
        own = ("operations", operation, *path)
        for length in range(len(path), 0, -1):
            if own[: length + 2] in self.places:
                return own
            if path[:length] in self.places:
                return path
        return path

    def nearest(self, operation: str | None, *path: str) -> Span:
        """The place of a field as it holds for *operation*: its own override, or else the section above."""
        return self.span(*self.holds(operation, *path))
