"""A case: what a rule between fields looks at, and how it says what it found."""

from __future__ import annotations

from datetime import date

from idempact.contract.doubts import Doubts
from idempact.contract.model.contract import Contract, Operation, Settings
from idempact.contract.shapes import Path, dotted
from idempact.contract.source import Source
from idempact.text.allowances import Suppression
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.span import Span


@dataclass(frozen=True, slots=True)
class Case:
    """The sections above the operations (``operation`` is None), or one operation with the settings that hold for it.

    Findings bear the rule's id and severity; with ``lenient`` it is an observer's, who can only report the API.
    ``today`` is None where nobody said which day it is. ``allowances`` and ``found`` (every finding of the contract)
    are there for the rules that run last. ``doubts`` are about fields that could not be read; None where all could be.
    """

    contract: Contract
    source: Source
    settings: Settings
    operation: Operation | None
    rule: str
    severity: Severity
    today: date | None = None
    lenient: bool = False
    allowances: tuple[Suppression, ...] = ()
    found: tuple[Diagnostic, ...] = ()
    doubts: Doubts | None = None

    def doubtful(self, path: Path) -> bool:
        """Whether the author's value at *path* of the contract, or a part of it, is missing or could not be read."""
        return self.doubts is not None and self.doubts.about(path)

    def where(self, *path: str) -> Path:
        """The path under which the field was written: the operation's override, or the section above."""
        return self.source.holds(str(self.operation.key) if self.operation else None, *path)

    def span(self, *path: str) -> Span:
        """The place of a field's value, or of the nearest key above it."""
        return self.source.span(*self.where(*path))

    def given(self, *path: str) -> bool:
        """Whether the author wrote the field, under the operation or above."""
        return self.source.given(*self.where(*path))

    def item(self, *path: str) -> Path:
        """The path of a list's item; of the list itself where one item stands without brackets."""
        return path if self.given(*path) else path[:-1]

    def finding(self, message: str, *path: str, hint: str, related: tuple[Related, ...] = ()) -> Diagnostic:
        """A finding at a field. A related place that is nowhere in the file, being a default, is left out."""
        subject = dotted(self.where(*path))
        nowhere = self.source.document.span(0)
        related = tuple(place for place in related if place.span != nowhere)
        if self.lenient:
            hint = "check the API's documents; if they say so, tell your readers in a note"
        return Diagnostic(self.rule, self.severity, message, self.span(*path), subject, hint, related)

    def about(self, allowance: Suppression, message: str, hint: str) -> Diagnostic:
        """A finding at an allowance."""
        span = self.source.document.span(allowance.start, allowance.end)
        return Diagnostic(self.rule, self.severity, message, span, hint=hint)

    def related(self, message: str, *path: str) -> Related:
        """A second place that explains a finding."""
        return Related(message, self.span(*path))
