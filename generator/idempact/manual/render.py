"""The manual's sources and what is known from the code into one tree of pages, and the navigation over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jinja2 import Environment

from idempact.contract.read import Read
from idempact.manual import architecture, consumer, language, rules, vendors
from idempact.pages.overrides import blocks_of
from idempact.pages.page import NavEntry
from idempact.pages.render import fenced, navigation, page_templates
from idempact.prose.lint import lint
from idempact.render.artifact import Artifact
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.render.literals import md_text, yaml
from idempact.resources import shipped
from idempact.text.dataclass import dataclass
from idempact.text.span import Document

_COPIED = (".md", ".css")
_PER_RULE, _PER_SECTION = "[rule]", "[section]"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the command line, its purpose and an example."""

    name: str
    help: str
    example: str


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision record."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class PageTemplate:
    """A template that a team may replace, and its blocks in the order in which they stand."""

    name: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """All that the templates of the manual see."""

    sections: tuple[language.Section, ...]
    rules: tuple[rules.Rule, ...]
    vendors: tuple[vendors.Vendor, ...]
    columns: tuple[str, ...]
    layers: tuple[architecture.Layer, ...]
    diagram: str
    commands: tuple[Command, ...]
    decisions: tuple[Decision, ...]
    recipes: str
    templates: tuple[PageTemplate, ...]
    reading: consumer.Reading


@dataclass(frozen=True, slots=True)
class ManualPage:
    """The page that is rendered: its path, the way back to the manual's root, and the section or rule it is about."""

    path: str
    root: str
    section: language.Section | None = None
    rule: rules.Rule | None = None


def manual(
    sources: Path,
    *,
    example: Read,
    contracts: Sequence[vendors.Vendor],
    layers: tuple[architecture.Layer, ...],
    commands: tuple[Command, ...],
    reading: consumer.Reading,
) -> Manual:
    """What the templates see, gathered from the code and the *sources*."""
    return Manual(
        language.sections(example),
        rules.all_rules(),
        tuple(sorted(contracts, key=lambda vendor: vendor.name.casefold())),
        tuple(vendors.COLUMNS),
        layers,
        architecture.diagram(layers),
        commands,
        tuple(_decisions(sources)),
        _recipes(),
        tuple(PageTemplate(name, blocks_of(name)) for name in page_templates(template_roots())),
        reading,
    )


def _recipes() -> str:
    """What the starter says on a team's own site, without its heading."""
    text = (shipped("site_src") / "starter" / "site_src" / "README.md").read_text(encoding="utf-8")
    return text.partition("\n\n")[2].strip()


def _decisions(sources: Path) -> Iterator[Decision]:
    for path in sorted((sources / "decisions").glob("[0-9]*.md")):
        heading = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        yield Decision(path.name, heading[1] if heading else path.stem)


def render(sources: Path, data: Manual) -> tuple[Artifact, ...]:
    """Every page: Markdown and styles as they are, templates rendered.

    A template with ``[rule]`` or ``[section]`` in its name is rendered for each one. One that gives nothing makes no
    page. Other files (pictures, settings) are not part of the tree.
    """
    env = environment([sources])
    env.filters.update(quoted=quoted, fenced=fenced, told=told)
    found: list[Artifact] = []
    for path in sorted(p for p in sources.rglob("*") if p.is_file()):
        name = path.relative_to(sources).as_posix()
        if name.endswith(f".md{SUFFIX}"):
            found += _rendered(env, name, data)
        elif path.suffix in _COPIED:
            found.append(Artifact(name, path.read_text(encoding="utf-8")))
    return tuple(sorted(found))


def _rendered(env: Environment, name: str, data: Manual) -> Iterator[Artifact]:
    template = env.get_template(name)
    for page in _pages(name.removesuffix(SUFFIX), data):
        text = template.render(manual=data, page=page).strip()
        if text:
            yield Artifact(page.path, text + "\n")


def _pages(path: str, data: Manual) -> Iterator[ManualPage]:
    if _PER_RULE in path:
        for rule in data.rules:
            own = path.replace(_PER_RULE, rule.path)
            yield ManualPage(own, _root(own), rule=rule)
    elif _PER_SECTION in path:
        for section in data.sections:
            own = path.replace(_PER_SECTION, section.key)
            yield ManualPage(own, _root(own), section=section)
    else:
        yield ManualPage(path, _root(path))


def _root(path: str) -> str:
    return "../" * path.count("/")


def quoted(text: str) -> str:
    """A page's Markdown that quotes what it warns of: with an allowance on top for each rule that it breaks."""
    broken = sorted({found.rule for found in lint(Document("page.md", text))})
    if not broken:
        return text
    reason = "because this page explains what not to write"
    return f"<!-- idempact: allow {', '.join(broken)} in this file {reason} -->\n\n{text}"


def told(text: str) -> str:
    """A sentence of the code as Markdown: code spans stay, everything else is shown as it is."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _text(part) for part in parts)


def _text(part: str) -> str:
    """As md_text, with the spaces at both ends, which separate the part from its neighbours."""
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{md_text(part)}{after}" if part.strip() else part


def settings(artifacts: Sequence[Artifact], inherit: str, docs: str) -> str:
    """What MkDocs builds with: the manual's own settings inherited, and the navigation from the pages' front matter."""
    lines = ["# Made by `idempact manual`; settings belong into the inherited file."]
    lines += [f"INHERIT: {yaml(inherit)}", f"docs_dir: {yaml(docs)}", "site_dir: site", "nav:"]
    entries = navigation(artifacts)
    for entry in entries:
        folder, _, name = entry.path.rpartition("/")
        if not folder:
            lines.append(_entry(entry, "  "))
        elif name == "index.md":
            lines.append(f"  - {yaml(entry.title)}:")
            lines.append(f"      - {yaml(entry.path)}")
            lines += (_entry(e, "      ") for e in entries if e is not entry and e.path.startswith(f"{folder}/"))
    return "\n".join(lines) + "\n"


def _entry(entry: NavEntry, indent: str) -> str:
    return f"{indent}- {yaml(entry.title)}: {yaml(entry.path)}"
