"""Where a key of the language belongs that stands in the wrong section."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from idempact.contract.dotted import Path, dotted


def elsewhere(key: str, path: Path) -> str:
    """``… belongs under …`` for a key that the language has in another place than under *path*; else nothing."""
    places = _places().get(key, ())
    if not places:
        return ""
    names = " or ".join(f"`{dotted(place)}`" if place else "the top" for place in places[:2])
    return f"`{key}` belongs under {names}: indent it there" if path[:2] not in places else ""


@cache
def _places() -> dict[str, tuple[Path, ...]]:
    from idempact.contract.model.contract import Head  # which is built from the records that ask
    from idempact.contract.paths import fields_of, records_of, unwrapped

    def below(record: type, path: Path) -> Iterator[tuple[str, Path]]:
        for key, spec in fields_of(record).items():
            yield key, path
            if len(path) < 2:
                for inner in records_of(unwrapped(spec.shape)):
                    yield from below(inner, (*path, key))

    found: dict[str, tuple[Path, ...]] = {}
    for key, path in below(Head, ()):
        if path[:1] != ("answers",) or len(path) == 1:
            found[key] = (*found.get(key, ()), path)
    return {key: tuple(dict.fromkeys(paths)) for key, paths in found.items() if len(set(paths)) <= 2}
