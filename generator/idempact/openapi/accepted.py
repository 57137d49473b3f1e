"""The schema of a declared key beside the contract's: stricter, looser, and one key for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from idempact.facts.keys import VISIBLE_ASCII
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Plain, Scalar, plain, plain_scalar

# What a contract's schema may bound a key with, and what else refuses texts (JSON Schema 2020-12, Validation).
_BOUNDS = ("minLength", "maxLength", "pattern")
_REFUSING = (*_BOUNDS, "format", "enum", "const")
_FIXED = ("example", "examples", "default", "const")
# Keys as they are made in practice, and every alphabet of its own in the lengths that the contract bounds.
_MADE = (
    "order-1001-attempt.1",
    "7d793037-a076-4ea7-b0e8-d9c8d5b1ba6f",
    "018F2C6E-7A30-7C4D-9E51-3B8A6F0D2C19",
    "01JD8XW3Q5N7R9T2V4X6Z8B0CD",
)
_ALPHABETS = ("k", "K", "0123456789", "f03a", "q-Z_9.~", "!#$%&+/=:@")
_LENGTHS = (1, 16, 32, 36)
_SHOWN = 40


@dataclass(frozen=True, slots=True, eq=False)
class Otherwise:
    """What a schema says otherwise than the contract's: at ``node``, none where something is lacking; ``remedy`` is the
    keyword and the value that would bring it into line, where the rest of the schema agrees with that.
    """

    node: Node | None
    message: str
    remedy: tuple[str, Plain] | None = None


def otherwise(schema: Mapping, wanted: dict[str, Plain]) -> tuple[Otherwise, ...]:
    """Every contradiction between a declared key's *schema* and the contract's, stricter or looser.

    No remedy anywhere where one of them has none: the rest would be brought into line with what stays in the way.
    """
    found = tuple(_found(schema, wanted))
    if all(one.remedy is not None for one in found):
        return found
    return tuple(Otherwise(one.node, one.message) for one in found)


def fixed(*holders: Mapping) -> Iterator[tuple[str, Node]]:
    """The examples and defaults of a declared key."""
    for holder in holders:
        for name in _FIXED:
            node = holder.get(name)
            if node is not None:
                yield name, node


def _found(schema: Mapping, wanted: dict[str, Plain]) -> Iterator[Otherwise]:
    stated = schema.get("type")
    types = plain(stated) if stated is not None else None
    if types is not None and types != "string" and not (isinstance(types, list) and "string" in types):
        plain_type = isinstance(types, str) and not any(schema.get(name) is not None for name in _REFUSING[2:])
        yield Otherwise(
            stated, f"its type is {types}, and a key is a string", ("type", "string") if plain_type else None
        )
    free = not any(schema.get(name) is not None for name in ("enum", "const", "format"))
    for name in _BOUNDS:
        node, value = schema.get(name), wanted.get(name)
        told = plain_scalar(node) if isinstance(node, Scalar) else None
        if value is None or told == value:
            continue
        if node is not None:
            yield Otherwise(node, f"{name} is {told}, and {value} by the contract", (name, value))
        elif free and value not in (1, VISIBLE_ASCII):
            yield Otherwise(None, f"no {name} is declared, and it is {value} by the contract", (name, value))
    for name in _REFUSING:
        node = schema.get(name)
        if node is None or name in wanted:
            continue
        refused = _refused(name, plain(node), wanted)
        if refused is not None:
            shown = refused if len(refused) <= _SHOWN else f"one of {len(refused)} characters"
            yield Otherwise(node, f"its {name} refuses keys that the contract accepts, such as {shown}")


def _refused(name: str, value: Plain, wanted: dict[str, Plain]) -> str | None:
    """A key that the contract accepts and the keyword refuses; none where the contract bounds nothing."""
    if len(wanted) < 2 and name not in ("enum", "const"):
        return None
    import jsonschema_rs

    try:
        own = jsonschema_rs.Draft202012Validator({name: value}, validate_formats=True)
        accepted = jsonschema_rs.Draft202012Validator(dict(wanted))
    except ValueError:
        return None
    lengths = (*_LENGTHS, *(size for bound in _BOUNDS[:2] if isinstance(size := wanted.get(bound), int)))
    return next((key for key in _keys(lengths) if accepted.is_valid(key) and not own.is_valid(key)), None)


@lru_cache(maxsize=64)
def _keys(lengths: tuple[int, ...]) -> tuple[str, ...]:
    made = (letters * (size // len(letters) + 1) for size, letters in product(lengths, _ALPHABETS))
    sizes = (size for size, _ in product(lengths, _ALPHABETS))
    return (*_MADE, *(text[:size] for text, size in zip(made, sizes, strict=True)))
