"""One mistake, one finding: a value that can't be read says nothing, so no rule may speak of what stands for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, compose
from idempact.text.span import Document

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "contract"
CONTRACTS = [SHIPPED / "contract.yaml", SHIPPED / "minimal.yaml", *sorted((HERE / "valid").glob("*.yaml"))]
Check = Callable[..., Checked[Read]]
FREE = ("example", "from", "to")
"""Fields whose values are their author's own."""


def _values(node: Node | None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Every value of the language below a node, with the keys that lead to it."""
    inner: list[tuple[str, Node]] = []
    if isinstance(node, Mapping):
        inner = [(entry.key.value, entry.value) for entry in node.entries]
    elif isinstance(node, Sequence):
        inner = [(str(index), item) for index, item in enumerate(node.items)]
    for key, value in inner:
        if key in FREE or key.startswith("x-"):
            continue
        yield (*path, key), value
        yield from _values(value, (*path, key))


def _keys(node: Node | None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every key of the language below a node (not an operation's, a locale's or a status's name)."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            name = entry.key.value
            if name in FREE or name.startswith("x-"):
                continue
            if (
                path != ("operations",)
                and name.isidentifier()
                and name not in ("en", "zh", "when", "session", "pattern")
            ):
                yield (*path, name), entry.key
            yield from _keys(entry.value, (*path, name))
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _keys(item, (*path, str(index)))


def _root(text: str) -> Node | None:
    tree = compose(Document("contract.yaml", text))
    assert tree.value is not None
    return tree.value.root


def _told(text: str, check_text: Check) -> list[str]:
    return [f"{d.span.line if d.span else 0} {d.rule} {d.subject}" for d in check_text(text).diagnostics]


@pytest.mark.parametrize("wrong", ["[[]]", '""', "undecided"])
@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.stem)
def test_a_wrong_value_is_one_finding_at_its_place(path: Path, wrong: str, check_text: Check) -> None:
    text = path.read_text(encoding="utf-8")
    assert _told(text, check_text) == []
    failed = []
    for place, value in _values(_root(text)):
        block = isinstance(value, Mapping | Sequence) and not value.flow
        broken = text[: value.start] + wrong + ("\n" if block else "") + text[value.end :]
        found = _told(broken, check_text)
        line = text.count("\n", 0, value.start) + 1
        if len(found) != 1 or not found[0].startswith(f"{line} "):
            failed.append((place, found))
    assert failed == []


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.stem)
def test_a_misspelt_key_is_one_finding_that_names_the_right_one(path: Path, check_text: Check) -> None:
    text = path.read_text(encoding="utf-8")
    failed = []
    for place, key in _keys(_root(text)):
        name = key.value
        broken = text[: key.end - 1] + text[key.end - 1] * 2 + text[key.end :]
        found = check_text(broken).diagnostics
        if [d.rule for d in found] != ["contract/unknown-key"] or found[0].hint != f"did you mean `{name}`?":
            failed.append((place, [(d.rule, d.subject, d.hint) for d in found]))
    assert failed == []
