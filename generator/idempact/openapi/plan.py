"""What is wanted in an OpenAPI file, as neutral data: nothing here knows a contract, a file or its notation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import Plain

EXTENSION = "x-idempotency"


class Section(StrEnum):
    """The kinds of components that are inserted: https://spec.openapis.org/oas/v3.1.1.html#components-object."""

    PARAMETERS = "parameters"
    RESPONSES = "responses"
    HEADERS = "headers"


@dataclass(frozen=True, slots=True)
class Component:
    """A reusable object under its wanted name; references inside *value* are to the wanted names of *parts*."""

    section: Section
    name: str
    value: dict[str, Plain]
    parts: tuple[Component, ...] = ()

    @property
    def ref(self) -> str:
        """The local reference to this component."""
        return f"#/components/{self.section.value}/{self.name}"


@dataclass(frozen=True, slots=True)
class KeyParameter:
    """The key's parameter: the component to refer to, and what a declaration that is there already is compared with.

    ``required`` and ``longest`` are none where the contract doesn't say or there is no such number.
    """

    carrier: str
    name: str
    required: bool | None
    longest: int | None
    component: Component


@dataclass(frozen=True, slots=True)
class Answer:
    """One status with a meaning of its own, with its codes in order and the headers that it carries."""

    status: int
    codes: tuple[str, ...]
    component: Component
    headers: tuple[tuple[str, Component], ...] = ()


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """What one operation gets. ``key`` is the contract's own key for it, which findings call it by.

    ``replayed`` says for a status of a failure whether a repeat gets that failure again, and so the indicator.
    """

    key: str
    extension: dict[str, Plain]
    parameter: KeyParameter | None = None
    answers: tuple[Answer, ...] = ()
    indicator: tuple[str, Component] | None = None
    replayed: Callable[[int], bool] = field(default=lambda status: False, compare=False)


Select = Callable[[str, str, str, tuple[str, ...]], OperationPlan | Diagnostic | None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a whole file gets.

    ``select`` gives the plan of an operation by method, path template, operationId and tags; a finding where the
    contract contradicts itself on it, none where it names no such operation. ``missing`` gives, under each of the
    contract's keys, the finding for a file that has no such operation. ``unlisted`` makes the finding for a
    state-changing operation that no key names.
    """

    extension: dict[str, Plain]
    select: Select
    missing: dict[str, Diagnostic]
    unlisted: Callable[[str, str], Diagnostic] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
