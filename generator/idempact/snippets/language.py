"""What a language folder says about itself: ``templates/snippets/<language>/language.yml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from idempact.render.environment import SUFFIX
from idempact.render.literals import FAMILIES
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Plain, Tree, load, plain

FOLDER = "snippets"
META = "language.yml"
BUDGETS = ("process", "call")
_FIELDS = ("title", "fence", "literals", "tools", "workshop", "prepare", "into", "unit", "loops")
_NEEDED = ("title", "fence", "literals", "tools", "loops")
_LOOP_FIELDS = ("id", "title", "file", "libraries", "budget", "check", "build", "driver", "run")
_LOOP_NEEDED = ("id", "title", "file", "budget", "driver", "run")
_TEXTS = ("title", "fence", "workshop", "into", "unit", "id", "file", "driver")
_ID = re.compile(r"[a-z][a-z0-9-]*\Z")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a language stands on, and the versions that its loops were written for (empty: any).

    The first line that ``command`` prints holds the version that is there.
    """

    name: str
    command: tuple[str, ...]
    versions: str = ""


@dataclass(frozen=True, slots=True)
class Library:
    """A library that a loop stands on, the versions that it was written for, and what prints the one installed."""

    name: str
    versions: str
    installed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """One command: once over all renderings, or once for ``each`` of them.

    It runs in the workshop's folder. A word that holds ``{file}``, ``{driver}``, ``{folder}`` or ``{name}`` stands
    there once for each rendering; ``{prepared}`` is the folder that the language's own preparation filled.
    """

    words: tuple[str, ...]
    each: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """One of a language's loops, over libraries of its own.

    ``template`` is its template below the template roots. ``check`` and ``build`` are commands over its renderings;
    ``run`` makes the driver's one call and runs in the folder of one rendering. ``budget`` says among whom a retry
    budget is shared: the calls of a ``process``, or the attempts of one ``call``.
    """

    id: str
    title: str
    file: str
    libraries: tuple[Library, ...]
    budget: str
    check: tuple[Command, ...]
    build: tuple[Command, ...]
    driver: str
    run: tuple[str, ...]
    template: str


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the retry loops, with its loops in the reader's order.

    ``folder`` is where its drivers lie. ``workshop`` is copied before anything is built, ``prepare`` runs once for
    each state of it, and renderings go ``into`` a folder in it. ``unit`` is text that each rendering and driver begins
    with there, ``{name}`` in it the rendering's own name: in Java, a package.
    """

    id: str
    title: str
    fence: str
    literals: str
    tools: tuple[Tool, ...]
    workshop: Path | None
    prepare: tuple[tuple[str, ...], ...]
    into: str
    unit: str
    loops: tuple[Variant, ...]
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
    messages = [*_faults(data, meta.parent), *_loop_faults(name, data, meta.parent, roots)]
    if messages:
        return Checked(None, tuple(_fault(loaded.value, message) for message in messages))
    workshop = data.get("workshop")
    return Checked(
        Language(
            id=name,
            title=str(data["title"]),
            fence=str(data["fence"]),
            literals=str(data["literals"]),
            tools=tuple(
                Tool(str(tool["name"]), _words(tool["command"]), str(tool.get("versions", "")))
                for tool in _mappings(data["tools"])
            ),
            workshop=meta.parent / str(workshop) if workshop else None,
            prepare=tuple(_words(command) for command in _items(data.get("prepare"))),
            into=str(data.get("into") or ""),
            unit=str(data.get("unit") or ""),
            loops=tuple(_variant(name, loop) for loop in _mappings(data["loops"])),
            folder=meta.parent,
        )
    )


def _variant(language: str, data: Mapping[str, Plain]) -> Variant:
    return Variant(
        id=str(data["id"]),
        title=str(data["title"]),
        file=str(data["file"]),
        libraries=tuple(
            Library(str(each["name"]), str(each["versions"]), _words(each.get("installed")))
            for each in _mappings(data.get("libraries"))
        ),
        budget=str(data["budget"]),
        check=tuple(map(_command, _items(data.get("check")))),
        build=tuple(map(_command, _items(data.get("build")))),
        driver=str(data["driver"]),
        run=_words(data["run"]),
        template=_template(language, data),
    )


def _template(language: str, data: Mapping[str, Plain]) -> str:
    return f"{FOLDER}/{language}/{data.get('id')}{Path(str(data.get('file', ''))).suffix}{SUFFIX}"


def _faults(data: Mapping[str, Plain], folder: Path) -> Iterator[str]:
    yield from _shape(data, _FIELDS, _NEEDED)
    if data.get("literals") not in (None, *FAMILIES):
        yield f"unknown literal family {data.get('literals')!r}; the families are {', '.join(sorted(FAMILIES))}"
    if not _all(data.get("tools"), _is_tool):
        yield "'tools' must be a list of {name, versions, command}, each command a list of words"
    if not all(_words(command) for command in _listed(data.get("prepare"))):
        yield "'prepare' must be a list of commands, each a list of words"
    if isinstance(data.get("workshop"), str) and not (folder / str(data["workshop"])).is_dir():
        yield f"the folder {data['workshop']} is missing"


def _loop_faults(language: str, data: Mapping[str, Plain], folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    loops = data.get("loops")
    if loops is None:
        return
    if not isinstance(loops, list) or not loops or not all(isinstance(loop, dict) for loop in loops):
        yield "'loops' must be a list of mappings"
        return
    ids = [loop.get("id") for loop in _mappings(loops)]
    for number, loop in enumerate(_mappings(loops)):
        name = f"loop {loop.get('id', number + 1)!r}"
        for message in _one_loop_faults(language, loop, folder, roots):
            yield f"{name}: {message}"
        if loop.get("id") in ids[:number]:
            yield f"{name} stands twice"


def _one_loop_faults(language: str, loop: Mapping[str, Plain], folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    yield from _shape(loop, _LOOP_FIELDS, _LOOP_NEEDED)
    if isinstance(loop.get("id"), str) and not _ID.match(str(loop["id"])):
        yield "an id is made of small letters, digits and hyphens, and begins with a letter"
    if loop.get("budget") not in (None, *BUDGETS):
        yield f"unknown budget {loop.get('budget')!r}; it is one of {', '.join(BUDGETS)}"
    template = _template(language, loop)
    if not any((root / template).is_file() for root in roots):
        yield f"the template {template} is missing"
    if loop.get("driver") and not (folder / str(loop["driver"])).is_file():
        yield f"the driver {loop['driver']} is missing"
    for key in ("check", "build"):
        if not all(_command(command).words for command in _listed(loop.get(key))):
            yield f"{key!r} must be a list of commands, each a list of words, or {{each: [words]}}"
    if "run" in loop and not _words(loop["run"]):
        yield "'run' must be a list of words"
    if not _all(loop.get("libraries"), _is_library):
        yield "'libraries' must be a list of {name, versions, installed}"


def _is_tool(item: Mapping[str, Plain]) -> bool:
    return {"name", "command"} <= set(item) <= {"name", "versions", "command"} and bool(_words(item["command"]))


def _is_library(item: Mapping[str, Plain]) -> bool:
    return {"name", "versions"} <= set(item) <= {"name", "versions", "installed"}


def _shape(data: Mapping[str, Plain], fields: Sequence[str], needed: Sequence[str]) -> Iterator[str]:
    for key in data:
        if key not in fields:
            yield f"unknown field {key!r}; the fields are {', '.join(fields)}"
    for key in needed:
        if not data.get(key):
            yield f"the field {key!r} is missing"
    for key in _TEXTS:
        if key in fields and not isinstance(data.get(key, ""), str):
            yield f"{key!r} must be a text"


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


def _listed(value: Plain) -> list[Plain]:
    """The items of a list, nothing for nothing; anything else is one item, which is then found wrong."""
    return value if isinstance(value, list) else [] if value is None else [None]


def _mappings(value: Plain) -> list[dict[str, Plain]]:
    return [item for item in _items(value) if isinstance(item, dict)]


def _all(value: Plain, holds: Callable[[dict[str, Plain]], bool]) -> bool:
    return all(isinstance(item, dict) and holds(item) for item in _listed(value))


def _words(value: Plain) -> tuple[str, ...]:
    return tuple(str(word) for word in _items(value))


def _command(value: Plain) -> Command:
    if isinstance(value, dict):
        return Command(_words(value.get("each")) if set(value) == {"each"} else (), each=True)
    return Command(_words(value))
