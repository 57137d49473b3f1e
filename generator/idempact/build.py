"""Composition: facts, targets and site sources into one tree of artifacts. The one module that knows all targets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from idempact.contract.read import Read
from idempact.diagrams import drawings
from idempact.facts import Facts
from idempact.pages.page import CodeBlock, LoopSection
from idempact.pages.render import Site
from idempact.pages.render import render as render_pages
from idempact.render.artifact import Artifact
from idempact.render.environment import SUFFIX, template_roots
from idempact.render.literals import yaml
from idempact.render.words import UnknownWords, Words
from idempact.resources import shipped
from idempact.snippets.render import Snippet
from idempact.snippets.render import render as render_snippets
from idempact.text.diagnostic import Checked, Diagnostic, Severity

DOWNLOADS = "downloads"
NAVIGATION = "mkdocs.yml"


@dataclass(frozen=True, slots=True)
class Built:
    """Everything that a contract becomes: the staged files, and what the site's navigation needs."""

    artifacts: tuple[Artifact, ...]
    site: Site
    title: str


def build(
    read: Read, *, contract_name: str, site_sources: Path | None = None, templates_dirs: Sequence[Path] = ()
) -> Checked[Built]:
    """All artifacts of a sound contract. *contract_name* is how pages call its file.

    Findings: a locale without words, languages without a loop, faults in a language's folder or in a site source.
    """
    facts = Facts.of(read.contract)
    roots = template_roots(templates_dirs)
    diagnostics: list[Diagnostic] = []
    locale = read.contract.publish.locales[0]
    try:
        words = Words.load(locale, roots)
    except UnknownWords as error:
        return Checked(None, (_no_words(read, str(error)),))
    for other in read.contract.publish.locales[1:]:
        diagnostics.append(_no_words(read, f"only the first locale is built; {other!r} is left out", Severity.WARNING))
    sections, files, found = _loops(facts, templates_dirs)
    diagnostics += found
    diagnostics += _unknown_languages(read, sections, roots)
    hand_written, assets = _sources(site_sources or shipped("site_src") / "integrator")
    vectors = Artifact(f"{DOWNLOADS}/vectors.json", _vectors())
    listed = tuple((file.path.removeprefix(f"{DOWNLOADS}/"), file.path) for file in (*files, vectors))
    drawn = tuple((drawing.name, drawing.svg) for drawing in drawings(facts, words))
    site = render_pages(
        facts,
        locale,
        sections,
        listed,
        contract=contract_name,
        drawings=drawn,
        templates_dirs=templates_dirs,
        hand_written=hand_written,
    )
    artifacts = (*site.artifacts, *files, vectors, *assets)
    title = words.say("site.title", name=str(facts.contract.api.name))
    return Checked(Built(tuple(sorted(artifacts)), site, title), tuple(diagnostics))


def _no_words(read: Read, message: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(
        "build/unknown-locale",
        severity,
        message,
        read.source.span("publish", "locales"),
        subject="publish.locales",
        hint="write [en], or add templates/locales/<locale>/ through --templates",
    )


def _loops(
    facts: Facts, templates_dirs: Sequence[Path]
) -> tuple[tuple[LoopSection, ...], tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The loops as sections of the code page, and each as a file to download."""
    sections: list[LoopSection] = []
    files: list[Artifact] = []
    diagnostics: list[Diagnostic] = []
    for number, group in enumerate(facts.loops, 1):
        checked = render_snippets(group.loop, templates_dirs)
        diagnostics += checked.diagnostics
        wanted = [s for s in checked.value or () if s.language in facts.contract.publish.languages]
        wanted.sort(key=lambda snippet: facts.contract.publish.languages.index(snippet.language))
        blocks = []
        for snippet in wanted:
            folder = snippet.language if number == 1 else f"{snippet.language}-{number}"
            path = f"{DOWNLOADS}/{folder}/{snippet.file_name}"
            files.append(Artifact(path, snippet.code))
            blocks.append(_block(snippet, path))
        if blocks:
            sections.append(LoopSection(group.operations, tuple(blocks)))
    return tuple(sections), tuple(files), tuple(dict.fromkeys(diagnostics))


def _block(snippet: Snippet, path: str) -> CodeBlock:
    return CodeBlock(
        title=snippet.title,
        fence=snippet.fence,
        file_name=snippet.file_name,
        code=snippet.code,
        libraries=tuple((library.name, library.versions) for library in snippet.libraries),
        shared_budget=snippet.budget == "process",
        download=path,
    )


def _unknown_languages(read: Read, sections: Sequence[LoopSection], roots: Sequence[Path]) -> Iterator[Diagnostic]:
    known = {path.name for root in roots for path in (root / "snippets").glob("*") if path.is_dir()}
    missing = [name for name in read.contract.publish.languages if name not in known]
    if missing and sections:
        yield Diagnostic(
            "build/language-without-loop",
            Severity.NOTE,
            f"there is no loop yet for {', '.join(missing)}",
            read.source.span("publish", "languages"),
            subject="publish.languages",
            hint=f"there is one for {', '.join(sorted(known))}",
        )


def _sources(folder: Path) -> tuple[tuple[tuple[str, str], ...], tuple[Artifact, ...]]:
    """The hand-written site: templates to be rendered, and files that are copied as they are (text, UTF-8)."""
    templates, files = [], []
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")):
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        if name.endswith(SUFFIX):
            templates.append((name.removesuffix(SUFFIX), text))
        else:
            files.append(Artifact(name, text))
    return tuple(templates), tuple(files)


def _vectors() -> str:
    path = shipped("contract") / "vectors" / "vectors.json"
    return json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=1) + "\n"


def navigation(built: Built, inherit: str | None, docs: str) -> str:
    """What MkDocs builds with: the user's settings inherited, the navigation from the pages' front matter."""
    lines = ["# Made by `idempact build` from the pages' front matter; settings belong into the inherited file."]
    if inherit:
        lines.append(f"INHERIT: {yaml(inherit)}")
    lines += [f"site_name: {yaml(built.title)}", f"docs_dir: {yaml(docs)}", "site_dir: site", "nav:"]
    lines += [f"  - {yaml(entry.title)}: {yaml(entry.path)}" for entry in built.site.nav]
    return "\n".join(lines) + "\n"
