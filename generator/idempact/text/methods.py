"""The methods of a dataclass, written from its fields as Python's own library writes them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from idempact.resources.typed import Any, Final


class _Absent:
    """Stands for a default that isn't there."""

    def __repr__(self) -> str:
        return "<factory>"


NONE: Final = _Absent()
"""Stands for a default that isn't there."""
NO_METADATA: Mapping[str, object] = MappingProxyType({})
DECLARED: Final = "__declared__"
"""Where a class keeps what it says of itself."""


class Field:
    """One field of a class, under the names that the standard library's has."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "metadata", "name", "repr", "type")

    def __init__(
        self,
        default: object = NONE,
        default_factory: Any = NONE,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        metadata: Mapping[str, object] = NO_METADATA,
        kw_only: bool | None = None,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only, self.metadata = init, repr, compare, kw_only, metadata
        self.name = self.type = ""

    @property
    def bare(self) -> bool:
        """Whether it has no default of any kind."""
        return self.default is NONE and self.default_factory is NONE


class Declared:
    """What a class says of itself: its fields in order, those of its bases included, and whether it is frozen."""

    __slots__ = ("fields", "frozen")

    def __init__(self, fields: dict[str, Field], frozen: bool) -> None:
        self.fields, self.frozen = fields, frozen


def _fields_of(cls: type) -> Iterable[Field]:
    declared: Declared = cls.__dict__[DECLARED]
    return declared.fields.values()


def _written(cls: type, name: str, parameters: str, lines: Iterable[str], known: dict[str, object]) -> Any:
    """The method *name* of the class, compiled; *known* are the names that it uses beside its parameters."""
    body = "\n  ".join(lines)
    text = f"def make({', '.join(known)}):\n def {name}({parameters}):\n  {body}\n return {name}"
    found: dict[str, Any] = {}
    exec(text, sys.modules[cls.__module__].__dict__ if cls.__module__ in sys.modules else {}, found)
    made = found["make"](**known)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    return made


def assigned(cls: type) -> list[Field]:
    """The fields that a new instance is given; without slots, a default that nobody can give is the class's own."""
    slotted = "__slots__" in cls.__dict__
    return [one for one in _fields_of(cls) if one.init or (not one.bare and (slotted or one.default is NONE))]


def init(cls: type) -> Any:
    """``__init__``, which takes the fields in order, and runs ``__post_init__`` at the end."""
    frozen, every = cls.__dict__[DECLARED].frozen, assigned(cls)
    known: dict[str, object] = {"__set__": object.__setattr__, "__none__": NONE}
    lines = []
    for index, one in enumerate(every):
        known[f"__default{index}__"] = one.default if one.default_factory is NONE else one.default_factory
        value = one.name
        if one.default_factory is not NONE:
            made = f"__default{index}__()"
            value = f"{made} if {one.name} is __none__ else {one.name}" if one.init else made
        elif not one.init:
            value = f"__default{index}__"
        lines.append(f"__set__(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    given = [(index, one) for index, one in enumerate(every) if one.init]
    ordered = [_parameter(index, one) for index, one in given if not one.kw_only]
    named = [_parameter(index, one) for index, one in given if one.kw_only]
    made = _written(
        cls, "__init__", ", ".join(["self", *ordered, *(["*", *named] if named else [])]), lines or ["pass"], known
    )
    made.__annotations__ = {**{one.name: one.type for _, one in given}, "return": None}
    return made


def _parameter(index: int, one: Field) -> str:
    if one.bare:
        return one.name
    return f"{one.name}=__none__" if one.default_factory is not NONE else f"{one.name}=__default{index}__"


def represent(cls: type) -> Any:
    """``__repr__``: the class's name and its fields; dots for an instance within itself."""
    from reprlib import recursive_repr

    shown = ", ".join(f"{one.name}={{self.{one.name}!r}}" for one in _fields_of(cls) if one.repr)
    line = f"return f'{{self.__class__.__qualname__}}({shown})'"
    return recursive_repr()(_written(cls, "__repr__", "self", [line], {}))


def _compared(cls: type, of: str) -> str:
    """The tuple of what counts when two are compared."""
    return "(" + "".join(f"{of}.{one.name}, " for one in _fields_of(cls) if one.compare) + ")"


def equal(cls: type) -> Any:
    """``__eq__``: of the same class, and alike in all that counts."""
    return _comparison(cls, "__eq__", "==")


def _comparison(cls: type, name: str, sign: str) -> Any:
    lines = (
        "if other.__class__ is self.__class__:",
        f" return {_compared(cls, 'self')} {sign} {_compared(cls, 'other')}",
        "return NotImplemented",
    )
    return _written(cls, name, "self, other", lines, {})


def hashed(cls: type) -> Any:
    """``__hash__`` of all that counts."""
    return _written(cls, "__hash__", "self", [f"return hash({_compared(cls, 'self')})"], {})


ORDER: Final[dict[str, Callable[[type], Any]]] = {
    "__lt__": lambda cls: _comparison(cls, "__lt__", "<"),
    "__le__": lambda cls: _comparison(cls, "__le__", "<="),
    "__gt__": lambda cls: _comparison(cls, "__gt__", ">"),
    "__ge__": lambda cls: _comparison(cls, "__ge__", ">="),
}
"""How each comparison of an ordered class is written."""
