"""What the facts' tests share: the shipped contracts with their facts, and contracts of any kind."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from idempact import load
from idempact.contract.check import checked
from idempact.facts import Facts
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Facts]:
    """The facts of a shipped contract, by its file's name."""

    def facts(name: str) -> Facts:
        found = load(ROOT / "contract" / name)
        assert found.value is not None
        assert not found.broken
        return Facts.of(found.value.contract)

    return facts


@pytest.fixture(scope="session")
def small_with() -> Callable[..., Facts]:
    """The facts of a small contract with some of its text replaced, and lines added."""

    def facts(*changes: tuple[str, str], more: str = "") -> Facts:
        text = (ROOT / "tests" / "contracts" / "valid" / "base.yaml").read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        tree = compose(Document("contract.yaml", text + more)).value
        assert tree is not None
        found = checked(tree)
        assert found.value is not None
        assert not found.broken, [d.message for d in found.diagnostics]
        return Facts.of(found.value.contract)

    return facts


@pytest.fixture(scope="session")
def any_contract() -> ModuleType:
    """The strategies for contracts that the model can hold, which the contract's tests own."""
    path = ROOT / "tests" / "contracts" / "strategies.py"
    spec = importlib.util.spec_from_file_location("contract_strategies_for_facts", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
