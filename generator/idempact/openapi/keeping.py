"""What is read of a document beside what every run reads: all that is ours by its record."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.openapi.pointers import Path
from idempact.text.nodes import Keep


def keep_also(wanted: Keep | None, places: Iterable[Path]) -> Keep | None:
    """The same as *wanted*, and what stands at *places*, whatever their path template is."""
    if wanted is None:
        return None
    base = wanted
    known = {_any_template(place) for place in places}
    ways = {place[:end] for place in known for end in range(1, len(place) + 1)}

    def wider(path: tuple[str, ...]) -> bool:
        if base(path):
            return True
        path = _any_template(path)
        return path in ways or any(path[:end] in known for end in range(1, len(path)))

    return wider


def _any_template(path: Path) -> Path:
    return (path[0], "*", *path[2:]) if path[0] == "paths" and len(path) > 1 else path
