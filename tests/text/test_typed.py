"""What stands for ``typing`` while a program runs is taken wherever that is."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable
from pathlib import Path

import pytest

import idempact
from idempact.resources import typed


def test_every_name_is_one_of_typing() -> None:
    assert set(typed.__all__) <= set(typing.__all__)
    assert all(hasattr(typed, name) for name in typed.__all__)


def test_no_other_module_of_ours_loads_typing() -> None:
    root = Path(idempact.__file__).parent
    loading = re.compile(r"^\s*(?:from typing import|import typing\b)", re.MULTILINE)
    found = {path.relative_to(root) for path in root.rglob("*.py") if loading.search(path.read_text("utf-8"))}
    assert found == {Path("resources/typed.py")}


def _made(base: type) -> type:
    class Point(base):
        """A place."""

        x: int
        y: int = 2
        name: str = ""

        def __eq__(self, other: object) -> bool:
            return self is other

        def __hash__(self) -> int:
            return id(self)

        @property
        def twice(self) -> int:
            """Of x."""
            return self.x * 2

    return Point


def _told(made: type) -> list[object]:
    one = made(1, name="a")
    return [
        *(made.__name__, made.__qualname__, made.__module__, made.__doc__, made.__bases__),
        *(made._fields, made._field_defaults, made.__match_args__),
        *(tuple(one), repr(one), one.twice, one == made(1, 2, "a"), one == one, hash(one) == id(one)),
        *(one._replace(y=5)._asdict(), isinstance(one, tuple), tuple(made._make((3, 4, "b")))),
    ]


def test_a_named_tuple_is_what_typing_makes_of_it() -> None:
    assert _told(_made(typed.NamedTuple)) == _told(_made(typing.NamedTuple))
    for base in (typed.NamedTuple, typing.NamedTuple):
        with pytest.raises(TypeError):
            _made(base)()


def test_bases_aliases_and_casts_are_taken_as_they_are() -> None:
    variable = typed.TypeVar("variable")
    either = variable | None
    assert either[int] is not None
    assert (None | variable)[str] is not None
    assert Callable[[typed.Any], dict[str, variable]] is not None

    class Held(typed.Generic[variable]):
        pass

    class Shown(typed.Protocol):
        pass

    assert Held[int]() is not None
    assert isinstance(Shown(), Shown)
    assert typed.cast("int", "x") == "x"
    with pytest.raises(AssertionError, match="'x'"):
        typed.assert_never("x")
