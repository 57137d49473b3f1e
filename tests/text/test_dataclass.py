"""Dataclasses that are made when they are used behave as Python's own do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.text import dataclass as ours

MORE_THAN_A_FEW = 2 * ours._FEW

VALUES = st.integers(0, 2) | st.sampled_from(["", "a"]) | st.just((1, 2))
FLAGS = st.fixed_dictionaries({word: st.booleans() for word in ("frozen", "slots", "kw_only", "eq")})


def _pair(flags: dict[str, bool], order: bool) -> tuple[type, type]:
    """The same class, declared with Python's module and with ours."""
    made = []
    for declare, field in ((dataclasses.dataclass, dataclasses.field), (ours.dataclass, ours.field)):

        class Base:
            first: Any
            second: Any = 7

        base: Any = declare(**flags)(Base)

        class Derived(base):
            third: Any = field(default_factory=list)
            fourth: Any = field(default="d", compare=False)
            word: ClassVar[str] = "none of the fields"

            def told(self) -> str:
                return f"{self.third}"

        made.append(declare(**flags, order=order)(Derived))
    return made[0], made[1]


def _outcome(work: Callable[[], object]) -> tuple[object, str]:
    try:
        return work(), ""
    except Exception as error:
        return type(error), str(error).replace("_pair.<locals>.", "")


@given(
    FLAGS,
    st.booleans(),
    st.lists(VALUES, max_size=5),
    st.dictionaries(st.sampled_from(["first", "second", "third", "fourth", "fifth"]), VALUES, max_size=4),
    st.integers(0, 1),
)
def test_any_call_gives_what_pythons_own_gives(
    flags: dict[str, bool], order: bool, args: list[object], words: dict[str, object], warm: int
) -> None:
    theirs, mine = _pair(flags, order and flags["eq"])
    for _ in range(warm * MORE_THAN_A_FEW):
        mine(first=1)
    one, one_error = _outcome(lambda: theirs(*args, **words))
    other, other_error = _outcome(lambda: mine(*args, **words))
    if one_error or other_error:
        assert (one, one_error.replace("Derived.", "")) == (other, other_error.replace("Derived.", ""))
        return
    for read in (repr, vars if not flags["slots"] else repr, dataclasses.asdict, lambda o: o.told()):
        assert _outcome(lambda read=read: read(one)) == _outcome(lambda read=read: read(other))  # type: ignore[misc]
    again, other_again = theirs(*args, **words), mine(*args, **words)
    assert (one == again, one != again, one == 3) == (other == other_again, other != other_again, other == 3)
    if flags["frozen"] or not flags["eq"]:
        assert (_outcome(lambda: hash(one) == hash(again))) == _outcome(lambda: hash(other) == hash(other_again))
    else:
        assert (mine.__hash__, theirs.__hash__) == (None, None)
    # Of a name that is no field, Python's own class with slots speaks otherwise from version to version.
    for change in ("second", "told_otherwise")[: 1 if flags["slots"] else 2]:
        mistakes = [_outcome(lambda o=o, c=change: setattr(o, c, 1))[0] for o in (one, other)]  # type: ignore[misc]
        assert mistakes[0] == mistakes[1]
    assert repr(ours._replace(other, first="x")) == repr(dataclasses.replace(other, first="x"))
    for way in (copy.copy, copy.deepcopy):
        assert repr(way(other)) == repr(way(one))


@given(FLAGS, VALUES, VALUES)
def test_order_is_that_of_the_fields(flags: dict[str, bool], low: object, high: object) -> None:
    theirs, mine = _pair({**flags, "eq": True}, order=True)
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        one, other = (
            _outcome(lambda cls=cls, compare=compare: getattr(cls(first=low), compare)(cls(first=high)))  # type: ignore[misc]
            for cls in (theirs, mine)
        )
        assert one == other


@given(FLAGS)
def test_pythons_module_takes_them_for_its_own(flags: dict[str, bool]) -> None:
    theirs, mine = _pair(flags, order=False)
    assert all(found(one) for found in (dataclasses.is_dataclass, ours._is_dataclass) for one in (mine, mine(first=1)))
    told = [
        [(f.name, f.type, f.default, f.default_factory, f.compare, f.kw_only) for f in dataclasses.fields(cls)]
        for cls in (theirs, mine)
    ]
    assert told[0] == told[1]
    assert [f.name for f in ours._fields(mine)] == [f.name for f in dataclasses.fields(theirs)]
    assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters)
    assert mine.__match_args__ == theirs.__match_args__  # type: ignore[attr-defined]

    @dataclasses.dataclass(frozen=flags["frozen"])
    class Below(mine):  # type: ignore[misc, valid-type]
        fifth: Any = 5

    assert [f.name for f in dataclasses.fields(Below)] == ["first", "second", "third", "fourth", "fifth"]
    assert Below(first=1).fifth == 5


@ours.dataclass(frozen=True, slots=True)
class Kept:
    one: int
    two: tuple[str, ...] = ()


@ours.dataclass(frozen=True)
class Own:
    one: int

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ("a",)))) == Kept(1, ("a",))


def test_what_a_class_says_itself_is_kept() -> None:
    assert repr(Own(1)) == "own"
    assert Own(1) == Own(2)


def test_a_mutable_default_is_refused() -> None:
    def declare() -> None:
        @ours.dataclass
        class Shared:
            items: list[int] = []  # noqa: RUF012

    with pytest.raises(ValueError, match="default_factory"):
        declare()


def test_no_instance_is_lost_while_the_real_one_is_made() -> None:
    assert [Kept(number).one for number in range(MORE_THAN_A_FEW)] == list(range(MORE_THAN_A_FEW))
