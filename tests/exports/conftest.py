"""What the exports' tests share: the schema as a validator, and contracts as a YAML 1.2 reader sees them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest

from idempact.exports.contract_schema import contract_schema
from idempact.text.nodes import Tree, compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The schema as it is generated now."""
    return contract_schema()


@pytest.fixture(scope="session")
def validator(schema: dict[str, Any]) -> Any:
    """A validator that shares no code with us."""
    return jsonschema_rs.validator_for(schema)


@pytest.fixture(scope="session")
def tree_of() -> Callable[[str], Tree]:
    """Located nodes of a text that is YAML."""

    def compose_text(text: str) -> Tree:
        tree = compose(Document("contract.yaml", text)).value
        assert tree is not None, text
        return tree

    return compose_text


@pytest.fixture(scope="session")
def any_contract() -> ModuleType:
    """The strategies for contracts that the model can hold."""
    spec = importlib.util.spec_from_file_location(
        "contract_strategies_for_exports", ROOT / "tests" / "contracts" / "strategies.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
