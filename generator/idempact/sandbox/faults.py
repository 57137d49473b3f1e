"""Faults on request: how the sandbox is to treat one request, read from JSON.

A step has at most one fault of the answer's way (``status``, ``reset``, ``close``, ``slow_ms``, ``drip_ms``,
``drip_head_ms``, ``truncate``) and at most one of the run (``fail``, ``crash``), beside ``hold`` and ``handler_ms``.
A field that would change nothing, since it needs another one or comes too late, is refused with what to add or to
leave out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum

from idempact.contract.reading import suggestion
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain


class During(StrEnum):
    """When a run fails: what a contract's ``stored_failures`` tells apart."""

    BEFORE_EXECUTION = "before-execution"
    EXECUTION = "execution"
    BEFORE_EFFECTS = "before-effects"
    AFTER_EFFECTS = "after-effects"


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one request. The empty step is a normal answer.

    ``status`` answers so without any run, with ``headers`` and a body with ``code``, or ``raw`` as the body. ``reset``
    is "before" or "after" the effect. ``fail`` ends the run with that status ``during`` a phase; ``crash`` ends it
    "before" or "after" its first effect and leaves the claim. ``hold`` stops the run until it is released;
    ``handler_ms`` lets it last. ``key_required`` makes the condition true under which a key is required.
    """

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    code: str | None = None
    raw: str | None = None
    reset: str | None = None
    close: bool = False
    slow_ms: int | None = None
    drip_ms: int | None = None
    drip_head_ms: int | None = None
    bytes: int | None = None
    truncate: bool = False
    fail: int | None = None
    during: During | None = None
    crash: str | None = None
    hold: bool = False
    handler_ms: int = 0
    key_required: bool = False

    @property
    def phase(self) -> During:
        """When the run fails: as told, or as its status is usually meant."""
        if self.during is not None:
            return self.during
        return During.EXECUTION if (self.fail or 0) < 500 else During.BEFORE_EFFECTS


NORMAL = Step()
_NUMBERS = {"status": (200, 599), "fail": (400, 599), "slow_ms": (0, 600_000), "drip_ms": (0, 60_000)}
_NUMBERS |= {"drip_head_ms": (0, 60_000), "bytes": (1, 1_000_000), "handler_ms": (0, 600_000)}
_SWITCHES = ("close", "truncate", "hold", "key_required")
_CHOICES = {"reset": ("before", "after"), "crash": ("before", "after"), "during": tuple(During)}
_FIELDS = frozenset(Step.__dataclass_fields__)
_NEEDS: dict[str, tuple[str, ...]] = {
    "during": ("fail",),
    "bytes": ("drip_ms", "drip_head_ms"),
    "headers": ("status",),
    "raw": ("status",),
}
_NEEDS |= {"code": ("status", "fail")}
_RUN = ("fail", "crash", "hold", "handler_ms", "key_required")
_WAYS = ("status", "reset", "close", "slow_ms", "drip_ms", "drip_head_ms", "truncate")


def unknown_fields(value: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """What to say of each name in *value* that is none of the *known* fields."""
    for name in value:
        if name not in known:
            near = suggestion(name, known)
            have = f"known: {', '.join(sorted(known))}" if known else "there is none here"
            yield f"unknown field {name!r}{f', {near}' if near else f' ({have})'}"


def read_step(value: Plain) -> Step:
    """The step that *value* describes. Raises ValueError, with everything that is wrong with it."""
    if not isinstance(value, dict):
        raise ValueError('a step is a JSON object such as {"status": 503}')
    faults = tuple(_faults(value))
    if faults:
        raise ValueError("; ".join(faults))
    headers = value.get("headers")
    fields = dict(value)
    if isinstance(headers, dict):
        fields["headers"] = tuple((name, str(text)) for name, text in headers.items())  # type: ignore[assignment]
    if isinstance(fields.get("during"), str):
        fields["during"] = During(str(fields["during"]))
    return Step(**fields)  # type: ignore[arg-type]


def _faults(value: dict[str, Plain]) -> Iterator[str]:
    yield from unknown_fields(value, _FIELDS)
    for name, (least, most) in _NUMBERS.items():
        number = value.get(name, least)
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            yield f"{name!r} is a whole number from {least} to {most}"
    for name in _SWITCHES:
        if not isinstance(value.get(name, False), bool):
            yield f"{name!r} is true or false"
    for name, words in _CHOICES.items():
        if name in value and value[name] not in words:
            yield f"{name!r} is {' or '.join(words)}"
    for name in ("code", "raw"):
        text = value.get(name, "")
        if not isinstance(text, str) or not _encodable(text):
            yield f"{name!r} is a text that UTF-8 can write"
    headers = value.get("headers", {})
    if not isinstance(headers, dict) or not all(_sendable(name, text) for name, text in headers.items()):
        yield "'headers' is an object of names and texts that a header can hold"
    if sum(name in value for name in _WAYS) > 1:
        yield f"one of {', '.join(_WAYS)} at a time"
    if "fail" in value and "crash" in value:
        yield "a run that crashes does not fail: 'fail' or 'crash'"
    yield from _idle(value)


def _idle(value: dict[str, Plain]) -> Iterator[str]:
    """What is asked for and would change nothing."""
    for name, others in _NEEDS.items():
        if name in value and not any(other in value for other in others):
            yield f"{name!r} does nothing alone: add {' or '.join(map(repr, others))}"
    if "raw" in value and "code" in value:
        yield "a body is 'raw' or has a 'code'"
    early = "status" if "status" in value else "reset" if value.get("reset") == "before" else None
    if early is not None:
        yield from (f"{name!r} does nothing: with {early!r} nothing is run" for name in _RUN if name in value)
    if "crash" in value:
        lost = (name for name in _WAYS if name in value and name not in ("status", early))
        yield from (f"{name!r} does nothing: a run that crashes has no answer" for name in lost)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _sendable(name: str, text: Plain) -> bool:
    if name.lower() in ("content-length", "transfer-encoding", "connection"):
        return False
    letters = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return letters and isinstance(text, str) and text.isprintable() and text.isascii()


class Script:
    """The steps for the requests to come, first in first out; the last one again and again where that is asked for."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._repeat_last = False

    def replace(self, steps: tuple[Step, ...], repeat_last: bool = False) -> None:
        """Forgets the steps that are left, and goes by these."""
        self._steps, self._repeat_last = list(steps), repeat_last

    def next(self) -> Step:
        """The step for the next request."""
        if not self._steps:
            return NORMAL
        return self._steps[0] if self._repeat_last and len(self._steps) == 1 else self._steps.pop(0)

    def __len__(self) -> int:
        return len(self._steps)
