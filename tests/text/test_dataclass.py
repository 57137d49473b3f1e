"""Our dataclasses against the standard library's: whatever is declared, both behave alike."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.text import dataclass as ours

NAMES = ("first", "second", "third", "fourth", "self_", "other", "value", "make", "cls")
VALUES = st.sampled_from((0, 1, -1, "", "a", (), (1, "b"), None, 2.5))
T = TypeVar("T")


def factories() -> st.SearchStrategy[Callable[[], object]]:
    return st.sampled_from((list, dict, tuple, int))


@st.composite
def declared(draw: st.DrawFn) -> dict[str, tuple[str, dict[str, Any]]]:
    """What a class declares: a name, how its default is given, and the options of ``field``."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4)):
        way = draw(st.sampled_from(("bare", "plain", "field")))
        options: dict[str, Any] = {}
        if way == "plain":
            options["default"] = draw(VALUES)
        if way == "field":
            given_by = draw(st.sampled_from(("", "default", "default", "default_factory", "default_factory", "both")))
            if given_by in ("default", "both"):
                options["default"] = draw(st.one_of(*[VALUES] * 9, st.just([])))
            if given_by in ("default_factory", "both"):
                options["default_factory"] = draw(factories())
            flags = draw(st.dictionaries(st.sampled_from(("init", "repr", "compare")), st.booleans()))
            options |= flags
            options |= draw(st.sampled_from(({}, {"kw_only": True}, {"kw_only": False}, {"metadata": {"a": 1}})))
        found[name] = (way, options)
    return found


flags = st.fixed_dictionaries(
    {}, optional={name: st.booleans() for name in ("frozen", "slots", "order", "eq", "kw_only", "repr")}
)
own_methods = st.sets(st.sampled_from(("__eq__", "__hash__", "__repr__", "__init__", "__post_init__", "__lt__")))
methods = st.just(set[str]()) | own_methods


@st.composite
def levels(draw: st.DrawFn) -> list[Any]:
    """Classes that inherit from each other; mostly all are frozen, or none."""
    found = draw(st.lists(st.tuples(declared(), flags, methods), min_size=1, max_size=3))
    alike = draw(st.sampled_from(({"frozen": True}, {"frozen": False}, {"frozen": True, "kw_only": True}, {})))
    return [(fields, {**options, **alike}, own) for fields, options, own in found]


def _methods(names: set[str]) -> dict[str, Any]:
    def init(self: object) -> None:
        pass

    def after(self: Any) -> None:
        object.__setattr__(self, next(iter(type(self).__annotations__), "first"), "set afterwards")

    every: dict[str, Any] = {
        "__eq__": lambda self, other: self is other,
        "__hash__": lambda self: 5,
        "__repr__": lambda self: "of its own",
        "__init__": init,
        "__post_init__": after,
        "__lt__": lambda self, other: True,
    }
    return {name: every[name] for name in names}


def _made(module: Any, found: list[Any]) -> type:
    """The class of the last level, each a subclass of the one before."""
    base: type = object
    for fields, options, methods in found:
        body: dict[str, Any] = {"__module__": __name__, "__qualname__": "Made", "__annotations__": {}, "constant": 7}
        body["__annotations__"]["constant"] = "ClassVar[int]"
        for name, (way, told) in fields.items():
            body["__annotations__"][name] = "object"
            if way == "plain":
                body[name] = told["default"]
            elif way == "field":
                body[name] = module.field(**told)
        made = type("Made", (base,), {**body, **_methods(methods)})
        base = module.dataclass(**options)(made)
    return base


def _seen(work: Callable[[], Any]) -> Any:
    """What comes of it: a value in words, or the kind of exception."""
    try:
        return work()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


def _told(value: Any) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", str(_seen(lambda: repr(value))))


def _values(made: Any) -> object:
    names = [field.name for field in dataclasses.fields(made)]
    return [(name, _seen(lambda name=name: getattr(made, name))) for name in names]  # type: ignore[misc]


def _refusal(work: Callable[[], object]) -> object:
    """Whether something is refused: Python's own fails over itself where a class with slots has few fields."""
    return isinstance(_seen(work), type)


def _behaviour(module: ModuleType, found: list[Any], positional: list[Any], named: Mapping[str, Any]) -> list[Any]:
    cls = _made(module, found)
    if not positional:
        named = {one.name: named.get(one.name, one.name) for one in dataclasses.fields(cls) if one.init}
    seen: list[Any] = [cls.__match_args__, cls.__hash__ is None, "__slots__" in vars(cls)]  # type: ignore[attr-defined]
    seen += [sorted(name for name in NAMES if name in vars(cls) and "__slots__" not in vars(cls))]
    seen += [str(inspect.signature(cls.__init__)), cls.__dict__.get("__slots__")]  # type: ignore[misc]
    seen += [[(f.name, f.type, f.init, f.repr, f.compare, f.kw_only, f.metadata) for f in module.fields(cls)]]
    seen += [[(f.name, f.type, f.init, f.kw_only) for f in dataclasses.fields(cls)]]
    made = _seen(lambda: cls(*positional, **named))
    seen += [_seen(lambda: sorted(vars(made)))]
    if isinstance(made, type):
        return [*seen, made]
    again = cls(*positional, **named)
    seen += [_told(made), _values(made), _seen(lambda: hash(made) == hash(again)), _seen(lambda: made == again)]
    seen += [made != again, made == 5, made != 5, module.is_dataclass(made), module.is_dataclass(cls)]
    other = _seen(lambda: module.replace(made, **dict.fromkeys(list(named)[:1], "else")))
    seen += [_told(other), _seen(lambda: made == other), _seen(lambda: module.replace(made, unknown=1))]
    for sign in ("__lt__", "__le__", "__gt__", "__ge__"):
        seen += [
            _seen(lambda sign=sign: getattr(made, sign)(again)),  # type: ignore[misc]
            _seen(lambda sign=sign: getattr(made, sign)(other)),  # type: ignore[misc]
            _seen(lambda sign=sign: getattr(made, sign)(5)),  # type: ignore[misc]
        ]
    copied = _seen(lambda: copy.copy(made))
    seen += [_told(copied), _told(_seen(lambda: copy.deepcopy(made))), _told(_seen(lambda: dataclasses.asdict(made)))]
    seen += [_refusal(lambda: setattr(again, "first", 1)), _refusal(lambda: setattr(again, "nowhere", 1)), _told(again)]
    return [*seen, _refusal(lambda: delattr(again, "first")), _told(again)]


@given(levels(), st.lists(VALUES, max_size=3), st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3))
def test_any_class_behaves_as_the_standard_library_makes_it(
    found: list[Any], positional: list[Any], named: dict[str, Any]
) -> None:
    expected = _seen(lambda: _behaviour(dataclasses, found, positional, named))
    behaves = _seen(lambda: _behaviour(ours, found, positional, named))
    # Of several faults in one class, either may be told.
    assert isinstance(behaves, type) if isinstance(expected, type) else behaves == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ours, "_FEW", 0)
        assert _seen(lambda: _behaviour(ours, found, positional, named)) == behaves


@ours.dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A class that pickle can find."""

    value: T
    more: tuple[int, ...] = ()
    made: list[int] = ours.field(default_factory=list)
    limit: ClassVar[int] = 3


@ours.dataclass(slots=True)
class Open:
    """A class whose instances change."""

    value: int = 0


def test_instances_travel() -> None:
    kept = Kept("a", (1,))
    again = pickle.loads(pickle.dumps(kept))
    assert again == kept
    assert type(again) is Kept
    assert not hasattr(kept, "__dict__")


def test_a_frozen_class_refuses_and_an_open_one_does_not() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'value'"):
        Kept(1).value = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'value'"):
        del Kept(1).value  # type: ignore[misc]
    changing = Open()
    changing.value = 5
    assert changing == Open(5)
    with pytest.raises(TypeError, match="unhashable"):
        hash(changing)


def test_each_instance_has_its_own_of_what_is_made_for_it() -> None:
    one, other = Kept(1), Kept(1)
    one.made.append(1)
    assert (one.made, other.made) == ([1], [])


def test_a_subclass_of_its_own_runs_the_method_above() -> None:
    class Above(Kept[int]):
        def __init__(self, value: int) -> None:
            super().__init__(value, (value,))

        def __eq__(self, other: object) -> bool:
            return super().__eq__(other)

        __hash__ = Kept.__hash__

    assert (Above(4).more, Above(4) == Above(4), Above(4) == Kept(4, (4,))) == ((4,), True, False)
    assert repr(Above(4)).endswith("Above(value=4, more=(4,), made=[])")


def test_the_standard_library_takes_ours_for_its_own() -> None:
    assert dataclasses.is_dataclass(Kept)
    assert dataclasses.replace(Kept(1), value=2) == Kept(2)
    assert dataclasses.asdict(Kept(1, (2,))) == {"value": 1, "more": (2,), "made": []}
    assert [one.name for one in dataclasses.fields(Kept)] == ["value", "more", "made"]


def test_what_is_no_dataclass_is_refused() -> None:
    for work in (lambda: ours.fields(int), lambda: ours.replace(5), lambda: ours.replace(Kept)):  # type: ignore[arg-type,type-var]
        with pytest.raises(TypeError):
            work()
    assert not ours.is_dataclass(5)


def test_making_and_using_a_class_loads_neither_the_original_nor_what_that_loads() -> None:
    program = (
        "import sys; from idempact.text.span import Document, Span; from idempact.text.dataclass import replace\n"
        "span = Document('a', 'b').span(0); assert span == replace(span, line=1) and {span} and repr(span)\n"
        "print({'dataclasses', 'inspect'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
