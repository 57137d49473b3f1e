"""The loops of a site: as sections of its page, as files to download, and what came of them in our tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from idempact.contract.read import Read
from idempact.facts import Facts
from idempact.pages.page import CodeBlock, CodeTab, LoopSection, ResultRow, SwitchRow, SwitchTable
from idempact.render.artifact import Artifact
from idempact.snippets.language import languages
from idempact.snippets.render import Snippet
from idempact.snippets.render import render as render_snippets
from idempact.snippets.results import fresh
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.vectors.switches import FAULTS, read_switches, shipped_switches

DOWNLOADS = "downloads"


def loops(
    facts: Facts, templates_dirs: Sequence[Path]
) -> tuple[tuple[LoopSection, ...], tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The loops as sections of the code page, and each as a file to download."""
    sections: list[LoopSection] = []
    files: list[Artifact] = []
    diagnostics: list[Diagnostic] = []
    for number, group in enumerate((*facts.loops, *facts.natural_loops), 1):
        checked = render_snippets(group.loop, templates_dirs)
        diagnostics += checked.diagnostics
        tabs = []
        for language in facts.contract.publish.languages:
            own = {s: _download(s, number) for s in checked.value or () if s.language == language}
            files += [Artifact(path, snippet.code) for snippet, path in own.items()]
            tabs += [CodeTab(s.title, tuple(_block(*one) for one in own.items())) for s in tuple(own)[:1]]
        if tabs:
            loop = group.loop
            sections.append(LoopSection(group.operations, tuple(tabs), loop.natural, loop.repeat_status))
    return tuple(sections), tuple(files), tuple(dict.fromkeys(diagnostics))


def _download(snippet: Snippet, number: int) -> str:
    folder = snippet.language if number == 1 else f"{snippet.language}-{number}"
    return f"{DOWNLOADS}/{folder}/{snippet.variant}/{snippet.file_name}"


def _block(snippet: Snippet, path: str) -> CodeBlock:
    return CodeBlock(
        title=snippet.variant_title,
        fence=snippet.fence,
        file_name=snippet.file_name,
        code=snippet.code,
        tools=tuple((tool.name, tool.versions) for tool in snippet.tools if tool.versions),
        libraries=tuple((library.name, library.versions) for library in snippet.libraries),
        shared_budget=snippet.budget == "process",
        download=path,
    )


def results(facts: Facts, roots: Sequence[Path]) -> tuple[ResultRow, ...]:
    """The results of the loops that are published, as far as they are of the templates that are used."""
    rows: list[ResultRow] = []
    known = {language.id: language for language in languages(roots).value or ()}
    for language in (known[name] for name in facts.contract.publish.languages if name in known):
        for variant, result in fresh(language, roots):
            rows.append(
                ResultRow(
                    language=language.title,
                    title=variant.title,
                    versions=tuple((each.name, each.version) for each in (*result.tools, *result.libraries)),
                    passed=result.passed,
                    total=result.total,
                    waits=result.waits,
                    mean=f"{result.mean_share:.2f}",
                    greatest=f"{result.greatest_share:.2f}",
                    build_seconds=f"{result.build_seconds:.1f}" if variant.build else "",
                    date=result.date,
                )
            )
    return tuple(rows)


def unknown_languages(read: Read, sections: Sequence[LoopSection], roots: Sequence[Path]) -> Iterator[Diagnostic]:
    """A note on the languages that the contract wants loops in, and no template of *roots* makes one for."""
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


@lru_cache(maxsize=1)
def switches() -> SwitchTable | None:
    """The shipped figures about libraries' own retries."""
    found = read_switches(shipped_switches()).value
    if found is None:
        return None
    rows = tuple(
        SwitchRow(
            row.language,
            row.library,
            row.version,
            row.setting,
            found.vectors - len(row.failed),
            tuple(row.count(fault) for fault in FAULTS),
        )
        for row in found.rows
    )
    return SwitchTable(found.date, found.vectors, FAULTS, rows)
