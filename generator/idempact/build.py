"""Composition: facts, targets and site sources into one tree of artifacts. The one module that knows all targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from idempact.contract.published import published
from idempact.contract.read import Read
from idempact.contract.units import NotDocumented
from idempact.diagrams import drawings
from idempact.exports import contract_json, vectors
from idempact.facts import Facts
from idempact.facts.implementer import Implementer, implementer
from idempact.openapi.offer import ApiFile, Offer, offer
from idempact.pages.editions import Edition, bound, folder_of, pages_of, shared_downloads, sources_of
from idempact.pages.flavor import Flavor
from idempact.pages.gfm import plain
from idempact.pages.overrides import idle
from idempact.pages.page import LoopSection, OverlayFile, ResultRow, SqlBlock
from idempact.pages.render import Site
from idempact.pages.render import render as render_pages
from idempact.pages.sources import Sources
from idempact.pages.sources import site_sources as read_sources
from idempact.pages.texts import as_text
from idempact.parts.loops import DOWNLOADS, loops, results, switches, unknown_languages
from idempact.parts.versions import Version, archived, links
from idempact.render.artifact import Artifact
from idempact.render.environment import template_roots
from idempact.render.literals import yaml
from idempact.render.words import LOCALES, UnknownWords, Words
from idempact.statements.render import render as render_statements
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity

OVERLAY = "overlay.yaml"
NAVIGATION = "mkdocs.yml"
MADE = "# Made by `idempact build`"
# MkDocs leaves out folders whose name begins with a dot, so the theme's files are staged and yet no part of the site.
THEME = ".theme"
# Where the search splits texts in scripts without spaces: at white space, hyphens and full-width marks, and between
# a Chinese character and the next character or letter, but not inside a word that the locale names. A query is split
# likewise; the asterisk is what the theme itself puts behind the Chinese words of a query. The rest follows English
# rules, since the theme's own rules for Chinese need a dictionary that is no part of it.
_HAN = r"\u3400-\u9fff"
_BREAK = r"[\s*\-\u2018-\u201f\u3000-\u303f\uff00-\uff65]+"
_BESIDE = rf"(?:(?<=[{_HAN}])(?=[\w{_HAN}])|(?<=\w)(?=[{_HAN}]))"


@dataclass(frozen=True, slots=True)
class Built:
    """Everything that a contract becomes: the staged files, and the editions of the site, one per locale."""

    artifacts: tuple[Artifact, ...]
    editions: tuple[Edition, ...]

    @property
    def site(self) -> Site:
        """The pages of the first edition, which lies at the site's root."""
        return self.editions[0].site

    @property
    def title(self) -> str:
        """The site's title, in the language of the first edition."""
        return self.editions[0].title


def build(
    read: Read,
    *,
    contract_name: str,
    site_sources: Path | None = None,
    templates_dirs: Sequence[Path] = (),
    flavor: Flavor = Flavor.MATERIAL,
    openapi: ApiFile | None = None,
    versions: Sequence[Version] = (),
) -> Checked[Built]:
    """All artifacts of a sound contract. *contract_name* is how pages call its file.

    Beside plain Markdown stands nothing that only a site takes: no theme, style sheet, script, or page as text.

    Over the shipped assets lie the files of *site_sources*. Where the API's file *openapi* is given, the site offers
    the overlay for it, and nothing is built where that has errors. Earlier *versions*, newest first, are staged below
    the present pages; of their findings, only errors are told.

    Findings: a locale without words or named twice, languages without a loop, faults in a language's folder or in a
    site source, what in *templates_dirs* has no effect, a problem type that no page answers, and what has no form in
    plain Markdown where that is asked for.
    """
    facts = Facts.of(read.contract)
    roots = template_roots(templates_dirs)
    spoken = tuple(_words(read, roots))
    unspoken = tuple(found for found in spoken if isinstance(found, Diagnostic))
    if unspoken:
        return Checked(None, unspoken)
    spoken_words = tuple(words for words in spoken if isinstance(words, Words))
    sections, files, found = loops(facts, templates_dirs)
    diagnostics = [*found, *unknown_languages(read, sections, roots)]
    diagnostics += _unresolved_types(read, facts)
    beside = read_sources(site_sources)
    diagnostics += idle(templates_dirs, beside.templates) if templates_dirs else ()
    offered: Checked[Offer] = offer(openapi, read, spoken_words[0]) if openapi else Checked(None)
    diagnostics += offered.diagnostics
    if offered.broken:
        return Checked(None, tuple(diagnostics))
    data = tuple(_data(read, offered.value))
    record = implementer(facts)
    found_statements = render_statements(record, templates_dirs) if record else ()
    statements = tuple(SqlBlock(statement.name, statement.text) for statement in found_statements)
    passed = results(facts, roots) if sections else ()
    sources = _PageSources(
        facts,
        sections,
        data,
        contract_name,
        templates_dirs,
        beside,
        record,
        statements,
        passed,
        flavor,
        offered.value,
        tuple(versions),
    )
    built = _assembled(sources, spoken_words, files)
    if built.value is not None and versions:
        built = _with_versions(built.value, sources, site_sources, roots)
    return Checked(built.value, (*diagnostics, *built.diagnostics))


def _with_versions(
    built: Built, sources: _PageSources, site_sources: Path | None, roots: Sequence[Path]
) -> Checked[Built]:
    """The present site with the earlier ones below it; no value where one of those can't be made."""
    made = list(built.artifacts)
    for version in sources.versions:
        old = build(
            version.read,
            contract_name=version.name,
            site_sources=site_sources,
            templates_dirs=sources.templates_dirs,
            flavor=sources.flavor,
        )
        if old.value is None:
            return Checked(None, tuple(found for found in old.diagnostics if found.severity is Severity.ERROR))
        spoken = [Words.load(edition.locale, roots) for edition in old.value.editions]
        made += archived(version.date, old.value.artifacts, spoken, built.editions, sources.flavor)
    return Checked(Built(tuple(sorted(made)), built.editions))


def _data(read: Read, offered: Offer | None) -> Iterator[Artifact]:
    """What is downloaded as data."""
    yield Artifact(f"{DOWNLOADS}/contract.json", contract_json.text(published(read.contract)))
    yield Artifact(f"{DOWNLOADS}/vectors.json", vectors.TARGET.render())
    if offered:
        yield Artifact(f"{DOWNLOADS}/{OVERLAY}", offered.text)


def _assembled(sources: _PageSources, spoken: Sequence[Words], loop_files: Sequence[Artifact]) -> Checked[Built]:
    """The pages in every language, and all that is staged beside them."""
    editions = bound([_edition(sources, words) for words in spoken])
    pages = tuple(artifact for edition in editions for artifact in edition.site.artifacts)
    data, files = sources.downloads, sources.beside.files
    if sources.flavor is Flavor.GFM:
        kept = tuple(asset for asset in files if not asset.path.endswith((".css", ".js")))
        turned = plain(pages)
        whole = Built(tuple(sorted((*turned.value, *loop_files, *data, *kept))), editions) if turned.value else None
        return Checked(whole, turned.diagnostics)
    theme = _theme(template_roots(sources.templates_dirs)) if len(editions) > 1 else ()
    texts = as_text(sources.facts, editions, tuple(_named(file) for file in data), sources.templates_dirs)
    own = {artifact.path for artifact in files}
    artifacts = (*pages, *loop_files, *data, *files, *theme, *(text for text in texts if text.path not in own))
    return Checked(Built(tuple(sorted(artifacts)), editions))


@dataclass(frozen=True, slots=True)
class _PageSources:
    """What every edition is made from."""

    facts: Facts
    sections: tuple[LoopSection, ...]
    downloads: tuple[Artifact, ...]
    contract_name: str
    templates_dirs: Sequence[Path]
    beside: Sources
    record: Implementer | None
    statements: tuple[SqlBlock, ...]
    results: tuple[ResultRow, ...]
    flavor: Flavor
    offered: Offer | None
    versions: tuple[Version, ...]


def _edition(sources: _PageSources, words: Words) -> Edition:
    """The pages in one language, as if they lay at the root; what they download lies at the site's root."""
    facts, locales = sources.facts, sources.facts.contract.publish.locales
    folder = folder_of(words.locale, locales)
    up = "../" * folder.count("/")
    site = render_pages(
        facts,
        words.locale,
        shared_downloads(sources.sections, folder),
        tuple((name, up + path) for name, path in map(_named, sources.downloads)),
        contract=sources.contract_name,
        drawings=tuple((drawing.name, drawing.svg) for drawing in drawings(facts, words)),
        record=sources.record,
        statements=sources.statements,
        results=sources.results,
        switches=switches(),
        sourced=sources.flavor is Flavor.MATERIAL,
        overlay=_overlay(sources.offered, up),
        versions=links(sources.versions, words.locale, up),
        templates_dirs=sources.templates_dirs,
        hand_written=sources_of(words.locale, locales, sources.beside.templates),
        written=pages_of(words.locale, locales, sources.beside.pages),
    )
    name = facts.contract.api.name
    title = words.say("site.title", name=str(name) if isinstance(name, NotDocumented) else name)
    terms = tuple(words.say("locale.terms").split())
    return Edition(words.locale, words.say("locale.name"), title, folder, site, terms)


def _overlay(offered: Offer | None, up: str) -> OverlayFile | None:
    if offered is None:
        return None
    path = f"{up}{DOWNLOADS}/{OVERLAY}"
    return OverlayFile(path, offered.file, offered.made_for, offered.added, offered.example)


def _named(download: Artifact) -> tuple[str, str]:
    return download.path.removeprefix(f"{DOWNLOADS}/"), download.path


def _words(read: Read, roots: Sequence[Path]) -> Iterator[Words | Diagnostic]:
    """The words of each locale, or what is wrong with it."""
    locales = read.contract.publish.locales
    for place, locale in enumerate(locales):
        try:
            yield Words.load(locale, roots)
        except UnknownWords as error:
            known = sorted({path.name for root in roots for path in (root / LOCALES).glob("*") if path.is_dir()})
            hint = f"there are words for {', '.join(known)}; add templates/locales/{locale}/ through --templates"
            yield _no_words(read, place, str(error), hint)


def _no_words(read: Read, place: int, message: str, hint: str) -> Diagnostic:
    path = ("publish", "locales")
    item = (*path, str(place))
    span = read.source.span(*(item if read.source.given(*item) else path))
    return Diagnostic("build/unknown-locale", Severity.ERROR, message, span, subject="publish.locales", hint=hint)


def _theme(roots: Sequence[Path]) -> tuple[Artifact, ...]:
    """The theme's own files that speak each page's language; the first root wins name by name."""
    found: dict[str, Path] = {}
    for root in reversed(roots):
        for path in sorted((root / "theme").rglob("*.html")):
            found[path.relative_to(root / "theme").as_posix()] = path
    return tuple(Artifact(f"{THEME}/{name}", path.read_text(encoding="utf-8")) for name, path in found.items())


def _unresolved_types(read: Read, facts: Facts) -> Iterator[Diagnostic]:
    """A warning where a problem type is an address (RFC 9457, section 3.1.1) that no page of the site will answer.

    A static host answers ``errors/<code>`` by the folder of that name, and most answer it by ``errors/<code>.html``.
    """
    if facts.contract.observed:
        return
    lost = [
        (code, kind)
        for code in facts.codes
        for kind in code.types
        if urlsplit(kind).scheme in ("http", "https")
        and not urlsplit(kind).path.rstrip("/").removesuffix(".html").endswith(f"/errors/{code.slug}")
    ]
    if lost:
        path = ("errors", "type")
        code, kind = lost[0]
        yield Diagnostic(
            "build/type-without-page",
            Severity.WARNING,
            f"{kind} leads to no page of the site: the page of {code.code} is errors/{code.slug}/",
            read.source.span(*path),
            subject="errors.type",
            hint="end errors.type in /errors/{code}, or redirect that address to the page",
        )


def navigation(built: Built, inherit: str | None, docs: str) -> str:
    """What MkDocs builds with: the user's settings inherited, the navigation from the pages' front matter.

    Editions beside the first have a section each, under their own title.
    """
    lines = [f"{MADE} from the pages' front matter; settings belong into the inherited file."]
    if inherit:
        lines.append(f"INHERIT: {yaml(inherit)}")
    lines += [f"site_name: {yaml(escape(built.title))}", f"docs_dir: {yaml(docs)}", "site_dir: site"]
    if inherit:
        lines += _spoken(built.editions, docs)
    lines.append("nav:")
    lines += [f"  - {yaml(entry.title)}: {yaml(entry.path)}" for entry in built.site.nav]
    for edition in built.editions[1:]:
        lines.append(f"  - {yaml(edition.title)}:")
        lines += [f"    - {yaml(entry.title)}: {yaml(entry.path)}" for entry in edition.site.nav]
    return "\n".join(lines) + "\n"


def _spoken(editions: Sequence[Edition], docs: str) -> Iterator[str]:
    """The theme's and the search's settings for other languages than English alone, which is the inherited file's."""
    if [edition.locale for edition in editions] == ["en"]:
        return
    yield from ("theme:", f"  language: {yaml(editions[0].locale)}")
    if len(editions) > 1:
        yield f"  custom_dir: {yaml(f'{docs}/{THEME}')}"
    terms = tuple(term for edition in editions for term in edition.terms)
    if terms:
        inside = "|".join(f"{term[:cut]}(?={term[cut:]})" for term in terms for cut in range(1, len(term)))
        yield from ("plugins:", "  search:", "    lang: [en]", "    pipeline: [stopWordFilter]")
        yield f"    separator: {yaml(f'{_BREAK}|{_BESIDE}(?<!{inside})')}"
