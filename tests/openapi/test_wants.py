"""What is gathered for a file: the same containers for the same value, and never another's."""

from __future__ import annotations

import pytest

from idempact.openapi.locate import read
from idempact.openapi.wants import APPEND, Gathering, Want
from idempact.text.span import Document

TEXT = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a: {x: 1}\n  /b: {x: 1}\n  /c: {x: 1}\n'


@pytest.fixture
def gathering():
    """An empty one for a file of three paths."""
    return Gathering(read(Document("api.yaml", TEXT)).value.main)


def _members(gathering):
    return {addition.container[1]: addition.members for addition in gathering.result.additions.values()}


def test_containers_of_one_value_are_shared_and_those_of_two_are_not(gathering):
    one, other = {"$ref": "#/a"}, {"$ref": "#/b"}
    for template, value in (("/a", one), ("/b", other), ("/c", one)):
        assert gathering.take(Want(("paths", template, "headers", "Again"), value)) is None
    made = _members(gathering)
    assert made["/a"] == made["/c"] == [("headers", {"Again": one})]
    assert made["/b"] == [("headers", {"Again": other})]
    assert made["/a"][0][1] is made["/c"][0][1]


def test_values_that_are_let_go_meanwhile_are_not_taken_for_others(gathering):
    for number, template in enumerate(("/a", "/b", "/c")):
        gathering.take(Want(("paths", template, "more", APPEND), {"number": number}))
    assert [members for _, members in sorted(_members(gathering).items())] == [
        [("more", [{"number": number}])] for number in range(3)
    ]


def test_a_shared_container_is_not_filled_for_all(gathering):
    value = {"$ref": "#/a"}
    gathering.take(Want(("paths", "/a", "headers", "Again"), value))
    gathering.take(Want(("paths", "/b", "headers", "Again"), value))
    gathering.take(Want(("paths", "/b", "headers", "More"), value))
    assert _members(gathering) == {
        "/a": [("headers", {"Again": value})],
        "/b": [("headers", {"Again": value, "More": value})],
    }
