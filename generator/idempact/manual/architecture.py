"""The architecture: the rooms of the package in the layers that the import linter enforces, each in its own words."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """One package or module at the top of ours, and the first line of its docstring."""

    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Layer:
    """Rooms that don't import each other; they import from the layers below alone."""

    rooms: tuple[Room, ...]


def layers(pyproject: str, package: Path) -> tuple[Layer, ...]:
    """The layers that *pyproject* sets, top first. Raises ValueError where it sets none, or names no room of ours."""
    try:
        contracts = tomllib.loads(pyproject)["tool"]["importlinter"]["contracts"]
        named = next(c["layers"] for c in contracts if c["type"] == "layers")
    except (KeyError, StopIteration, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"pyproject.toml sets no layers: {error}") from None
    return tuple(Layer(tuple(_room(name.strip(" ()"), package) for name in str(row).split("|"))) for row in named)


def _room(name: str, package: Path) -> Room:
    path = package / name / "__init__.py"
    path = path if path.is_file() else package / f"{name}.py"
    if not path.is_file():
        raise ValueError(f"there is no room {name!r} in {package.name}")
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return Room(name, told.partition("\n")[0])


def diagram(found: tuple[Layer, ...]) -> str:
    """The layers as a drawing in characters: each imports from those below it."""
    rows = [" | ".join(room.name for room in layer.rooms) for layer in found]
    width = max(map(len, rows))
    middle = "\n" + "↓".center(width).rstrip() + "\n"
    return middle.join(row.center(width).rstrip() for row in rows)
