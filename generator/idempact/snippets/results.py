"""What came of each loop against the vectors: ``templates/snippets/<language>/results.json``, by ``make results``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from idempact.snippets.language import FOLDER, Language, Variant
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain, load, plain

FILE = "results.json"
_BESIDE = (FILE, "mutants.yml")


@dataclass(frozen=True, slots=True)
class Installed:
    """A tool or library, and the version of it that ran."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Result:
    """One run of a loop against all vectors.

    ``total`` counts the vectors that there are, ``passed`` those that were met; what the loop says that it can't do (a
    budget that calls share) counts as not met. ``mean_share`` and ``greatest_share`` are of ``waits`` waits, each as a
    share of its window under full jitter. ``date`` is an ISO date, ``digest`` that of the sources that ran.
    """

    loop: str
    tools: tuple[Installed, ...]
    libraries: tuple[Installed, ...]
    passed: int
    total: int
    build_seconds: float
    waits: int
    mean_share: float
    greatest_share: float
    date: str
    digest: str


def results(language: Language) -> dict[str, Result]:
    """The results of a language's loops, by the loop's id; empty where there is no sound file of them."""
    path = language.folder / FILE
    loaded = load(path).value if path.is_file() else None
    data = plain(loaded.root) if loaded is not None else None
    rows = data.get("results") if isinstance(data, dict) else None
    found = [_result(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {result.loop: result for result in found if result is not None}


def write(language: Language, found: Mapping[str, Result]) -> None:
    """The results as the language's file, one line each, in the order of its loops."""
    rows = [found[variant.id] for variant in language.loops if variant.id in found]
    lines = ",\n".join(f"  {json.dumps(asdict(row), ensure_ascii=False)}" for row in rows)
    text = f'{{"results": [\n{lines}\n]}}\n'
    (language.folder / FILE).write_text(text, encoding="utf-8")


def digest(language: Language, variant: Variant, roots: Sequence[Path]) -> str:
    """Of all that makes the loop what it is: its language's folder, without what belongs to its other loops alone.

    A user's file that stands before a shipped one (*roots*, the first wins) counts in its place.
    """
    others = {name for other in language.loops for name in (Path(other.template).name, other.driver)}
    others -= {Path(variant.template).name, variant.driver}
    base = f"{FOLDER}/{language.id}"
    found = hashlib.sha256()
    for path in sorted(path for path in language.folder.rglob("*") if path.is_file()):
        name = path.relative_to(language.folder).as_posix()
        if name in others or name in _BESIDE:
            continue
        used = next((root / base / name for root in roots if (root / base / name).is_file()), path)
        found.update(f"{name}\0".encode() + used.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return found.hexdigest()[:16]


def fresh(language: Language, roots: Sequence[Path]) -> Iterator[tuple[Variant, Result]]:
    """The loops whose result is of the sources that are there now, in the reader's order."""
    known = results(language)
    for variant in language.loops:
        result = known.get(variant.id)
        if result is not None and result.digest == digest(language, variant, roots):
            yield variant, result


def _result(row: Mapping[str, Plain]) -> Result | None:
    try:
        return Result(
            loop=str(row["loop"]),
            tools=tuple(_installed(row["tools"])),
            libraries=tuple(_installed(row["libraries"])),
            passed=int(_number(row["passed"])),
            total=int(_number(row["total"])),
            build_seconds=_number(row["build_seconds"]),
            waits=int(_number(row["waits"])),
            mean_share=_number(row["mean_share"]),
            greatest_share=_number(row["greatest_share"]),
            date=str(row["date"]),
            digest=str(row["digest"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _number(value: Plain) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("a number is expected")
    return float(value)


def _installed(value: Plain) -> Iterator[Installed]:
    for each in value if isinstance(value, list) else ():
        if isinstance(each, dict):
            yield Installed(str(each["name"]), str(each["version"]))
