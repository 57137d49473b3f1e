"""Exports: the language, a contract or shipped data in other tools' formats, one module each, found by scanning."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module

from idempact.resources.typed import TYPE_CHECKING, TypeAlias
from idempact.text.dataclass import dataclass

if TYPE_CHECKING:
    from idempact.contract.model.contract import Contract


@dataclass(frozen=True, slots=True)
class OfLanguage:
    """A format that no contract is needed for: the same text for everybody who has this version."""

    name: str
    summary: str
    render: Callable[[], str]


@dataclass(frozen=True, slots=True)
class OfFolder:
    """A format of several files that no contract is needed for; ``render`` gives each file's text by its name."""

    name: str
    summary: str
    render: Callable[[], Mapping[str, str]]


def _nothing(contract: Contract) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class OfContract:
    """A format of one contract. ``remarks`` says what of the contract the format can't hold."""

    name: str
    summary: str
    render: Callable[[Contract], str]
    remarks: Callable[[Contract], tuple[str, ...]] = _nothing


Target: TypeAlias = OfLanguage | OfFolder | OfContract


def targets() -> dict[str, Target]:
    """Every format by its name, in order of name. Raises TypeError for a module that isn't whole."""
    found = (_target(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))
    return {target.name: target for target in found}


def _target(name: str) -> Target:
    target: object = getattr(import_module(f"{__name__}.{name}"), "TARGET", None)
    wanted = name.replace("_", "-")
    if not isinstance(target, OfLanguage | OfFolder | OfContract) or target.name != wanted or not target.summary:
        raise TypeError(f"the export {name} needs a TARGET with the name {wanted!r}, a summary and render")
    return target
