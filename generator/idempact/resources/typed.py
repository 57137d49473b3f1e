"""The names of ``typing`` that are asked for here, which mean nothing while a program runs.

To load ``typing`` takes a thirtieth of a check. To a type checker these names *are* its, so what stands here instead
only has to be taken where they stand: as bases, in brackets, and in the values of aliases.
"""

from __future__ import annotations

import collections
from collections.abc import Callable

__all__ = [
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Final",
    "Generic",
    "NamedTuple",
    "NoReturn",
    "Protocol",
    "TextIO",
    "TypeAlias",
    "TypeVar",
    "assert_never",
    "cast",
]


_named: Callable[..., type] = collections.namedtuple
"""Under a name of its own: of the other, a type checker wants the arguments written out."""


class _Bracketed:
    """What stays the same whatever stands behind it in brackets."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


class _Fields(type):
    """Makes a class with fields into a named tuple with its methods, as ``typing`` does."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
        fields = members.get("__annotations__")
        if not bases or not isinstance(fields, dict):
            return super().__new__(cls, name, bases, members)
        defaults = [members.pop(field) for field in fields if field in members]
        made = _named(name, fields, defaults=defaults, module=members["__module__"])
        for key, value in members.items():
            if key not in ("__module__", "__qualname__", "__annotations__"):
                setattr(made, key, value)
        made.__annotations__ = fields
        made.__qualname__ = str(members["__qualname__"])
        return made


def _same(_: object, value: object) -> object:
    return value


class _Variable:
    """Whatever an alias makes of it is of no matter either."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def _same(self, _: object) -> _Variable:
        return self

    __or__ = __ror__ = __getitem__ = _same


def _never(value: object) -> object:
    raise AssertionError(f"this was not to be reached: {value!r}")


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        Any,
        ClassVar,
        Final,
        Generic,
        NamedTuple,
        NoReturn,
        Protocol,
        TextIO,
        TypeAlias,
        TypeVar,
        assert_never,
        cast,
    )
else:
    Any = ClassVar = Final = NoReturn = TextIO = TypeAlias = object
    Generic = Protocol = _Bracketed
    NamedTuple = _Fields("NamedTuple", (), {})
    TypeVar, cast, assert_never = _Variable, _same, _never
