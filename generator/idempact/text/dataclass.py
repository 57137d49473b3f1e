"""The standard library's dataclasses without the price of making them: a method is written when it is first used.

Python's own decorator compiles six methods for each frozen class while a program starts, and loads ``inspect`` to do
so; of most classes a run uses one method or none. To a type checker these names *are* the standard library's, so they
must behave as those do: the tests compare the two. What nobody here asks for (InitVar, KW_ONLY, ``unsafe_hash``,
``weakref_slot``) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import FunctionType, MappingProxyType, MemberDescriptorType

from idempact.resources.typed import TYPE_CHECKING, Any, Final
from idempact.text.methods import (
    DECLARED,
    NO_METADATA,
    NONE,
    ORDER,
    Declared,
    Field,
    assigned,
    equal,
    hashed,
    init,
    represent,
)

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace"]


_FEW: Final = 16
"""How many instances are filled by hand in the time that it takes to compile a method."""


def _field(
    *,
    default: object = NONE,
    default_factory: object = NONE,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    metadata: Mapping[str, object] | None = None,
    kw_only: bool | None = None,
) -> Field:
    if default is not NONE and default_factory is not NONE:
        raise ValueError("cannot specify both default and default_factory")
    told = NO_METADATA if metadata is None else MappingProxyType(metadata)
    return Field(default, default_factory, init, repr, compare, told, kw_only)


_CLASS_VAR: Final = len("typing.ClassVar")
_HASHED: Final = frozenset((str, int, float, bool, tuple, frozenset, type(None), type(NONE)))
"""The types of most defaults."""


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


class _LaterInit(_Later):
    """``__init__``, which is written for a class that has many instances: to fill a few by hand takes less time."""

    __slots__ = ("every", "filled", "ordered")

    def __init__(self) -> None:
        super().__init__("__init__", init)
        self.filled = 0
        self.every: list[Field] = []
        self.ordered: list[str] = []

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None or self.filled >= _FEW:
            return super().__get__(instance, owner)
        if not self.filled:
            self.every = assigned(self.owner)
            self.ordered = [one.name for one in self.every if one.init and not one.kw_only]
        self.filled += 1
        return partial(self._fill, instance)

    def _fill(self, instance: object, /, *given: object, **named: object) -> None:
        """Give the instance its values; whatever is wrong with them is told by the method as it is written."""
        values = dict(zip(self.ordered, given, strict=False))
        whole = len(values) == len(given) and values.keys().isdisjoint(named)
        values |= named
        for one in self.every:
            if one.init and one.name in values:
                value = values.pop(one.name)
            elif one.default_factory is not NONE:
                value = one.default_factory()
            else:
                value = one.default
                whole = whole and value is not NONE
            object.__setattr__(instance, one.name, value)
        if values or not whole:
            super().__get__(instance)(*given, **named)
        elif hasattr(instance, "__post_init__"):
            instance.__post_init__()


class _Standard:
    """What the standard library's functions ask a class for, from its own class of the same fields."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        cls = next(base for base in owner.__mro__ if DECLARED in base.__dict__)
        made = getattr(_standard_twin(cls), self.name)
        setattr(cls, self.name, made)
        return made


_STANDARD: Final = {name: _Standard(name) for name in ("__dataclass_fields__", "__dataclass_params__")}


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
        declared = Declared(_with_inherited(cls, mine, frozen), frozen)
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
    found: list[_Later] = [] if "__init__" in own else [_LaterInit()]
    if repr and "__repr__" not in own:
        found.append(_Later("__repr__", represent))
    if eq and "__eq__" not in own:
        found.append(_Later("__eq__", equal))
    if eq and frozen and not _hashes(cls):
        found.append(_Later("__hash__", hashed))
    if order:
        for name, way in ORDER.items():
            if name in own:
                raise TypeError(f"cannot overwrite attribute {name} in class {cls.__name__}")
            found.append(_Later(name, way))
    return tuple(found)


def _ready(cls: type, declared: Declared, eq: bool, slots: bool) -> dict[str, Any]:
    """What a class has from the beginning."""
    own = cls.__dict__
    added: dict[str, Any] = {DECLARED: declared, **_STANDARD}
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
        if "ClassVar" in str(kind)[:_CLASS_VAR]:
            continue
        value = getattr(cls, name, NONE)
        if isinstance(value, MemberDescriptorType):
            value = NONE
        if not isinstance(value, Field):
            value = Field(value)
        if type(value.default) not in _HASHED and not _can_hash(type(value.default)):
            raise ValueError(f"mutable default {type(value.default)} for field {name} is not allowed")
        value.name, value.type = name, kind
        if value.kw_only is None:
            value.kw_only = kw_only
        found[name] = value
    return found


def _can_hash(cls: type) -> bool:
    # Not by asking the class for its method, which would be written for it.
    return next(base.__dict__["__hash__"] for base in cls.__mro__ if "__hash__" in base.__dict__) is not None


def _with_inherited(cls: type, mine: dict[str, Field], frozen: bool) -> dict[str, Field]:
    """All fields of the class; one that is declared again keeps its place."""
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        declared: Declared | None = base.__dict__.get(DECLARED)
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
    slots = tuple([name for name in every if name not in there])
    body = {**own, **added, "__slots__": slots, "__qualname__": cls.__qualname__}
    for name in (*mine, "__dict__", "__weakref__"):
        body.pop(name, None)
    return type(cls)(cls.__name__, cls.__bases__, body)


def _open(cls: type, mine: dict[str, Field], added: dict[str, Any]) -> type:
    """The class itself, whose instances have a dictionary; defaults stay its attributes."""
    for name, one in mine.items():
        if isinstance(cls.__dict__.get(name), Field):
            if one.default is NONE:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
    for name, value in added.items():
        setattr(cls, name, value)
    return cls


def _standard_twin(cls: type) -> Any:
    """The standard library's own class of the same fields, for its functions that ask for one."""
    import dataclasses

    def standard(one: Field) -> Any:
        return dataclasses.field(  # type: ignore[call-overload]  # what isn't given differs from any value
            **({} if one.default is NONE else {"default": one.default}),
            **({} if one.default_factory is NONE else {"default_factory": one.default_factory}),
            init=one.init,
            repr=one.repr,
            compare=one.compare,
            metadata=one.metadata,
            kw_only=one.kw_only,
        )

    declared: Declared = cls.__dict__[DECLARED]
    kinds = [(one.name, one.type, standard(one)) for one in declared.fields.values()]
    return dataclasses.make_dataclass(cls.__name__, kinds, frozen=declared.frozen)


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
    declared: Declared | None = getattr(record, DECLARED, None)
    if declared is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(declared.fields.values())


def _is_dataclass(value: object) -> bool:
    return hasattr(value if isinstance(value, type) else type(value), DECLARED)


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
