"""The overlay that a site offers beside an API's OpenAPI file, and what the site says about it."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.read import Read
from idempact.facts.derive import Facts
from idempact.openapi.extension import plan_of
from idempact.openapi.locate import Opener
from idempact.openapi.overlay import overlay, stamp
from idempact.openapi.plan import EXTENSION, Wishes
from idempact.render.words import Words
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked
from idempact.text.emit import emit
from idempact.text.nodes import Plain
from idempact.text.span import Document


@dataclass(frozen=True, slots=True)
class ApiFile:
    """An API's OpenAPI file: its text, its bytes, and what opens the files that it refers to."""

    document: Document
    data: bytes
    opener: Opener | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """An overlay's text, the file and the state of it (SHA-256) that it is for, and what it adds to each target.

    ``example`` is the extension of the operation with most in it, as (target, YAML); None where no operation gets one.
    """

    text: str
    file: str
    made_for: str
    added: tuple[tuple[str, tuple[str, ...]], ...]
    example: tuple[str, str] | None


def offer(api: ApiFile, read: Read, words: Words) -> Checked[Offer]:
    """The overlay of the contract for *api*, described in the language of *words*; the findings of both."""
    found = overlay(api.document, api.data, plan_of(Facts.of(read.contract), read.source, words), Wishes(), api.opener)
    if found.value is None:
        return Checked(None, found.diagnostics)
    value = found.value.value
    actions = tuple(_actions(value))
    shown = [(target, update[EXTENSION]) for target, update in actions if target != "$" and EXTENSION in update]
    # The fullest one, which is that of an operation with a key where there is any.
    first = max(shown, key=lambda one: len(one[1]) if isinstance(one[1], dict) else 0, default=None)
    return Checked(
        Offer(
            emit(value),
            api.document.path.replace("\\", "/").rpartition("/")[2],
            stamp(api.data),
            tuple((target, tuple(_members(update))) for target, update in actions),
            (first[0], emit({EXTENSION: first[1]})) if first else None,
        ),
        found.diagnostics,
    )


def _actions(value: dict[str, Plain]) -> Iterator[tuple[str, dict[str, Plain]]]:
    actions = value["actions"]
    assert isinstance(actions, list)
    for action in actions:
        assert isinstance(action, dict)
        target, update = action["target"], action["update"]
        assert isinstance(target, str)
        assert isinstance(update, dict)
        yield target, update


def _members(update: dict[str, Plain]) -> Iterator[str]:
    """What an update sets, with the statuses of responses and the kinds of components."""
    for name, value in update.items():
        if name in ("responses", "components") and isinstance(value, dict):
            yield from (f"{name}/{inner}" for inner in sorted(value, key=str))
        else:
            yield name
