"""The profiles: the scaled contracts beside a file of vectors, and how each carries keys and codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from idempact.contract.model.contract import Contract
from idempact.contract.read import read
from idempact.facts.derive import Facts
from idempact.facts.loop import LoopFacts
from idempact.text.nodes import load
from idempact.vectors.dialect import Untranslatable, wire_of
from idempact.vectors.load import shipped_vectors
from idempact.vectors.model import Wire


def profiles(vectors: Path | None = None) -> dict[str, LoopFacts]:
    """The loop of each contract beside the *vectors* (the shipped ones), by profile; what can't be read is left out."""
    return {name: Facts.of(contract).base.loop for name, contract in _contracts(vectors)}


def wires(vectors: Path | None = None) -> dict[str, Wire]:
    """How each of them carries keys and codes; one that the vectors can't be told in is left out."""
    found: dict[str, Wire] = {}
    for name, contract in _contracts(vectors):
        with suppress(Untranslatable):
            found[name] = wire_of(contract.operations[-1].settings)
    return found


def _contracts(vectors: Path | None) -> Iterator[tuple[str, Contract]]:
    for path in sorted((vectors or shipped_vectors()).parent.glob("*.yaml")):
        tree = load(path).value
        found = read(tree).value if tree is not None else None
        if found is not None and found.contract.operations:
            yield path.stem, found.contract
