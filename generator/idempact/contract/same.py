"""Whether two values of a contract mean the same, however each was written."""

from __future__ import annotations

from idempact.contract.units import Duration


def same(one: object, other: object) -> bool:
    """Whether plain data mean the same: durations by their length, one item like a list of it, texts by their text."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) or isinstance(other, list):
        ours, theirs = (value if isinstance(value, list) else [value] for value in (one, other))
        return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    return not isinstance(one, dict) and not isinstance(other, dict) and _comparable(one) == _comparable(other)


def _comparable(value: object) -> object:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    try:
        return Duration.parse(text).ms
    except ValueError:
        return text
