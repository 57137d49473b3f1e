"""The standard library's dataclasses without the price of making them: a method is written when it is first used.

Python's own decorator compiles six methods for each frozen class while a program starts, and loads ``inspect`` to do
so; of most classes a run uses one method or none. To a type checker these names *are* the standard library's, so they
must behave as those do: the tests compare the two. What nobody here asks for (InitVar, KW_ONLY, ``unsafe_hash``,
``weakref_slot``) is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MappingProxyType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace"]


class _Absent:
    """Stands for a default that isn't there."""

    def __repr__(self) -> str:
        return "<factory>"


_NONE: Final = _Absent()
_NO_METADATA: Mapping[str, object] = MappingProxyType({})
_DECLARED: Final = "__declared__"


class Field:
    """One field of a class, under the names that the standard library's has."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "metadata", "name", "repr", "type")

    def __init__(
        self,
        default: object = _NONE,
        default_factory: object = _NONE,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        metadata: Mapping[str, object] = _NO_METADATA,
        kw_only: bool | None = None,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only, self.metadata = init, repr, compare, kw_only, metadata
        self.name = self.type = ""

    @property
    def bare(self) -> bool:
        """Whether it has no default of any kind."""
        return self.default is _NONE and self.default_factory is _NONE


def _field(
    *,
    default: object = _NONE,
    default_factory: object = _NONE,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    metadata: Mapping[str, object] | None = None,
    kw_only: bool | None = None,
) -> Field:
    if default is not _NONE and default_factory is not _NONE:
        raise ValueError("cannot specify both default and default_factory")
    told = _NO_METADATA if metadata is None else MappingProxyType(metadata)
    return Field(default, default_factory, init, repr, compare, told, kw_only)


class _Declared:
    """What a class says of itself: its fields in order, those of its bases included, and whether it is frozen."""

    __slots__ = ("fields", "frozen")

    def __init__(self, fields: dict[str, Field], frozen: bool) -> None:
        self.fields, self.frozen = fields, frozen


class _Later:
    """A class attribute that is made when it is first looked up, and stands in its own place from then on."""

    __slots__ = ("make", "name", "owner")

    def __init__(self, name: str, make: Callable[[type], Any]) -> None:
        self.name, self.make = name, make
        self.owner: type = object

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        made = self.make(self.owner)
        setattr(self.owner, self.name, made)
        return made.__get__(instance, owner) if isinstance(made, FunctionType) else made


def _dataclass(
    cls: type | None = None,
    /,
    *,
    repr: bool = True,
    eq: bool = True,
    order: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
) -> Any:
    if order and not eq:
        raise ValueError("eq must be true if order is true")

    def made(cls: type) -> type:
        mine = _declared(cls, kw_only)
        declared = _Declared(_with_inherited(cls, mine, frozen), frozen)
        later = _later(cls, repr, eq, order, frozen)
        added = _ready(cls, declared, eq, slots) | {one.name: one for one in later}
        cls = _slotted(cls, declared.fields, mine, added) if slots else _open(cls, mine, added)
        for one in later:
            one.owner = cls
        return cls

    return made if cls is None else made(cls)


def _later(cls: type, repr: bool, eq: bool, order: bool, frozen: bool) -> tuple[_Later, ...]:
    """The methods that are written on first use, but for those that the class has itself."""
    own = cls.__dict__
    ways: dict[str, Callable[[type], Any]] = {
        "__init__": _init,
        **({"__repr__": _repr} if repr else {}),
        **({"__eq__": _eq} if eq else {}),
        "__dataclass_fields__": _standard_fields,
        "__dataclass_params__": _standard_params,
    }
    found = [_Later(name, way) for name, way in ways.items() if name not in own]
    if eq and frozen and not _hashes(cls):
        found.append(_Later("__hash__", _hash))
    if order:
        for name, way in _ORDER.items():
            if name in own:
                raise TypeError(f"cannot overwrite attribute {name} in class {cls.__name__}")
            found.append(_Later(name, way))
    return tuple(found)


def _ready(cls: type, declared: _Declared, eq: bool, slots: bool) -> dict[str, Any]:
    """What a class has from the beginning."""
    own = cls.__dict__
    added: dict[str, Any] = {_DECLARED: declared}
    if "__match_args__" not in own:
        added["__match_args__"] = tuple([name for name, one in declared.fields.items() if one.init and not one.kw_only])
    if eq and not declared.frozen and not _hashes(cls):
        added["__hash__"] = None
    if declared.frozen:
        if own.keys() & _FROZEN.keys():
            raise TypeError(f"cannot overwrite how {cls.__name__} is assigned to")
        added |= _FROZEN
        if slots:
            added |= {name: way for name, way in _STATE.items() if name not in own}
    return added


def _hashes(cls: type) -> bool:
    """Whether the class says itself how it is hashed; Python's None beside an own ``__eq__`` says nothing."""
    own = cls.__dict__
    return "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)


def _declared(cls: type, kw_only: bool) -> dict[str, Field]:
    """The fields that the class itself declares."""
    own = cls.__dict__
    found: dict[str, Field] = {}
    for name, kind in own.get("__annotations__", {}).items():
        if str(kind).removeprefix("typing.").startswith("ClassVar"):
            continue
        value = getattr(cls, name, _NONE)
        if isinstance(value, MemberDescriptorType):
            value = _NONE
        if not isinstance(value, Field):
            value = Field(value)
        if type(value.default).__hash__ is None:
            raise ValueError(f"mutable default {type(value.default)} for field {name} is not allowed")
        value.name, value.type = name, kind
        if value.kw_only is None:
            value.kw_only = kw_only
        found[name] = value
    return found


def _with_inherited(cls: type, mine: dict[str, Field], frozen: bool) -> dict[str, Field]:
    """All fields of the class; one that is declared again keeps its place."""
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        declared: _Declared | None = base.__dict__.get(_DECLARED)
        if declared is not None:
            if declared.frozen is not frozen:
                raise TypeError("a frozen dataclass can't inherit from one that is not, nor the other way round")
            found |= declared.fields
    found |= mine
    behind = ""
    for one in found.values():
        if one.init and not one.kw_only:
            if behind and one.bare:
                raise TypeError(f"non-default argument {one.name!r} follows default argument {behind!r}")
            behind = behind if one.bare else one.name
    return found


def _slotted(cls: type, every: dict[str, Field], mine: dict[str, Field], added: dict[str, Any]) -> type:
    """The class once more, with a slot for each field: slots can't be given to a class that is there."""
    own = cls.__dict__
    if "__slots__" in own:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    there = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    kept = {name: own[name] for name in own if name not in mine and name not in ("__dict__", "__weakref__")}
    slots = tuple([name for name in every if name not in there])
    return type(cls)(
        cls.__name__, cls.__bases__, {**kept, **added, "__slots__": slots, "__qualname__": cls.__qualname__}
    )


def _open(cls: type, mine: dict[str, Field], added: dict[str, Any]) -> type:
    """The class itself, whose instances have a dictionary; defaults stay its attributes."""
    for name, one in mine.items():
        if isinstance(cls.__dict__.get(name), Field):
            if one.default is _NONE:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
    for name, value in added.items():
        setattr(cls, name, value)
    return cls


def _fields_of(cls: type) -> Iterable[Field]:
    declared: _Declared = cls.__dict__[_DECLARED]
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


def _init(cls: type) -> Any:
    frozen, slotted = cls.__dict__[_DECLARED].frozen, "__slots__" in cls.__dict__
    # Without slots, a default that nobody can give is the class's own attribute.
    every = [one for one in _fields_of(cls) if one.init or (not one.bare and (slotted or one.default is _NONE))]
    known: dict[str, object] = {"__set__": object.__setattr__, "__none__": _NONE}
    lines = []
    for index, one in enumerate(every):
        known[f"__default{index}__"] = one.default if one.default_factory is _NONE else one.default_factory
        value = one.name
        if one.default_factory is not _NONE:
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
    return f"{one.name}=__none__" if one.default_factory is not _NONE else f"{one.name}=__default{index}__"


def _repr(cls: type) -> Any:
    from reprlib import recursive_repr

    shown = ", ".join(f"{one.name}={{self.{one.name}!r}}" for one in _fields_of(cls) if one.repr)
    line = f"return f'{{self.__class__.__qualname__}}({shown})'"
    return recursive_repr()(_written(cls, "__repr__", "self", [line], {}))


def _compared(cls: type, of: str) -> str:
    """The tuple of what counts when two are compared."""
    return "(" + "".join(f"{of}.{one.name}, " for one in _fields_of(cls) if one.compare) + ")"


def _eq(cls: type) -> Any:
    return _comparison(cls, "__eq__", "==")


def _comparison(cls: type, name: str, sign: str) -> Any:
    lines = (
        "if other.__class__ is self.__class__:",
        f" return {_compared(cls, 'self')} {sign} {_compared(cls, 'other')}",
        "return NotImplemented",
    )
    return _written(cls, name, "self, other", lines, {})


def _hash(cls: type) -> Any:
    return _written(cls, "__hash__", "self", [f"return hash({_compared(cls, 'self')})"], {})


_ORDER: dict[str, Callable[[type], Any]] = {
    "__lt__": lambda cls: _comparison(cls, "__lt__", "<"),
    "__le__": lambda cls: _comparison(cls, "__le__", "<="),
    "__gt__": lambda cls: _comparison(cls, "__gt__", ">"),
    "__ge__": lambda cls: _comparison(cls, "__ge__", ">="),
}


def _standard_twin(cls: type) -> Any:
    """The standard library's own class of the same fields, for its functions that ask for one."""
    import dataclasses

    def standard(one: Field) -> Any:
        return dataclasses.field(  # type: ignore[call-overload]  # what isn't given differs from any value
            **({} if one.default is _NONE else {"default": one.default}),
            **({} if one.default_factory is _NONE else {"default_factory": one.default_factory}),
            init=one.init,
            repr=one.repr,
            compare=one.compare,
            metadata=one.metadata,
            kw_only=one.kw_only,
        )

    declared: _Declared = cls.__dict__[_DECLARED]
    kinds = [(one.name, one.type, standard(one)) for one in declared.fields.values()]
    return dataclasses.make_dataclass(cls.__name__, kinds, frozen=declared.frozen)


def _standard_fields(cls: type) -> Any:
    return _standard_twin(cls).__dataclass_fields__


def _standard_params(cls: type) -> Any:
    return _standard_twin(cls).__dataclass_params__


def _refuse_set(self: object, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: object, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: object) -> list[object]:
    return [getattr(self, one.name) for one in _fields(self)]


def _set_state(self: object, state: list[object]) -> None:
    for one, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_FROZEN = {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
_STATE = {"__getstate__": _get_state, "__setstate__": _set_state}


def _fields(record: object) -> tuple[Field, ...]:
    declared: _Declared | None = getattr(record, _DECLARED, None)
    if declared is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(declared.fields.values())


def _is_dataclass(value: object) -> bool:
    return hasattr(value if isinstance(value, type) else type(value), _DECLARED)


def _replace(record: Any, /, **changes: Any) -> Any:
    if isinstance(record, type) or not _is_dataclass(record):
        raise TypeError("replace() should be called on dataclass instances")
    for one in _fields(record):
        if not one.init:
            if one.name in changes:
                raise ValueError(f"field {one.name} is declared with init=False, it cannot be specified with replace()")
        elif one.name not in changes:
            changes[one.name] = getattr(record, one.name)
    return type(record)(**changes)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, is_dataclass, replace
else:
    dataclass, field, fields, is_dataclass, replace = _dataclass, _field, _fields, _is_dataclass, _replace
