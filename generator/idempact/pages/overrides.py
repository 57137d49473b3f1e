"""A team's own templates and words: what in them has no effect, since nothing of ours has that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError, nodes

from idempact.contract.reading import suggestion
from idempact.render.environment import SUFFIX, environment
from idempact.render.words import LOCALES
from idempact.resources import shipped
from idempact.text import nodes as yaml_tree
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.span import Document

SHIPPED = "shipped/"


@dataclass(frozen=True, slots=True)
class _Blocks:
    """A template's blocks with their lines, those inside another one apart, and the template that it extends."""

    outer: Mapping[str, int]
    inner: frozenset[str]
    parent: str


def idle(folders: Sequence[Path], hand_written: Iterable[tuple[str, str]] = ()) -> tuple[Diagnostic, ...]:
    """Warnings for what has no effect in the *folders* of a team's own templates.

    A block that the extended template doesn't have; a template in no folder that is looked through, and that no other
    one names; a text under a key that neither our words have nor any template of the folders, or of the *hand_written*
    pages (path, text), asks for. An error for a template that extends itself.
    """
    own = {
        path: (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
        for folder in folders
        for path in sorted(folder.rglob(f"*{SUFFIX}"))
    }
    asked = [text for _, text in (*own.values(), *hand_written)]
    env = environment(folders)
    found = [d for path, (name, text) in own.items() for d in _blocks(env, Document(path.as_posix(), text), name)]
    found += [_unused(path, name) for path, (name, _) in own.items() if not _used(name, asked)]
    for folder in folders:
        for path in sorted((folder / LOCALES).glob("*/*.yml")):
            found += _words(path, asked)
    return tuple(found)


def blocks_of(name: str, folders: Sequence[Path] = ()) -> tuple[str, ...]:
    """The blocks of the template *name* and of those that it extends, in the order in which they stand."""
    return tuple(_known(environment(folders), name))


def _blocks(env: Environment, document: Document, name: str) -> Iterator[Diagnostic]:
    try:
        own = _read(env, document.text)
        if own.parent == name:
            yield _itself(document, name)
            return
        known = tuple(_known(env, own.parent)) if own.parent else ()
    except (TemplateSyntaxError, LookupError):
        return  # the build itself tells what can't be read or found, with its line
    for block, line in own.outer.items() if own.parent else ():
        if block not in known:
            start = document.offset(line)
            yield Diagnostic(
                "build/unknown-block",
                Severity.WARNING,
                f"{own.parent} has no block `{block}`, so this is shown nowhere",
                document.span(start, start + len(document.line(line))),
                subject=block,
                hint=suggestion(block, known) or f"its blocks are {', '.join(known)}",
            )


def _used(name: str, asked: Sequence[str]) -> bool:
    top, slash, _ = name.partition("/")
    known = bool(slash) and (shipped("templates") / top).is_dir()
    return known or any(f'"{name}"' in text or f"'{name}'" in text for text in asked)


def _unused(path: Path, name: str) -> Diagnostic:
    ours = sorted(each.name for each in shipped("templates").iterdir() if each.is_dir())
    return Diagnostic(
        "build/unused-template",
        Severity.WARNING,
        f"nothing uses the template {path.as_posix()}",
        None,
        subject=name,
        hint=f"put a page's template into pages/; the folders are {', '.join(ours)}",
    )


def _itself(document: Document, name: str) -> Diagnostic:
    return Diagnostic(
        "build/template-of-itself",
        Severity.ERROR,
        f"{name} extends itself",
        document.span(0, len(document.line(1))),
        subject=name,
        hint=f'write {{% extends "{SHIPPED}{name}" %}}',
    )


def _known(env: Environment, name: str) -> Iterator[str]:
    assert env.loader is not None
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        here = _read(env, env.loader.get_source(env, name)[0])
        yield from (block for block in (*here.outer, *sorted(here.inner)))
        name = here.parent


def _read(env: Environment, text: str) -> _Blocks:
    tree = env.parse(text)
    parent = next((n.template.value for n in tree.find_all(nodes.Extends) if isinstance(n.template, nodes.Const)), "")
    found = {block.name: block for block in tree.find_all(nodes.Block)}
    inner = {inside.name for block in found.values() for inside in block.find_all(nodes.Block)}
    return _Blocks(
        {name: block.lineno for name, block in found.items() if name not in inner}, frozenset(inner), str(parent)
    )


def _words(path: Path, asked: Sequence[str]) -> Iterator[Diagnostic]:
    loaded = yaml_tree.load(path)
    ours = shipped("templates") / LOCALES / path.parent.name
    known = _keys(ours if ours.is_dir() else ours.with_name("en"))
    if loaded.value is None or not isinstance(loaded.value.root, yaml_tree.Mapping):
        return  # the build itself tells what a file of words must be
    for entry in loaded.value.root.entries:
        key = entry.key.value
        if key not in known and not any(f'"{key}"' in text or f"'{key}'" in text for text in asked):
            yield Diagnostic(
                "build/unknown-words",
                Severity.WARNING,
                f"no page says `{key}`, so this text is shown nowhere",
                loaded.value.document.span(entry.key.start, entry.key.end),
                subject=key,
                hint=suggestion(key, known) or "the keys stand in the shipped files of templates/locales",
            )


def _keys(folder: Path) -> frozenset[str]:
    found: set[str] = set()
    for path in folder.glob("*.yml"):
        root = (tree := yaml_tree.load(path).value) and tree.root
        if isinstance(root, yaml_tree.Mapping):
            found.update(entry.key.value for entry in root.entries)
    return frozenset(found)
