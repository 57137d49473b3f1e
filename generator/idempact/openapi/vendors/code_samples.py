"""`x-codeSamples`: the contract's retry loops beside each keyed operation.

Source: https://spec.openapis.org/registry/extension/x-codeSamples.html.
"""

from __future__ import annotations

from idempact.facts.derive import OperationFacts
from idempact.openapi.vendors import Asked, Members
from idempact.text.nodes import Plain


def operation(asked: Asked, found: OperationFacts) -> Members:
    """One sample per language."""
    samples: list[Plain] = [
        {"lang": language, "label": label, "source": code}
        for language, label, code in asked.samples.get(found.name, ())
    ]
    return {"x-codeSamples": samples} if samples else {}


def root(asked: Asked) -> Members:
    """Nothing: samples belong to an operation."""
    del asked
    return {}
