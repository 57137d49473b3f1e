"""Keys that are misspelt: told once, then read as what they were meant to be, so that nothing follows from a slip."""

from __future__ import annotations

from idempact.contract.dotted import Path, dotted
from idempact.contract.model.contract import Head
from idempact.contract.paths import fields_of, operation_fields, records_of, unwrapped
from idempact.contract.reading import Reading, did_you_mean, nearest
from idempact.contract.records import Spec
from idempact.contract.shapes import ListOf, Shape
from idempact.resources.typed import Any
from idempact.text.nodes import Alias, Entry, Mapping, Node, Scalar, Sequence

_LEAST = 0.7
"""The likeness from which on a key is taken for a known one; below, it may have been meant as something else."""


_OTHER_WORDS = {
    "header": "name",
    "ttl": "replay",
    "expiry": "replay",
    "retention": "replay",
    "timeout": "attempt_timeout",
    "max_retries": "max_attempts",
    "retries": "max_attempts",
    "conflict": "mismatch",
    "reused": "mismatch",
    "in_progress": "in_flight",
    "concurrent": "in_flight",
    "expired": "expired_key",
}
"""What others call a field of ours."""


def as_meant(root: Mapping, reading: Reading) -> Mapping:
    """The contract's nodes with each misspelt key replaced by the known one that is near and that isn't there."""
    return _Speller(reading).fields(root, fields_of(Head), ())


class _Speller:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.told: set[int] = set()

    def fields(self, node: Mapping, known: dict[str, Spec], path: Path) -> Mapping:
        """A mapping of known fields."""
        there = {entry.key.value for entry in node.entries}
        entries = []
        for entry in node.entries:
            key = entry.key
            if key.value not in known and not key.value.startswith(("x-", "<<")):
                other = _OTHER_WORDS.get(key.value.lower().replace("-", "_"), "")
                free = known.keys() - there
                meant = other if other in free else nearest(key.value, free, _LEAST)
                if meant is not None:
                    there.add(meant)
                    self._tell(key, meant, path)
                    key = Scalar(key.start, key.end, meant, key.style, key.anchor, key.tag)
            spec = known.get(key.value)
            value = entry.value if spec is None else self._below(entry.value, spec, (*path, key.value))
            entries.append(entry if key is entry.key and value is entry.value else Entry(key, value))
        return _with(node, entries)

    def _tell(self, key: Scalar, meant: str, path: Path) -> None:
        if key.start in self.told:
            return
        self.told.add(key.start)
        place = (*path, key.value)
        message = f"`{dotted(place)}` isn't part of the contract language"
        first = ", which counts the first one, too" if "retr" in key.value and meant == "max_attempts" else ""
        self.reading.tell("unknown-key", message, key, place, did_you_mean(meant).rstrip("?") + f"{first}?")

    def _below(self, node: Node, spec: Spec, path: Path) -> Node:
        if path == ("operations",):
            return self._operations(node)
        return self._value(node, spec.shape, path)

    def _operations(self, node: Node) -> Node:
        if not isinstance(node, Mapping):
            return node
        known = operation_fields()
        entries = []
        for entry in node.entries:
            value = entry.value
            if isinstance(value, Mapping) and not entry.key.value.startswith("x-"):
                value = self.fields(value, known, ("operations", entry.key.value))
            entries.append(entry if value is entry.value else Entry(entry.key, value))
        return _with(node, entries)

    def _value(self, node: Node, shape: Shape[Any], path: Path) -> Node:
        shape = unwrapped(shape)
        if isinstance(node, Alias):
            target = self._value(node.target, shape, path)
            return node if target is node.target else Alias(node.start, node.end, node.name, target)
        if isinstance(shape, ListOf) and isinstance(node, Sequence):
            items = [self._value(item, shape.item, (*path, str(n))) for n, item in enumerate(node.items)]
            same = all(one is other for one, other in zip(items, node.items, strict=True))
            return node if same else Sequence(node.start, node.end, tuple(items), node.flow, node.anchor)
        records = records_of(shape)
        if not records or not isinstance(node, Mapping):
            return node
        known: dict[str, Spec] = {}
        for record in records:
            known |= fields_of(record)
        return self.fields(node, known, path)


def _with(node: Mapping, entries: list[Entry]) -> Mapping:
    if all(one is other for one, other in zip(entries, node.entries, strict=True)):
        return node
    return Mapping(node.start, node.end, tuple(entries), node.flow, node.anchor)
