"""Messages: what is to be said, as a key and its values. The words are in the locales, never here."""

from __future__ import annotations

from idempact.contract.units import Duration, Share, Text
from idempact.resources.typed import TypeAlias
from idempact.text.dataclass import dataclass

Value: TypeAlias = "str | int | float | Duration | Share | Text | Message | tuple[Value, ...]"


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence or phrase: the key under which each locale has its words, and what those are about."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()


def message(key: str, **values: Value) -> Message:
    """A message with its values by name."""
    return Message(key, tuple(values.items()))
