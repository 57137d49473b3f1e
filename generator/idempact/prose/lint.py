"""Documents judged: prose in any of our kinds, the texts of OpenAPI documents and JSON Schemas, and code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from idempact.prose.blocks import Block, Interest, Outline, Scope, markdown
from idempact.prose.code import Code, CodeRule, code_rules
from idempact.prose.denied import Denials, level_of
from idempact.prose.descriptions import METHODS, Description, descriptions, is_read
from idempact.prose.finding import Finding
from idempact.prose.glance import PROMISING, interest
from idempact.prose.kinds import kind_of
from idempact.prose.passage import OPAQUE, Passage
from idempact.prose.rows import cells
from idempact.prose.rules import CheckedRule, checked_rules
from idempact.prose.scalars import laid_out
from idempact.prose.suppress import Allowances, Blocks, Suppression, read, yaml_comments
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic, Severity, in_order
from idempact.text.nodes import Tree, compose
from idempact.text.span import Document
from idempact.wording.fold import unmarked
from idempact.wording.match import Hit, match
from idempact.wording.measure import measures

# What only a contract, a comment or a find needs is imported there: it takes longer than most files do.
if TYPE_CHECKING:
    from idempact.facts.derive import Facts
    from idempact.prose.drift import DriftRule
    from idempact.prose.statement import Context

_TREES = (".yaml", ".yml", ".json")
_OPENING = re.compile(r"\ufeff?[\s{\"']*+(?:openapi|swagger)[\"']?\s*+:")
# What the parts of an OpenAPI document that lie in files of their own have, as keys.
_OF_A_PART = re.compile(r"\b(?:responses|schema|properties|content)[\"']?[ \t]*+:")

_HEAD, _TAIL = 60, 30
_RETRIES = "prose/retry-forever"
_LONGEST_QUOTE = _HEAD + len(" … ") + _TAIL
"""How many characters of a finding its message quotes; the place tells the rest."""


def lint(
    document: Document, languages: Collection[str] | None = None, facts: Facts | None = None, *, part: bool = False
) -> tuple[Diagnostic, ...]:
    """Every finding in a document, in order of place. Total: any text gets an answer, never an exception.

    The name tells the kind, by its suffix; YAML and JSON are judged where they are OpenAPI documents or JSON Schemas,
    and a broken one gets the reader's findings where it says that it is one. What has another name, or none, is judged
    as OpenAPI where it reads as that, else as Markdown. With *facts*, prose is compared with the contract. A *part* is
    a file that an OpenAPI document refers to: it is judged as one, whatever stands at its top.
    """
    found = findings(document, languages, facts, part=part)
    if found and isinstance(found[0], Diagnostic):
        return tuple(f for f in found if isinstance(f, Diagnostic))
    return in_order(_told(document, f) for f in found if isinstance(f, Finding))


def findings(
    document: Document, languages: Collection[str] | None = None, facts: Facts | None = None, *, part: bool = False
) -> tuple[Finding, ...] | tuple[Diagnostic, ...]:
    """What :func:`lint` tells, with the replacements that are safe; or what keeps the document from being read."""
    name = document.path.lower()
    asked = _Asked(languages, _context(facts) if facts is not None else None)
    if part:
        checked = compose(document)
        return _judged(_of_tree(checked.value, asked), asked) if checked.value is not None else checked.diagnostics
    kind = kind_of(name)
    if kind is not None and kind.name == "commonmark":
        return _judged(_of_outline(markdown(document.text, _keep(document.text, asked)), document.text, asked), asked)
    if kind is not None:
        return _judged(_of_outline(kind.outline(document.text), document.text, asked), asked)
    tree = name.endswith(_TREES)
    named = _names_itself(document.text)
    if not named and not (tree and _OF_A_PART.search(document.text)):
        return () if tree else _judged(_of_outline(markdown(document.text), document.text, asked), asked)
    checked = compose(document)
    if checked.value is None and ((tree and named) or _OPENING.match(document.text)):
        return checked.diagnostics
    if checked.value is not None and is_read(checked.value.root):
        return _judged(_of_tree(checked.value, asked), asked)
    return () if tree else _judged(_of_outline(markdown(document.text), document.text, asked), asked)


def _names_itself(text: str) -> bool:
    """Whether a text could say that it is an OpenAPI document or a JSON Schema."""
    return "openapi" in text or "swagger" in text or "$schema" in text


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for: the languages (all where none are named), and the contract to compare with, if any."""

    languages: Collection[str] | None
    context: Context | None


def _context(facts: Facts, names: tuple[str, ...] = (), header: str = "", status: str = "") -> Context:
    from idempact.prose.statement import Context

    return Context(facts, names, header=header.casefold(), status=status)


def _keep(text: str, asked: _Asked) -> Interest | None:
    """What is to be read: where a phrase can stand, or code of ours; all, where a contract or a comment speaks."""
    return None if asked.context is not None or "idempact:" in text else interest(text, asked.languages)


@dataclass(slots=True)
class _Reading:
    """What was found in a document, before allowances are counted."""

    finds: list[Finding] = field(default_factory=list)
    inner: list[Suppression] = field(default_factory=list)
    """Allowances for the paragraphs of texts."""
    outer: list[Suppression] = field(default_factory=list)
    """Allowances for whole texts."""


def _of_outline(outline: Outline, text: str, asked: _Asked) -> _Reading:
    found = [*_in_prose(outline, text, asked), *(f for code in outline.code for f in _in_code(code))]
    return _Reading(found, list(_allowances(outline, None)))


def _in_prose(outline: Outline, text: str, asked: _Asked, subject: str = "") -> Iterator[Finding]:
    """The findings in an outline's blocks, with their places in *text*."""
    headings: list[tuple[int, Context]] = [(0, asked.context)] if asked.context is not None else []
    denials = Denials(text, outline)
    for block in outline.blocks:
        yield from _phrases(block, denials, asked, subject or str(block.scope))
        if not headings:
            continue
        if block.scope is Scope.HEADING:
            level = level_of(text, block.start)
            while headings[-1][0] >= level:
                headings.pop()
            headings.append((level, headings[-1][1].under(block.with_code().text)))
        yield from _disagreements(block, headings[-1][1], subject or str(block.scope))


def _phrases(block: Block, denials: Denials, asked: _Asked, subject: str) -> Iterator[Finding]:
    for hit in match(block.passage.text, asked.languages):
        if denials.denies(block, hit.start) or _is_settled(hit, asked):
            continue
        phrase = hit.phrase
        message = phrase.message.replace("{words}", _quoted(block.passage.text[hit.start : hit.end]))
        place = block.passage.origin(hit.start, hit.end)
        yield Finding(phrase.id, phrase.severity, message, *place, subject, phrase.instead)


def _quoted(words: str) -> str:
    """What the author wrote, as its reader sees it; of a long stretch the two ends."""
    line = unmarked(words.replace(OPAQUE, "…"))
    return line if len(line) <= _LONGEST_QUOTE else f"{line[:_HEAD].rstrip()} … {line[-_TAIL:].lstrip()}"


def _is_settled(hit: Hit, asked: _Asked) -> bool:
    """Whether words only say that keys are kept for good, which a contract may promise: prose/drift-window judges it.

    Without a contract that is no advice to retry for ever; what another rule has to say of it is told.
    """
    if asked.context is None and hit.phrase.id != _RETRIES:
        return False
    return any(tongue.endless is not None and tongue.endless.search(hit.words) for tongue in measures())


def _disagreements(block: Block, context: Context, subject: str) -> Iterator[Finding]:
    prose = block.with_code()
    found = list(_in_sentences(prose, context, subject))
    own = context.within(prose.text) if block.head is not None else context
    for cell in cells(block, prose):
        inside = cell.passage.origin(cell.begin, cell.begin + 1)[0]
        found += (f for f in _in_sentences(cell.passage, own, subject) if f.start >= inside and f.end > f.start)
    places: set[tuple[str, int, int]] = set()
    for one in found:
        place = one.rule, one.start, one.end
        if place not in places:
            places.add(place)
            yield one


def _in_sentences(prose: Passage, context: Context, subject: str) -> Iterator[Finding]:
    from idempact.prose.drift import drift_rules

    for statement in context.statements(prose.text):
        if not statement.tongues:
            continue
        for rule in drift_rules():
            for found in rule.find(statement):
                if statement.quotes(found.start, found.end):
                    continue
                inner = statement.paragraph.origin(statement.start + found.start, statement.start + found.end)
                start, end = prose.origin(*inner)
                yield Finding(
                    rule.id,
                    Severity.WARNING,
                    found.message,
                    start,
                    end,
                    subject,
                    _instead(rule),
                    found.replacement if end - start == inner[1] - inner[0] else None,
                )


def _in_code(code: Code) -> Iterator[Finding]:
    if not PROMISING.search(code.text):
        return
    for rule in code_rules():
        for fault in rule.find(code):
            start, end = code.place(fault.start, fault.end)
            yield Finding(rule.id, Severity.WARNING, fault.message, start, end, "code", _instead(rule))


def _instead(rule: CheckedRule | DriftRule | CodeRule) -> str:
    from idempact.prose.catalog import of_module

    return of_module(rule).instead


def _allowances(outline: Outline, layout: Passage | None) -> Iterator[Suppression]:
    """The allowances in an outline's comments; with *layout*, places in a value become places in the file."""
    spoken = [comment for comment in outline.comments if comment.text.lstrip().startswith("idempact:")]
    if not spoken:
        return
    stretches = sorted([*((b.start, b.end) for b in outline.blocks), *((c.start, c.end) for c in outline.code)])
    blocks = Blocks([_moved(layout, start, end) for start, end in stretches])
    for comment in spoken:
        found = read(comment.text, *_moved(layout, comment.start, comment.end), blocks)
        if found is not None:
            yield found


def _moved(layout: Passage | None, start: int, end: int) -> tuple[int, int]:
    return layout.origin(start, end) if layout is not None else (start, end)


def _of_tree(tree: Tree, asked: _Asked) -> _Reading:
    text = tree.document.text
    reading = _Reading()
    texts = sorted(descriptions(tree), key=lambda d: d.scalar.start)
    for description in texts:
        _read_description(text, description, _about(description, asked), reading)
    stretches = [(d.scalar.start, d.scalar.end) for d in texts]
    blocks = Blocks(stretches)
    found = (read(comment, start, end, blocks) for comment, start, end in yaml_comments(text, stretches))
    reading.outer += (suppression for suppression in found if suppression is not None)
    return reading


def _about(description: Description, asked: _Asked) -> _Asked:
    """The contract's operations, the header and the status that a description of an OpenAPI document is about."""
    path = description.path
    if asked.context is None:
        return asked
    facts = asked.context.facts
    names: tuple[str, ...] = ()
    if len(path) >= 3 and path[0] == "paths" and path[2] in METHODS:
        names = tuple(op.name for op in facts.match(path[2].upper(), path[1]) if op.keyed)
    return _Asked(asked.languages, _context(facts, names, description.header, description.status))


def _read_description(source: str, description: Description, asked: _Asked, reading: _Reading) -> None:
    value = description.scalar.value
    outline = markdown(value)
    found = [
        *_in_prose(outline, value, asked, description.subject),
        *(f for code in outline.code for f in _in_code(code)),
    ]
    if not found and not outline.comments:
        return
    layout = laid_out(source, description.scalar)
    for one in found:
        start, end = layout.origin(one.start, one.end)
        fits = source[start:end] == value[one.start : one.end]
        replacement = one.replacement if fits else None
        reading.finds.append(
            Finding(one.rule, one.severity, one.message, start, end, description.subject, one.hint, replacement)
        )
    reading.inner += _allowances(outline, layout)


def _judged(reading: _Reading, asked: _Asked) -> tuple[Finding, ...]:
    allowances = Allowances(reading.inner, reading.outer)
    found = [find for find in reading.finds if not _allowed(find, allowances)]
    spoken = [*reading.inner, *reading.outer]
    if spoken:
        found += _about_allowances(spoken, asked)
    return tuple(sorted(found, key=lambda f: (f.start, f.end, f.rule)))


def _about_allowances(spoken: Iterable[Suppression], asked: _Asked) -> Iterator[Finding]:
    """What is wrong with the allowances that were made; those of rules that compare wait for a contract."""
    from idempact.prose.catalog import rule_ids
    from idempact.prose.drift import drift_rules

    asleep = frozenset() if asked.context is not None else frozenset(rule.id for rule in drift_rules())
    for suppression in spoken:
        suppression.used |= asleep
        for rule in checked_rules():
            message = rule.fault(suppression, rule_ids())
            if message:
                place = suppression.start, suppression.end
                yield Finding(rule.id, Severity.WARNING, message, *place, hint=_instead(rule))


def _allowed(find: Finding, allowances: Allowances) -> bool:
    """Whether an allowance takes the find; an error is never let go (house rule: only warnings can be)."""
    return find.severity is not Severity.ERROR and allowances.take(find.rule, find.start, find.end)


def _told(document: Document, find: Finding) -> Diagnostic:
    span = document.span(find.start, find.end)
    return Diagnostic(find.rule, find.severity, find.message, span, find.subject, find.hint)
