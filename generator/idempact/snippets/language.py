"""What a language folder says about itself: ``templates/snippets/<language>/language.yml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from idempact.render.environment import SUFFIX
from idempact.render.literals import FAMILIES
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Plain, Tree, load, plain

FOLDER = "snippets"
META = "language.yml"
BUDGETS = ("process", "call")
_FIELDS = ("title", "fence", "file", "literals", "libraries", "budget", "check", "build", "driver", "run")
_NEEDED = ("title", "fence", "file", "literals", "budget", "driver", "run")


@dataclass(frozen=True, slots=True)
class Library:
    """A library that a loop stands on, and the versions that it was written for."""

    name: str
    versions: str


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the retry loops.

    ``template`` is the loop's template below the template roots; ``folder`` is where its driver lies. ``check``,
    ``build`` and ``run`` are commands, run in the folder of the loop, in which ``{file}`` and ``{driver}`` stand for
    the two files. ``budget`` says among whom a retry budget is shared: the calls of a ``process``, or the attempts of
    one ``call``.
    """

    id: str
    title: str
    fence: str
    file: str
    literals: str
    libraries: tuple[Library, ...]
    budget: str
    check: tuple[tuple[str, ...], ...]
    build: tuple[tuple[str, ...], ...]
    driver: str
    run: tuple[str, ...]
    template: str
    folder: Path


def languages(roots: Sequence[Path]) -> Checked[tuple[Language, ...]]:
    """Every language found below *roots* (template folders, the first one wins), in order of id.

    A folder that describes itself badly is a finding and is left out.
    """
    found: dict[str, Language] = {}
    diagnostics: list[Diagnostic] = []
    seen: set[str] = set()
    for root in roots:
        for meta in sorted((root / FOLDER).glob(f"*/{META}")):
            name = meta.parent.name
            if name in seen:
                continue
            seen.add(name)
            checked = _language(name, meta, roots)
            diagnostics += checked.diagnostics
            if checked.value is not None:
                found[name] = checked.value
    return Checked(tuple(found[name] for name in sorted(found)), tuple(diagnostics))


def _language(name: str, meta: Path, roots: Sequence[Path]) -> Checked[Language]:
    loaded = load(meta)
    if loaded.value is None:
        return Checked(None, loaded.diagnostics)
    data = plain(loaded.value.root)
    if not isinstance(data, dict):
        return Checked(None, (_fault(loaded.value, "a mapping of fields is expected here"),))
    template = f"{FOLDER}/{name}/loop.{Path(str(data.get('file', ''))).suffix.lstrip('.')}{SUFFIX}"
    faults = tuple(_fault(loaded.value, message) for message in _faults(data, template, meta.parent, roots))
    if faults:
        return Checked(None, faults)
    return Checked(
        Language(
            id=name,
            title=str(data["title"]),
            fence=str(data["fence"]),
            file=str(data["file"]),
            literals=str(data["literals"]),
            libraries=tuple(_libraries(data.get("libraries"))),
            budget=str(data["budget"]),
            check=_commands(data.get("check")),
            build=_commands(data.get("build")),
            driver=str(data["driver"]),
            run=_words(data["run"]),
            template=template,
            folder=meta.parent,
        )
    )


def _faults(data: Mapping[str, Plain], template: str, folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    for key in data:
        if key not in _FIELDS:
            yield f"unknown field {key!r}; the fields are {', '.join(_FIELDS)}"
    for key in _NEEDED:
        if not data.get(key):
            yield f"the field {key!r} is missing"
    for key in ("title", "fence", "file", "driver"):
        if not isinstance(data.get(key, ""), str):
            yield f"{key!r} must be a text"
    if data.get("literals") not in (None, *FAMILIES):
        yield f"unknown literal family {data.get('literals')!r}; the families are {', '.join(sorted(FAMILIES))}"
    if data.get("budget") not in (None, *BUDGETS):
        yield f"unknown budget {data.get('budget')!r}; it is one of {', '.join(BUDGETS)}"
    if not any((root / template).is_file() for root in roots):
        yield f"the template {template} is missing"
    if data.get("driver") and not (folder / str(data["driver"])).is_file():
        yield f"the driver {data['driver']} is missing"
    for key in ("check", "build"):
        if not all(_words(command) for command in _items(data.get(key))):
            yield f"{key!r} must be a list of commands, each a list of words"
    if "run" in data and not _words(data["run"]):
        yield "'run' must be a list of words"
    if any(
        not isinstance(item, dict) or not {"name", "versions"} >= set(item) for item in _items(data.get("libraries"))
    ):
        yield "'libraries' must be a list of {name, versions}"


def _fault(tree: Tree, message: str) -> Diagnostic:
    start = tree.root.start if tree.root is not None else 0
    return Diagnostic(
        "snippets/language-description",
        Severity.ERROR,
        message,
        tree.document.span(start),
        hint="compare with a shipped templates/snippets/<language>/language.yml",
    )


def _items(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else []


def _words(value: Plain) -> tuple[str, ...]:
    return tuple(str(word) for word in _items(value))


def _commands(value: Plain) -> tuple[tuple[str, ...], ...]:
    return tuple(_words(command) for command in _items(value))


def _libraries(value: Plain) -> Iterator[Library]:
    for item in _items(value):
        if isinstance(item, dict):
            yield Library(str(item.get("name", "")), str(item.get("versions", "")))
