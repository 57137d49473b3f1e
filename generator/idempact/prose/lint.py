"""Documents judged: Markdown, and the texts of OpenAPI documents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from idempact.prose.blocks import Block, Outline, markdown
from idempact.prose.catalog import all_rules
from idempact.prose.descriptions import Description, descriptions, is_openapi
from idempact.prose.passage import Passage
from idempact.prose.rules import checked_rules
from idempact.prose.scalars import laid_out
from idempact.prose.suppress import Allowances, Blocks, Suppression, read, yaml_comments
from idempact.text.diagnostic import Diagnostic, Severity, in_order
from idempact.text.nodes import Tree, compose
from idempact.text.span import Document
from idempact.wording.match import Hit, match

_MARKDOWN = (".md", ".markdown", ".mdx", ".txt")
_TREES = (".yaml", ".yml", ".json")
_OPENING = re.compile(r"\ufeff?[\s{\"']*+(?:openapi|swagger)[\"']?\s*+:")


def lint(document: Document, languages: Collection[str] | None = None) -> tuple[Diagnostic, ...]:
    """Every finding in a document's prose, in order of place. Total: any text gets an answer, never an exception.

    The name tells the kind: Markdown by its suffix; YAML and JSON are judged where they are OpenAPI documents, and a
    broken one gets the reader's findings where it says that it is one. What has another name, or none, is judged as
    OpenAPI where it reads as that, else as Markdown.
    """
    name = document.path.lower()
    if name.endswith(_MARKDOWN):
        return _judged(document, _of_markdown(document.text, languages))
    if not _says_openapi(document.text):
        return () if name.endswith(_TREES) else _judged(document, _of_markdown(document.text, languages))
    checked = compose(document)
    if checked.value is None and (name.endswith(_TREES) or _OPENING.match(document.text)):
        return checked.diagnostics
    if checked.value is not None and is_openapi(checked.value.root):
        return _judged(document, _of_openapi(checked.value, languages))
    return () if name.endswith(_TREES) else _judged(document, _of_markdown(document.text, languages))


def _says_openapi(text: str) -> bool:
    return "openapi" in text or "swagger" in text


@dataclass(frozen=True, slots=True)
class _Find:
    hit: Hit
    start: int
    end: int
    subject: str


@dataclass(slots=True)
class _Reading:
    """What was found in a document, before allowances are counted."""

    finds: list[_Find] = field(default_factory=list)
    inner: list[Suppression] = field(default_factory=list)
    """Allowances for the paragraphs of texts."""
    outer: list[Suppression] = field(default_factory=list)
    """Allowances for whole texts."""


def _of_markdown(text: str, languages: Collection[str] | None) -> _Reading:
    outline = markdown(text)
    finds = [
        _Find(hit, *block.passage.origin(hit.start, hit.end), str(block.scope))
        for block, hit in _hits(outline, languages)
    ]
    return _Reading(finds, list(_allowances(outline, None)))


def _hits(outline: Outline, languages: Collection[str] | None) -> Iterator[tuple[Block, Hit]]:
    for block in outline.blocks:
        for hit in match(block.passage.text, languages):
            yield block, hit


def _allowances(outline: Outline, layout: Passage | None) -> Iterator[Suppression]:
    """The allowances in an outline's comments; with *layout*, places in a value become places in the file."""
    spoken = [comment for comment in outline.comments if comment.text.lstrip().startswith("idempact:")]
    if not spoken:
        return
    blocks = Blocks([_moved(layout, block.start, block.end) for block in outline.blocks])
    for comment in spoken:
        found = read(comment.text, *_moved(layout, comment.start, comment.end), blocks)
        if found is not None:
            yield found


def _moved(layout: Passage | None, start: int, end: int) -> tuple[int, int]:
    return layout.origin(start, end) if layout is not None else (start, end)


def _of_openapi(tree: Tree, languages: Collection[str] | None) -> _Reading:
    text = tree.document.text
    reading = _Reading()
    texts = sorted(descriptions(tree), key=lambda d: d.scalar.start)
    for description in texts:
        _read_description(text, description, languages, reading)
    stretches = [(d.scalar.start, d.scalar.end) for d in texts]
    blocks = Blocks(stretches)
    found = (read(comment, start, end, blocks) for comment, start, end in yaml_comments(text, stretches))
    reading.outer += (suppression for suppression in found if suppression is not None)
    return reading


def _read_description(
    source: str, description: Description, languages: Collection[str] | None, reading: _Reading
) -> None:
    outline = markdown(description.scalar.value)
    hits = list(_hits(outline, languages))
    if not hits and not outline.comments:
        return
    layout = laid_out(source, description.scalar)
    for block, hit in hits:
        start, end = layout.origin(*block.passage.origin(hit.start, hit.end))
        reading.finds.append(_Find(hit, start, end, description.subject))
    reading.inner += _allowances(outline, layout)


def _judged(document: Document, reading: _Reading) -> tuple[Diagnostic, ...]:
    allowances = Allowances(reading.inner, reading.outer)
    found = [_finding(document, find) for find in reading.finds if not _allowed(find, allowances)]
    known = frozenset(rule.id for rule in all_rules())
    remedies = {rule.id: rule.instead for rule in all_rules()}
    for suppression in (*reading.inner, *reading.outer):
        for rule in checked_rules():
            message = rule.fault(suppression, known)
            if message:
                span = document.span(suppression.start, suppression.end)
                found.append(Diagnostic(rule.id, Severity.WARNING, message, span, hint=remedies[rule.id]))
    return in_order(found)


def _allowed(find: _Find, allowances: Allowances) -> bool:
    """Whether an allowance takes the find; an error is never let go (house rule: only warnings can be)."""
    return find.hit.phrase.severity is not Severity.ERROR and allowances.take(find.hit.phrase.id, find.start, find.end)


def _finding(document: Document, find: _Find) -> Diagnostic:
    phrase = find.hit.phrase
    message = phrase.message.replace("{words}", find.hit.words)
    return Diagnostic(
        phrase.id, phrase.severity, message, document.span(find.start, find.end), find.subject, phrase.instead
    )
