"""A MkDocs site that a team has already: what its settings lack for the pages that are staged inside it.

The settings are read and never written. What is wanted is what our own ``mkdocs.yml`` has, so there is no second list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from idempact.pages.page import NavEntry
from idempact.render.literals import yaml
from idempact.resources import shipped_file
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Mapping, Plain, Tree, load, plain
from idempact.text.nodes import Sequence as Items

# What MkDocs turns on by itself (MkDocs 1.6, "markdown_extensions"); ours beyond that is for headings in other scripts.
_ALWAYS = frozenset(("tables", "toc", "fenced_code"))
_ASSETS = ("extra_css", "extra_javascript")


def settings(path: Path) -> Checked[tuple[Tree, ...]]:
    """The settings in *path* and those that they inherit, the nearest first; errors of what can't be read."""
    trees: list[Tree] = []
    while path.resolve() not in {Path(tree.document.path).resolve() for tree in trees}:
        tree = load(path)
        if tree.value is None:
            return Checked(None, tree.diagnostics)
        trees.append(tree.value)
        parent = _value(trees[-1:], "INHERIT")
        if not isinstance(parent, str):
            break
        path = path.parent / parent
    return Checked(tuple(trees))


def docs_folder(trees: Sequence[Tree]) -> Path:
    """Where the site keeps its pages: ``docs_dir``, which is ``docs`` beside the settings unless they say otherwise."""
    named = _value(trees, "docs_dir")
    return Path(trees[0].document.path).parent / (named if isinstance(named, str) else "docs")


def lacking(
    trees: Sequence[Tree], folder: str, title: str, nav: Sequence[NavEntry], *, scripts: bool
) -> Iterator[Diagnostic]:
    """What the settings lack for pages in *folder* (below the site's own, with forward slashes), each with its lines.

    *nav* are the pages that belong into the navigation, under *title*; it is asked for where the settings have one.
    With *scripts*, headings are written in others than Latin letters.
    """
    ours = load(shipped_file("mkdocs.yml")).value
    assert ours is not None
    theme = _value(trees, "theme")
    name = theme.get("name") if isinstance(theme, dict) else theme
    if name != "material":
        yield _lack(trees, "theme", "the pages are made for the theme Material", "theme:\n  name: material")
    extensions = tuple(_extensions(trees, ours, scripts))
    if extensions:
        names = ", ".join(name for name, _ in extensions)
        lines = "\n".join(("markdown_extensions:", *(f"  - {text}" for _, text in extensions)))
        yield _lack(trees, "markdown_extensions", f"the pages are written with extensions that are off: {names}", lines)
    for key in _ASSETS:
        wanted = [f"{folder}/{file}" for file in _texts(_value((ours,), key))]
        missing = [file for file in wanted if file not in _texts(_value(trees, key))]
        if missing:
            lines = "\n".join((f"{key}:", *(f"  - {yaml(file)}" for file in missing)))
            yield _lack(trees, key, f"a file of the pages is not loaded: {', '.join(missing)}", lines)
    listed = set(_texts(_value(trees, "nav")))
    pages = [(entry.title, f"{folder}/{entry.path}") for entry in nav]
    missing_pages = [path for _, path in pages if path not in listed]
    if listed and missing_pages:
        lines = "\n".join((f"  - {yaml(title)}:", *(f"      - {yaml(name)}: {yaml(path)}" for name, path in pages)))
        message = f"the navigation lacks {len(missing_pages)} of {len(pages)} pages: {', '.join(missing_pages)}"
        yield _lack(trees, "nav", message, f"nav:\n{lines}")


def _lack(trees: Sequence[Tree], key: str, message: str, lines: str) -> Diagnostic:
    """The finding, at the key where the nearest settings have it, else at their beginning."""
    document, root = trees[0].document, trees[0].root
    entry = root.entry(key) if isinstance(root, Mapping) else None
    span = document.span(entry.key.start, entry.key.end) if entry else document.span(0)
    return Diagnostic(
        "build/settings-lack", Severity.WARNING, message, span, subject=key, hint=f"add to {document.path}:\n{lines}"
    )


def _extensions(trees: Sequence[Tree], ours: Tree, scripts: bool) -> Iterator[tuple[str, str]]:
    """Each extension of ours that is off, or lacks an option of ours, with its lines as they stand in our settings."""
    on = dict(_named(_value(trees, "markdown_extensions")))
    node = ours.root.get("markdown_extensions") if isinstance(ours.root, Mapping) else None
    assert isinstance(node, Items)
    for item in node.items:
        ((name, options),) = _named([plain(item)])
        if name in _ALWAYS and not (scripts and options):
            continue
        if name not in on or any(on[name].get(option) != value for option, value in options.items() if value is True):
            text = ours.document.text[item.start : item.last]
            yield name, "\n".join(line for line in text.split("\n") if "#" not in line)


def _named(extensions: Plain) -> Iterator[tuple[str, dict[str, Plain]]]:
    """The names of extensions with their options, as MkDocs takes them: in a list, or as a mapping."""
    if isinstance(extensions, dict):
        extensions = [{name: options} for name, options in extensions.items()]
    for item in extensions if isinstance(extensions, list) else ():
        for name, options in item.items() if isinstance(item, dict) else ((item, None),):
            yield str(name), options if isinstance(options, dict) else {}


def _texts(value: Plain) -> Iterator[str]:
    """Every text in a value, however deep; of mappings, the values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _value(trees: Sequence[Tree], key: str) -> Plain:
    """The value of a key in the nearest settings that have it; mappings of farther ones are merged under it."""
    found: Plain = None
    for tree in trees:
        node = tree.root.get(key) if isinstance(tree.root, Mapping) else None
        if node is None:
            continue
        value = plain(node)
        if found is None:
            found = value
        elif isinstance(found, dict) and isinstance(value, dict):
            found = {**value, **found}
    return found
