"""What the contract's tests share: the shipped contracts, one way to check a text, and contracts of any kind."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from idempact.contract.check import checked
from idempact.contract.read import Read
from idempact.text.diagnostic import Checked
from idempact.text.nodes import compose, decode

HERE = Path(__file__).parent
TODAY = date(2026, 11, 30)


def _check(data: str | bytes, name: str = "contract.yaml") -> Checked[Read]:
    document = decode(name, data.encode() if isinstance(data, str) else data)
    if document.value is None:
        return Checked(None, document.diagnostics)
    tree = compose(document.value)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    found = checked(tree.value, TODAY)
    return Checked(found.value, (*tree.diagnostics, *found.diagnostics))


@pytest.fixture(scope="session")
def check_text() -> Callable[..., Checked[Read]]:
    """Checks a contract's text or bytes, as of the end of November 2026."""
    return _check


@pytest.fixture(scope="session")
def shipped() -> Path:
    """The folder of the shipped contracts."""
    return HERE.parents[1] / "contract"


@pytest.fixture(scope="session")
def example(shipped: Path) -> str:
    """The example contract's text."""
    return (shipped / "contract.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def minimal(shipped: Path) -> str:
    """The minimal contract's text."""
    return (shipped / "minimal.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def base() -> str:
    """A small contract of the tests' own, for tests that change some of it."""
    return (HERE / "valid" / "base.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def any_contract() -> ModuleType:
    """The strategies for contracts that the model can hold."""
    spec = importlib.util.spec_from_file_location("contract_strategies", HERE / "strategies.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
