"""A contract as JSON, every default filled in, for tools that read neither YAML nor our defaults."""

from __future__ import annotations

import json

from idempact.contract.model.contract import Contract
from idempact.contract.write import resolved
from idempact.exports import OfContract


def render(contract: Contract) -> str:
    """The contract as `check --resolved` prints it, as JSON (RFC 8259)."""
    return json.dumps(resolved(contract), indent=2, ensure_ascii=False) + "\n"


TARGET = OfContract("contract-json", "the contract with every default, as JSON", render)
