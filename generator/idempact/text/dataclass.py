"""Dataclasses that cost little to declare: Python's own, to a reader and a type checker, but made when they are used.

Python's module compiles six functions for each class when it is declared, which was a third of a contract's check.
Here ``__init__`` is compiled at the first instance, and the rest is shared. Classes from here are dataclasses to
Python's module, too: its ``fields``, ``replace`` and ``asdict`` take them, and its classes may inherit from them.
Left out is what nothing here needs: ``InitVar``, ``KW_ONLY``, ``__post_init__``, and fields of a stdlib dataclass that
one of ours inherits from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter, ge, gt, le, lt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

MISSING: Any = object()
_OWN, _FIELDS, _PARAMS = "__declared_fields__", "__dataclass_fields__", "__dataclass_params__"
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Field:
    """One field, with the attributes of :class:`dataclasses.Field` that are used here."""

    __slots__ = ("compare", "default", "default_factory", "kw_only", "metadata", "name", "type")

    def __init__(self, default: Any, default_factory: Any, compare: bool, metadata: Mapping[Any, Any]) -> None:
        self.name, self.type, self.kw_only = "", "", False
        self.default, self.default_factory = default, default_factory
        self.compare, self.metadata = compare, metadata


Fields: TypeAlias = Mapping[str, Field]


def _field(
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    compare: bool = True,
    metadata: Mapping[Any, Any] = _NOTHING,
) -> Any:
    return Field(default, default_factory, compare, metadata)


def _dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    kw_only: bool = False,
) -> Any:
    def declare(cls: type) -> type:
        inherited: dict[str, Field] = {}
        for base in cls.__mro__[-2:0:-1]:
            inherited |= base.__dict__.get(_OWN, _NOTHING)
        declared = inherited | _own_fields(cls, kw_only)
        values = _values([name for name, f in declared.items() if f.compare])
        init = _Init(frozen)
        added: dict[str, Any] = {_OWN: declared, _FIELDS: _STANDARD, _PARAMS: _PARAMETERS[frozen], "__init__": init}
        kept: dict[str, Any] = {"__repr__": _repr}
        kept["__match_args__"] = tuple([name for name, f in declared.items() if not f.kw_only])
        if eq:
            kept |= _equality(cls, values, frozen)
        if order:
            added |= {f"__{compare.__name__}__": _comparison(values, compare) for compare in (lt, le, gt, ge)}
        if frozen:
            added |= _freezing(init, declared)
            if slots:
                kept |= {"__getstate__": _getstate, "__setstate__": _setstate}
        added |= {name: value for name, value in kept.items() if name not in cls.__dict__}
        if slots:
            cls = _with_slots(cls, declared, inherited, added)
        else:
            for name, value in added.items():
                setattr(cls, name, value)
        init.cls = cls
        return cls

    return declare if cls is None else declare(cls)


def _own_fields(cls: type, kw_only: bool) -> dict[str, Field]:
    own: dict[str, Field] = {}
    for name, kind in cls.__annotations__.items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = cls.__dict__.get(name, MISSING)
        own[name] = one = given if isinstance(given, Field) else Field(given, MISSING, True, _NOTHING)
        one.name, one.type, one.kw_only = name, kind, kw_only
        if isinstance(given, Field):
            if one.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
        elif isinstance(given, list | dict | set):
            raise ValueError(f"mutable default {type(given)} for field {name} is not allowed: use default_factory")
    return own


def _with_slots(cls: type, declared: Fields, inherited: Fields, added: dict[str, Any]) -> type:
    """The class made anew, as slots can't be added to one that is there."""
    namespace = {name: value for name, value in cls.__dict__.items() if name not in declared} | added
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace["__slots__"] = tuple(name for name in declared if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else lambda one: ()


def _equality(cls: type, values: Callable[[Any], tuple[Any, ...]], frozen: bool) -> dict[str, Any]:
    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    if "__eq__" in cls.__dict__ and cls.__dict__.get("__hash__", MISSING) is None:
        del cls.__hash__  # Python set it for the sake of __eq__, and ours fits that
    return {"__eq__": equal, "__hash__": hashed if frozen else None}


def _comparison(values: Callable[[Any], tuple[Any, ...]], compare: Callable[[Any, Any], Any]) -> Any:
    def comparison(self: object, other: object) -> Any:
        return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return comparison


def _freezing(home: _Init, names: Fields) -> dict[str, Any]:
    def set_one(self: object, name: str, value: object) -> None:
        if type(self) is home.cls or name in names:
            raise _frozen(f"cannot assign to field {name!r}")
        super(home.cls, self).__setattr__(name, value)

    def delete_one(self: object, name: str) -> None:
        if type(self) is home.cls or name in names:
            raise _frozen(f"cannot delete field {name!r}")
        super(home.cls, self).__delattr__(name)

    return {"__setattr__": set_one, "__delattr__": delete_one}


def _frozen(message: str) -> Exception:
    from dataclasses import FrozenInstanceError

    return FrozenInstanceError(message)


def _repr(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in getattr(self, _OWN))
    return f"{type(self).__qualname__}({fields})"


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _OWN)]


def _setstate(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _OWN), state, strict=True):
        object.__setattr__(self, name, value)


_FEW = 12
"""Up to how many instances it costs less to fill them one by one than to compile."""


class _Init:
    """Stands for a class's ``__init__`` until it pays to compile one, or until somebody looks at it."""

    cls: Any

    def __init__(self, frozen: bool) -> None:
        self.frozen, self.asked = frozen, 0

    def __get__(self, one: object, owner: type | None = None) -> Any:
        self.asked += 1
        if one is not None and self.asked <= _FEW:
            return partial(self._fill, one)
        made = self._made()
        return made if one is None else made.__get__(one, owner)

    def _made(self) -> Any:
        self.cls.__init__ = made = _compiled(self.cls, self.frozen)
        return made

    def _fill(self, one: object, /, *args: Any, **given: Any) -> None:
        values = self._sorted(args, given)
        if values is None:
            self._made()(one, *args, **given)  # which tells what is wrong
            return
        for name, value in values.items():
            _set(one, name, value)

    def _sorted(self, args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any] | None:
        """The value of each field; None where the arguments don't fit."""
        fields: dict[str, Field] = getattr(self.cls, _OWN)
        inner = [name for name, field in fields.items() if not field.kw_only][: len(args)]
        left = {**dict(zip(inner, args, strict=False)), **given}
        if len(left) != len(args) + len(given):
            return None
        values = {}
        for name, field in fields.items():
            if name in left:
                values[name] = left[name]
            elif field.default is not MISSING:
                values[name] = field.default
            elif field.default_factory is not MISSING:
                values[name] = field.default_factory()
            else:
                return None
        return values if left.keys() <= values.keys() else None


_set = object.__setattr__


def _compiled(cls: Any, frozen: bool) -> Any:
    """The ``__init__`` of a class of fields: their names become Python's text, their defaults are handed in."""
    fields: dict[str, Field] = getattr(cls, _OWN)
    given: dict[str, Any] = {"_set": _set, "_missing": MISSING}
    arguments: dict[bool, list[str]] = {False: [], True: []}
    body = []
    for name, one in fields.items():
        value, argument = name, name
        if one.default_factory is not MISSING:
            given[f"_make_{name}"] = one.default_factory
            argument, value = f"{name}=_missing", f"_make_{name}() if {name} is _missing else {name}"
        elif one.default is not MISSING:
            given[f"_default_{name}"] = one.default
            argument = f"{name}=_default_{name}"
        arguments[one.kw_only].append(argument)
        body.append(f"  _set(self, {name!r}, {value})" if frozen else f"  self.{name} = {value}")
    signature = ", ".join(["self", *arguments[False], *(["*", *arguments[True]] if arguments[True] else ())])
    lines = [
        f"def make({', '.join(given)}):",
        f" def __init__({signature}):",
        *(body or ["  pass"]),
        " return __init__",
    ]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), vars(sys.modules[cls.__module__]), scope)
    made = scope["make"](**given)
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {**{name: one.type for name, one in fields.items()}, "return": None}
    return made


class _Parameters:
    """What Python's module asks of a class that one of its own inherits from."""

    def __init__(self, frozen: bool) -> None:
        self.frozen = frozen


class _Standard:
    """Stands for the fields as Python's module knows them until it asks."""

    def __get__(self, one: object, owner: Any) -> dict[str, Any]:
        from dataclasses import dataclass as declare
        from dataclasses import field as standard

        declared: dict[str, Field] = getattr(owner, _OWN)
        known = ("default", "default_factory")
        made = {
            name: standard(
                compare=f.compare,
                metadata=f.metadata,
                kw_only=f.kw_only,
                **{word: getattr(f, word) for word in known if getattr(f, word) is not MISSING},
            )
            for name, f in declared.items()
        }
        annotations = {name: f.type for name, f in declared.items()}
        body = {"__annotations__": annotations, "__module__": owner.__module__, **made}
        found: dict[str, Any] = vars(declare(init=False, repr=False, eq=False)(type(owner.__name__, (), body)))[_FIELDS]
        home = next(cls for cls in owner.__mro__ if _OWN in vars(cls))
        setattr(home, _FIELDS, found)
        return found


_STANDARD = _Standard()
_PARAMETERS = {frozen: _Parameters(frozen) for frozen in (False, True)}


def _fields(one: Any) -> tuple[Field, ...]:
    return tuple(getattr(one, _OWN).values())


def _replace(one: Any, /, **changes: Any) -> Any:
    for name in getattr(one, _OWN):
        if name not in changes:
            changes[name] = getattr(one, name)
    return type(one)(**changes)


def _is_dataclass(one: object) -> bool:
    return hasattr(one if isinstance(one, type) else type(one), _OWN)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import is_dataclass as is_dataclass
    from dataclasses import replace as replace
else:
    dataclass, field, fields, is_dataclass, replace = _dataclass, _field, _fields, _is_dataclass, _replace
