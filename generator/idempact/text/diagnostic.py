"""One finding as data; a value together with what was found on the way to it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from idempact.resources.typed import Generic, TypeVar
from idempact.text.dataclass import dataclass
from idempact.text.span import Span

T = TypeVar("T")


class Severity(StrEnum):
    """How much a finding weighs: an error fails the run, a warning does so under ``--strict`` only."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a finding."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to tell the author, at one place.

    ``rule`` is an id of the form ``area/fault-named-as-a-noun``; ``message`` says what is wrong and why,
    ``hint`` what to do about it; ``subject`` names the thing (``retry.backoff.cap``, ``POST /payments``).
    """

    rule: str
    severity: Severity
    message: str
    span: Span | None
    subject: str = ""
    hint: str = ""
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A value (none where it could not be had) and everything found on the way to it."""

    value: T | None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether an error was found."""
        return any(d.severity is Severity.ERROR for d in self.diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings in order of place, each once; those without a place come first."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda d: (d.span is not None, d.span or Span("", 0, 0, 0, 0), d.rule, d.message)))
