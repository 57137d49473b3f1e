"""The kinds of text that hold prose: one module each, found by a scan, chosen by the file's suffix."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module

from idempact.prose.blocks import Outline
from idempact.resources.typed import cast
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind: its suffixes, the option that folders are searched for it with (empty: always), and its reader."""

    name: str
    suffixes: tuple[str, ...]
    option: str
    read: Callable[[str, str], Outline]
    file: str = ""

    def outline(self, text: str) -> Outline:
        """The prose, comments and code of a text of this kind. Total, and linear in the text."""
        return self.read(text, self.file)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind, sorted by name. Raises TypeError for a module that isn't whole, or for two that share a suffix."""
    found = tuple(_kind(info.name) for info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name))
    suffixes = [suffix for kind in found for suffix in kind.suffixes]
    if len(suffixes) != len(set(suffixes)):
        raise TypeError("two kinds of prose share a suffix")
    return found


def kind_of(name: str) -> Kind | None:
    """The kind of the file called *name*, by its suffix; of two suffixes that fit, by the longer one."""
    lower = name.lower()
    fitting = [(len(suffix), kind) for kind in kinds() for suffix in kind.suffixes if lower.endswith(suffix)]
    if not fitting:
        return None
    kind = max(fitting, key=lambda fit: fit[0])[1]
    return Kind(kind.name, kind.suffixes, kind.option, kind.read, lower)


def _kind(name: str) -> Kind:
    module = vars(import_module(f"{__name__}.{name}"))
    suffixes, read = module.get("SUFFIXES"), module.get("outline")
    if not isinstance(suffixes, tuple) or not suffixes or not callable(read):
        raise TypeError(f"the kind {name} needs SUFFIXES and outline()")
    option = str(module.get("OPTION") or "")
    return Kind(name, cast("tuple[str, ...]", suffixes), option, cast("Callable[[str, str], Outline]", read))
