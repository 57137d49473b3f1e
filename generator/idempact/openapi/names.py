"""Names in a file: components under free ones, references to them, and extensions that don't take somebody else's."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import count as counted
from itertools import pairwise
from urllib.parse import quote

from idempact.openapi.locate import Api, File
from idempact.openapi.outdated import formed
from idempact.openapi.plan import EXTENSION, Component
from idempact.openapi.pointers import Path, pointer
from idempact.openapi.wants import Gathering, Want
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Entry, Mapping, Node, Plain, Scalar, plain


def same(node: Node, value: Plain) -> bool:
    """Whether a node says the very *value*; false where it was not read whole."""
    if isinstance(node, Mapping) and isinstance(value, dict):
        text = node.get("description")
        if len(node.entries) != len(value) or (isinstance(text, Scalar) and text.value != value.get("description")):
            return False
    try:
        return plain(node) == value
    except ValueError:
        return False


def _places(component: Component) -> Iterator[Path]:
    """Where a component may be put: under its own name, else under that with a number."""
    yield component.path
    yield from ((*component.path[:-1], f"{component.name}_{number}") for number in counted(2))


class Names:
    """Gives each component one name in the root document and adds it when it is first referred to."""

    def __init__(self, api: Api, gathering: Gathering, kept: frozenset[str]) -> None:
        self.api, self.gathering, self.kept = api, gathering, kept
        self.diagnostics: list[Diagnostic] = []
        self.alike: dict[tuple[str, Path], Node] = {}
        self._paths: dict[str, Path | None] = {}
        self._refs: dict[tuple[str, str], str] = {}

    def ref(self, component: Component, origin: File) -> str | None:
        """The reference to *component* from the file *origin*; none where it can't be added.

        It is added with everything that it refers to.
        """
        wanted = component.ref
        known = self._refs.get((wanted, origin.name))
        if known is not None:
            return known
        if wanted not in self._paths:
            self._paths[wanted] = self._add(component)
        path = self._paths[wanted]
        if path is None:
            return None
        made = self._refs[wanted, origin.name] = self.to(path, origin)
        return made

    def to(self, path: Path, origin: File) -> str:
        """The reference from the file *origin* to what stands at *path* in the root document."""
        if origin is self.api.main:
            return f"#{pointer(path)}"
        root = posixpath.abspath(self.api.main.document.path)
        folder = posixpath.dirname(posixpath.join(posixpath.dirname(root), origin.name))
        return f"{quote(posixpath.relpath(root, folder))}#{pointer(path)}"

    def place(self, component: Component) -> Path:
        """Where *component* stands, or would stand if it were referred to now."""
        known = self._paths.get(component.ref)
        return known or next(path for path in _places(component) if self._fits(path, component))

    def _fits(self, path: Path, component: Component) -> bool:
        """Whether nothing stands there, or the component, or ours that somebody edited."""
        there = self.api.main.at(path)
        return there is None or pointer(path) in self.kept or same(there, component.value)

    def _add(self, component: Component) -> Path | None:
        path = self.place(component)
        for taken, following in pairwise(_places(component)):
            if taken == path:
                break
            there = self.api.main.at(taken)
            assert there is not None, "it would be the place"
            self._taken(there, f"the component {taken[-1]} is there and not ours", following[-1])
        there = self.api.main.at(path)
        if there is not None and pointer(path) not in self.kept:
            self.alike[self.api.main.name, path] = there
            for part in component.parts:
                self.ref(part, self.api.main)
            return path
        refusal = self.gathering.refusal(path, component.ref)
        if refusal is not None:
            self.diagnostics.append(refusal)
            return None
        for part in component.parts:
            self.ref(part, self.api.main)
        if pointer(path) not in self.kept:
            value = {key: self._renamed(item) for key, item in component.value.items()}
            self.gathering.take(Want(path, value))
        return path

    def _renamed(self, value: Plain) -> Plain:
        """The value with its references to wanted names turned into references to the names in this file."""
        if isinstance(value, dict):
            ref = value.get("$ref")
            if isinstance(ref, str) and (path := self._paths.get(ref)) is not None:
                return {"$ref": f"#{pointer(path)}"}
            return {key: self._renamed(item) for key, item in value.items()}
        return [self._renamed(item) for item in value] if isinstance(value, list) else value

    def extension(
        self, file: File, path: Path, holder: Mapping, kept: frozenset[str], subject: str, value: Plain = None
    ) -> str | Entry | None:
        """The extension's name in *holder*: another one where its author has one of that name; none where that says
        *value*; the entry itself where that has the form of ours and says something else.
        """
        name = EXTENSION
        for count in range(1, 1000):
            there = holder.entry(name)
            if there is None or pointer((*path, name)) in kept:
                break
            if value is not None and same(there.value, value):
                self.alike[file.name, (*path, name)] = there.key
                return None
            if formed(there.value, value):
                return there
            following = f"{EXTENSION}-contract" + (f"-{count}" if count > 1 else "")
            self._taken(there.key, f"{subject} has {name} of its own, which is not ours", following, file)
            name = following
        return name

    def _taken(self, node: Node, message: str, instead: str, file: File | None = None) -> None:
        span = (file or self.api.main).document.span(node.start, min(node.end, node.start + 60))
        text = f"{message}; {instead} is used instead"
        self.diagnostics.append(Diagnostic("openapi/taken-name", Severity.NOTE, text, span, subject=instead))
