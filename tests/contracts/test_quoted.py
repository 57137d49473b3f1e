"""Quotes around a word: the same contract where no free text could stand, for every leaf of the shipped contracts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, Style, compose
from idempact.text.span import Document

SHIPPED = Path(__file__).parents[2] / "contract"
CONTRACTS = [SHIPPED / "contract.yaml", SHIPPED / "minimal.yaml"]
THEIRS = ("example", "from", "to")
"""Fields whose values are their author's own: there a quoted number is another value."""
Check = Callable[..., Checked[Read]]


def _leaves(node: Node | None) -> Iterator[Scalar]:
    """Every plain scalar below a node that stands as a value of the language."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            if entry.key.value not in THEIRS and not entry.key.value.startswith("x-"):
                yield from _leaves(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, Scalar) and node.style is Style.PLAIN and node.value:
        yield node


def _quoted(text: str, leaf: Scalar) -> str:
    assert '"' not in leaf.value
    return f'{text[: leaf.start]}"{leaf.value}"{text[leaf.end :]}'


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.stem)
def test_every_value_means_the_same_in_quotes(path: Path, check_text: Check) -> None:
    text = path.read_text(encoding="utf-8")
    tree = compose(Document(path.name, text)).value
    assert tree is not None
    plain = check_text(text)
    assert plain.value is not None
    leaves = list(_leaves(tree.root))
    assert len(leaves) > 15
    for leaf in leaves:
        found = check_text(_quoted(text, leaf))
        line = text.count("\n", 0, leaf.start) + 1
        said = [f"{d.rule} {d.message}" for d in found.diagnostics]
        assert said == [f"{d.rule} {d.message}" for d in plain.diagnostics], f"line {line}: {leaf.value}"
        assert found.value is not None
        assert found.value.contract == plain.value.contract, f"line {line}: {leaf.value}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("replay: 24h", 'replay: "forever"'),
        ("replay: 24h", 'replay: {at_most: 30d, at_least: "none"}'),
        ("required: true", 'required: "false"'),
        ("required: true", 'required: true, quoted: "either"'),
        ("[account, operation]", "'account'"),
        ("[account, operation]", '["account", "operation"]'),
        ("{fidelity: stored-response}", '{fidelity: stored-response, status: "none", indicator: "none"}'),
        ("code: idempotency_key_reused}", 'code: idempotency_key_reused, retry_after: "varies"}'),
        ("{answer: execute}", '{"answer": "execute"}'),
    ],
)
def test_a_word_that_the_examples_lack_may_stand_in_quotes(
    before: str, after: str, check_text: Check, minimal: str
) -> None:
    assert before in minimal
    quoted = check_text(minimal.replace(before, after, 1))
    bare = check_text(minimal.replace(before, re.sub("[\"']", "", after), 1))
    assert quoted.value is not None
    assert bare.value is not None
    assert [d.message for d in quoted.diagnostics] == [d.message for d in bare.diagnostics]
    assert quoted.value.contract == bare.value.contract


def test_a_refused_word_is_refused_in_quotes_for_its_own_reason(check_text: Check, minimal: str) -> None:
    found = check_text(minimal.replace("[account, operation]", '"global"'))
    assert [d.rule for d in found.diagnostics] == ["contract/global-scope"]


def test_a_free_text_may_spell_a_word_in_quotes(check_text: Check, minimal: str) -> None:
    found = check_text(minimal.replace("code: idempotency_key_reused", 'code: "none"'))
    assert found.value is not None
    mismatch = found.value.contract.settings.answers.mismatch
    assert mismatch.code == "none"  # type: ignore[union-attr]
