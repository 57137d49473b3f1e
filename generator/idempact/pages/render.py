"""Every page of the integrators' site, from the facts through its template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from jinja2 import Environment

from idempact.contract.units import Duration
from idempact.facts import Facts, Profile, advice, changes, checklist, fleet, phrases, window_phrases
from idempact.facts.examples import ResponseExample, request_example, response_examples
from idempact.facts.implementer import Implementer
from idempact.facts.messages import Message, Value
from idempact.facts.outcomes import Outcome
from idempact.facts.rehearsal import rehearsal
from idempact.facts.sdk import sdk_defaults
from idempact.pages.page import LoopSection, NavEntry, OverlayFile, Page, ResultRow, SqlBlock, SwitchTable, VersionLink
from idempact.render.artifact import Artifact
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.render.literals import md_code
from idempact.render.words import MARKDOWN, PLAIN, Words
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Mapping, Plain, Scalar, compose
from idempact.text.span import Document

FOLDER = "pages"
PER_CODE = "[code]"


@dataclass(frozen=True, slots=True)
class Site:
    """The rendered pages in order of path, and the navigation that their front matter gives."""

    artifacts: tuple[Artifact, ...]
    nav: tuple[NavEntry, ...]


def page_templates(roots: Sequence[Path]) -> tuple[str, ...]:
    """The name of every page template below the *roots*, each once, sorted."""
    found = {path.relative_to(root).as_posix() for root in roots for path in (root / FOLDER).rglob(f"*.md{SUFFIX}")}
    return tuple(sorted(found))


def render(
    facts: Facts,
    locale: str,
    loops: tuple[LoopSection, ...],
    downloads: tuple[tuple[str, str], ...] = (),
    *,
    contract: str = "contract.yaml",
    drawings: tuple[tuple[str, str], ...] = (),
    record: Implementer | None = None,
    statements: tuple[SqlBlock, ...] = (),
    results: tuple[ResultRow, ...] = (),
    switches: SwitchTable | None = None,
    sourced: bool = False,
    overlay: OverlayFile | None = None,
    versions: tuple[VersionLink, ...] = (),
    templates_dirs: Sequence[Path] = (),
    hand_written: Sequence[tuple[str, str]] = (),
    written: Sequence[tuple[str, str]] = (),
) -> Site:
    """All pages. *hand_written* are (path, template text) of the site's own ``.md.jinja`` files, rendered likewise;
    *written* are (path, text) of its ``.md`` files, which stay as they are.

    ``sourced`` pages link to their Markdown source, which is staged beside them.
    A template that gives nothing makes no page.
    """
    env = page_environment(locale, templates_dirs)
    gap = env.filters["say"]("locale.gap")
    blank = Page(
        "",
        "",
        loops=loops,
        downloads=downloads,
        contract=contract,
        drawings=drawings,
        record=record,
        statements=statements,
        results=results,
        switches=switches,
        sourced=sourced,
        overlay=overlay,
        versions=versions,
    )
    artifacts = []
    for name in page_templates(template_roots(templates_dirs)):
        template = env.get_template(name)
        for page in _pages(name.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX), facts, blank):
            text = template.render(facts=facts, page=page)
            if text.strip():
                artifacts.append(Artifact(page.path, tidy(text, gap)))
    for path, text in hand_written:
        page = replace(blank, path=path, root=_root(path))
        artifacts.append(Artifact(path, tidy(env.from_string(text).render(facts=facts, page=page), gap)))
    artifacts += [Artifact(path, text) for path, text in written]
    return Site(tuple(sorted(artifacts)), navigation(artifacts))


def _pages(path: str, facts: Facts, blank: Page) -> Iterator[Page]:
    if PER_CODE not in path:
        yield replace(blank, path=path, root=_root(path))
        return
    for code in facts.codes:
        own = path.replace(PER_CODE, code.slug)
        yield replace(blank, path=own, root=_root(own), code=code)


def _root(path: str) -> str:
    return "../" * path.count("/")


# What ends a sentence or a part of it in scripts that are written without spaces.
_FULL_STOP = "。！？；：，、）"
_SPACE_AFTER = re.compile(rf"(`+[^`]*`+)|(?<=[{_FULL_STOP}]) +(?=[^ |])")
# A line that begins a block of its own (CommonMark 0.31, section 4; tables, admonitions, tabs) can't go on another one.
_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.S)
_BLOCK = re.compile(r" *(?:$|[|#>+-]|\*\s|\d+[.)]\s|!!!|===|<|```|~~~)")


def tidy(text: str, gap: str = " ") -> str:
    """One blank line at most between blocks outside fences, and one line break at the end.

    With an empty *gap* between sentences, a space or a line break behind full-width punctuation goes.
    """
    out: list[str] = []
    fence = ""
    for line in text.splitlines():
        opening = re.match(r" *(```+|~~~+)", line)
        if opening and not fence:
            fence = opening[1]
        elif opening and opening[1].startswith(fence) and line.strip() == opening[1]:
            fence = ""
        if not fence:
            line = line.rstrip()
            if not line and out and not out[-1]:
                continue
            if not gap:
                line = _SPACE_AFTER.sub(lambda match: match[1] or "", line)
                if out and _goes_on(out[-1], line):
                    out[-1] += line.lstrip()
                    continue
        out.append(line)
    return "\n".join(out).strip("\n") + "\n"


def _goes_on(before: str, line: str) -> bool:
    """Whether *line* goes on with the sentences of the line *before* it in one paragraph."""
    return before.endswith(tuple(_FULL_STOP)) and not before.startswith("|") and not _BLOCK.match(line)


def split_front(text: str) -> tuple[str, str]:
    """The lines of a Markdown page's front matter, without the dashes around them (empty without one), and its body."""
    match = _FRONT.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def front_matter(text: str) -> dict[str, str]:
    """The front matter's scalars of a Markdown page; empty without one."""
    front, _ = split_front(text)
    tree = compose(Document("front matter", front)).value if front else None
    if tree is None or not isinstance(tree.root, Mapping):
        return {}
    return {e.key.value: e.value.value for e in tree.root.entries if isinstance(e.value, Scalar)}


def navigation(artifacts: Sequence[Artifact]) -> tuple[NavEntry, ...]:
    """The pages whose front matter has an ``order``, by it."""
    entries = []
    for artifact in artifacts:
        front = front_matter(artifact.text)
        if front.get("order", "").isdigit():
            entries.append(NavEntry(int(front["order"]), front.get("title", artifact.path), artifact.path))
    return tuple(sorted(entries, key=lambda entry: (entry.order, entry.path)))


def page_environment(locale: str, templates_dirs: Sequence[Path] = ()) -> Environment:
    """The environment of page templates: the shared one, and the filters that put facts into words."""
    env = environment(templates_dirs)
    words = Words.load(locale, template_roots(templates_dirs), MARKDOWN)
    plain_words = words.on(PLAIN)

    def say(what: Message | str, **values: Value) -> str:
        return words.say(what, **values)

    def say_plain(what: Message | str, **values: Value) -> str:
        return plain_words.say(what, **values)

    def act(outcome: Outcome, topic: str) -> str:
        general = f"{topic}.{outcome.action.value}"
        own = f"{general}.{outcome.name}"
        return words.say(own if words.has(own) else general)

    def told(what: Message | str, facts: Facts) -> str:
        return words.say(_for_author(words, what, facts))

    def told_plain(what: Message | str, facts: Facts) -> str:
        return plain_words.say(_for_author(words, what, facts))

    def text(value: Value) -> str:
        return words.shown(value)

    def response(example: ResponseExample, title: Message | str) -> str:
        return wire(example, plain_words.say(title))

    env.filters.update(
        say=say,
        say_plain=say_plain,
        text=text,
        act=act,
        told=told,
        told_plain=told_plain,
        operation=operation,
        html=escape,
        response=response,
        cell=cell,
        ms=_milliseconds,
        grouped=grouped,
        phrase=phrase,
        fenced=fenced,
        linked=linked,
        unlinked=unlinked,
        request_example=request_example,
        rehearsal=rehearsal,
        sdk_defaults=sdk_defaults,
        response_examples=response_examples,
    )
    return env


def _for_author(words: Words, what: Message | str, facts: Facts) -> Message:
    """The message; where an observer writes and the words know how that reads, in that form."""
    said = what if isinstance(what, Message) else Message(what)
    own = f"{said.key}.observed"
    return Message(own, said.values) if facts.contract.observed and words.has(own) else said


def operation(name: str) -> str:
    """An operation's key in the contract as people call it: the words `operation` and `tag` are no part of its name."""
    return md_code(re.sub(r"^(operation|tag) ", "", name))


def _milliseconds(value: int) -> Duration:
    return Duration(value)


def phrase(value: object, name: str) -> object:
    """A fact as messages, by the function *name* of the facts' modules of phrases."""
    modules = (phrases, window_phrases, advice, changes, checklist, fleet)
    told: object = getattr(next(module for module in modules if hasattr(module, name)), name)(value)
    return told


def cell(text: str) -> str:
    """Markdown inside a table's cell: no line breaks, and no pipe that would end the cell."""
    line = " ".join(text.split())
    return re.sub(r"(?<!\\)\|", r"\\|", line)


def linked(text: str, page: Page, facts: Facts) -> str:
    """Rendered Markdown in which each machine code links to its page."""
    for code in facts.codes:
        span = md_code(code.code)
        text = text.replace(span, f"[{span}]({page.root}errors/{code.slug}.md)")
    return text


def unlinked(text: str) -> str:
    """Markdown without its links to places of the same page: what they are called stays."""
    return re.sub(r"\[([^\]]*)\]\(#[^)]*\)", r"\1", text)


def fenced(code: str, info: str, indent: int = 0) -> str:
    """A fenced code block that *code* can't end (CommonMark 0.31, section 4.5), indented by *indent* columns."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = (f"{fence}{info}", *code.rstrip("\n").split("\n"), fence)
    return "\n".join(" " * indent + line if line else line for line in lines)


def grouped(profiles: Sequence[Profile], attribute: str) -> tuple[tuple[Profile, tuple[str, ...]], ...]:
    """The profiles that differ in *attribute* (dotted), each with all operations that share its value."""
    groups: dict[object, tuple[Profile, list[str]]] = {}
    for profile in profiles:
        value: object = profile
        for part in attribute.split("."):
            value = getattr(value, part)
        groups.setdefault(value, (profile, []))[1].extend(profile.operations)
    return tuple((profile, tuple(names)) for profile, names in groups.values())


def wire(example: ResponseExample, title: str) -> str:
    """A response as it stands on the wire: head, blank line, body (JSON with two spaces), ``{title}`` filled in."""
    head = "\n".join(example.head)
    if example.body is None:
        return head
    body = example.body.replace("{title}", title) if isinstance(example.body, str) else _json(example.body, title)
    return f"{head}\n\n{body}" if head else body


def _json(value: Plain, title: str) -> str:
    return json.dumps(_titled(value, title), indent=2, ensure_ascii=False)


def _titled(value: Plain, title: str) -> Plain:
    if isinstance(value, dict):
        return {key: _titled(item, title) for key, item in value.items()}
    if isinstance(value, list):
        return [_titled(item, title) for item in value]
    return value.replace("{title}", title) if isinstance(value, str) else value
