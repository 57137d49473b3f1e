"""What is wanted in an OpenAPI file, as neutral data: nothing here knows a contract, a file or its notation."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import Plain

EXTENSION = "x-idempotency"


class Section(StrEnum):
    """The kinds of components that are inserted: https://spec.openapis.org/oas/v3.1.1.html#components-object."""

    PARAMETERS = "parameters"
    RESPONSES = "responses"
    HEADERS = "headers"
    REQUEST_BODIES = "requestBodies"
    SCHEMAS = "schemas"


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

    @property
    def path(self) -> tuple[str, str, str]:
        """The place that it is wanted at."""
        return ("components", self.section.value, self.name)


@dataclass(frozen=True, slots=True)
class Window:
    """How long repeats are recognised: its bounds in milliseconds, in words, and as a sentence."""

    bounds: tuple[int, ...]
    told: str
    sentence: str


@dataclass(frozen=True, slots=True)
class KeyParameter:
    """The key's parameter: the component to refer to, and what a declaration that is there already is compared with.

    ``required``, ``longest`` and ``window`` are none where the contract doesn't say or there is no such number. In a
    body, ``name`` is the member or a JSON Pointer to it, and the component's value has the member's ``schema`` alone.
    """

    carrier: str
    name: str
    required: bool | None
    longest: int | None
    component: Component
    window: Window | None = None

    @property
    def description(self) -> Plain:
        """The description as it is inserted."""
        return self.component.value.get("description")


@dataclass(frozen=True, slots=True)
class Answer:
    """One status with a meaning of its own, with its codes in order, the headers that it carries, and the address that
    tells the outcome later.
    """

    status: int
    codes: tuple[str, ...]
    component: Component
    headers: tuple[tuple[str, Component], ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """What one operation gets. ``key`` is the contract's own key for it, which findings call it by.

    ``others`` are parameters beside the key: its other carriers, the time of the first attempt. ``extras`` are other
    tools' extensions by name. ``replayed`` says for a status of a failure whether a repeat gets that failure again, and
    so the indicator.
    """

    key: str
    extension: dict[str, Plain]
    parameter: KeyParameter | None = None
    answers: tuple[Answer, ...] = ()
    indicator: tuple[str, Component] | None = None
    replayed: Callable[[int], bool] = field(default=lambda status: False, compare=False)
    others: tuple[KeyParameter, ...] = ()
    extras: dict[str, Plain] = field(default_factory=dict)


Select = Callable[[str, str, str, tuple[str, ...]], OperationPlan | Diagnostic | None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a whole API gets.

    ``select`` gives the plan of an operation by method, path template, operationId and tags; a finding where the
    contract contradicts itself on it, none where it names no such operation. ``missing`` gives, under each of the
    contract's keys, the finding for an API that has no such operation. ``unlisted`` makes the finding for a
    state-changing operation that no key names. ``bodies`` says whether a key travels in a body; ``names`` are those of
    the keys, ``parameters`` all names that parameters may have for the contract's sake; ``extras`` are other tools'
    extensions of the root.
    """

    extension: dict[str, Plain]
    select: Select
    missing: dict[str, Diagnostic]
    unlisted: Callable[[str, str], Diagnostic] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    bodies: bool = False
    extras: dict[str, Plain] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    parameters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wishes:
    """How far an injection may go: copy what is shared, bring declarations into line; check the result quickly."""

    copy_shared: bool = False
    adopt: bool = False
    check: bool = True
