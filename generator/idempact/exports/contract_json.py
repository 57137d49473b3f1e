"""A contract as JSON, every default filled in, for tools that read neither YAML nor our defaults."""

from __future__ import annotations

import json

from idempact.contract.model.contract import Contract
from idempact.contract.write import resolved
from idempact.exports import OfContract
from idempact.text.nodes import Plain


def render(contract: Contract) -> str:
    """The contract as `check --resolved` prints it, as JSON (RFC 8259)."""
    return text(resolved(contract))


def text(data: Plain) -> str:
    """Plain data as JSON for people and machines: two spaces, letters of every script as they are."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


TARGET = OfContract("contract-json", "the contract with every default, as JSON", render)
