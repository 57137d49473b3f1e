"""Paths that notes and changes write: every field has one, and it leads to the field's value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.dotted import dotted, parse_dotted
from idempact.contract.paths import ABSENT, NoField, field, value
from idempact.contract.read import Read
from idempact.contract.same import same
from idempact.contract.write import resolved
from idempact.text.diagnostic import Checked
from idempact.text.nodes import Plain

HERE = Path(__file__).parent
Check = Callable[..., Checked[Read]]


@given(st.lists(st.text(st.characters(blacklist_categories=("Cs",)), max_size=8), min_size=1, max_size=4).map(tuple))
def test_any_path_reads_back_from_how_it_is_shown(path: tuple[str, ...]) -> None:
    assert parse_dotted(dotted(path)) == path


def test_paths_are_shown_as_people_write_them() -> None:
    assert dotted(("operations", "POST /refunds", "windows", "replay")) == (
        'operations["POST /refunds"].windows.replay'
    )
    assert dotted(("windows", "retry_chains", "0", "lasts")) == "windows.retry_chains[0].lasts"


@pytest.mark.parametrize("text", ["", ".", "a.", "a..b", "a[", 'a["b]', "a b", 'a["\\x"]', "a[b]", "0", "a]"])
def test_anything_else_is_no_path(text: str) -> None:
    with pytest.raises(ValueError, match="path"):
        parse_dotted(text)


def _leaves(data: Plain, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Plain]]:
    if path:
        yield path, data
    if isinstance(data, dict):
        for key, item in data.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from _leaves(item, (*path, str(index)))


@pytest.mark.parametrize("name", ["overrides.yaml", "kinds.yaml"])
def test_every_field_of_a_written_out_contract_has_a_path_to_its_value(name: str, check_text: Check) -> None:
    found = check_text((HERE / "valid" / name).read_bytes()).value
    assert found is not None
    contract = found.contract
    counted = 0
    for path, data in _leaves(resolved(contract)):
        if path[0] in ("idempact", "operations") and len(path) <= 2:
            continue
        # What an override takes back is written as none, and isn't there.
        if path[-1:] == ("stored_failures",) or isinstance(data, dict):
            continue  # one word may stand for several fields, and a mapping is compared by its parts
        if data == "none" and value(field(dotted(path), contract), contract) is ABSENT:
            continue
        assert same(value(field(dotted(path), contract), contract), data), path
        counted += 1
    assert counted > 100


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("window.replay", "did you mean `windows`?"),
        ("windows.replya", "did you mean `replay`?"),
        ("windows.retry_chains.first", ""),
        ("scope[0].session.x.y", None),
        ('operations["POST /payment"]', "did you mean `POST /payments`?"),
        ("api.contact.length", ""),
    ],
)
def test_a_path_to_nothing_says_what_was_meant(text: str, hint: str | None, minimal: str, check_text: Check) -> None:
    found = check_text(minimal).value
    assert found is not None
    if hint is None:
        field(text, found.contract)  # within a value of its own form nothing more is checked
        return
    with pytest.raises(NoField) as error:
        field(text, found.contract)
    assert error.value.hint == hint


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("24h", "1440m", True),
        ("24h", "24m", False),
        (["a"], "a", True),
        (["a", "b"], ["b", "a"], False),
        (True, "true", True),
        (5, "5", True),
        ({"at_least": "7d"}, {"at_least": "168h"}, True),
        ({"at_least": "7d"}, "7d", False),
        (None, "null", True),
    ],
)
def test_values_are_the_same_however_they_are_written(one: object, other: object, alike: bool) -> None:
    assert same(one, other) is alike
    assert same(other, one) is alike
