"""An API's files held against the contract: every operation that may change something, and every contradiction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from idempact.contract.reading import UNKNOWN
from idempact.openapi.addresses import joined
from idempact.openapi.answers import replays, responses
from idempact.openapi.declared import declarations, differences, doubled, parameters
from idempact.openapi.keeping import keep_named_bodies
from idempact.openapi.locate import (
    Api,
    File,
    Opener,
    Operation,
    api_of,
    keep_all,
    keep_named,
)
from idempact.openapi.members import contradiction, may_hold, members
from idempact.openapi.outline import Outline, outline
from idempact.openapi.plan import Answer, KeyParameter, OperationPlan, Plan
from idempact.openapi.pointers import path_of
from idempact.openapi.referred import REF
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order
from idempact.text.nodes import Entry, Keep, Mapping, Node, compose, resolve
from idempact.text.span import Document

UNLISTED = "unlisted"


@dataclass(frozen=True, slots=True)
class Row:
    """One operation of the inventory: what the contract calls it, whether its key is declared, and how many of the
    contract's answers it tells.
    """

    label: str
    safety: str
    declared: bool | None
    told: int
    answers: int
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The inventory, in the order of the document."""

    rows: tuple[Row, ...]

    def count(self, safety: str) -> int:
        """How many operations are of that safety."""
        return sum(row.safety == safety for row in self.rows)


def audit(document: Document, plan: Plan, opener: Opener | None = None) -> Checked[Audit]:
    """Every state-changing operation of *document*, and every place where it contradicts the contract."""
    bodies = may_hold(document.text, plan.names, followed=opener is not None)
    wanted = keep_named_bodies if bodies else keep_named
    found, short = _read(document, opener, wanted)
    if found.value is not None and found.value.astray:
        found, short = _read(document, opener, keep_all)
    if found.value is None:
        return Checked(None, found.diagnostics)
    run = _Audit(found.value, plan, short.filled if short is not None else lambda text: text)
    rows = tuple(run.rows())
    diagnostics = (*found.diagnostics, *run.notes)
    if short is not None:
        diagnostics = short.relocated(diagnostics)
        rows = tuple(
            replace(row, line=line) for row, line in zip(rows, _lines(short.relocated(run.places)), strict=True)
        )
    return Checked(Audit(rows), in_order(diagnostics))


def _read(document: Document, opener: Opener | None, wanted: Keep) -> tuple[Checked[Api], Outline | None]:
    """What is *wanted* of the document, by its outline where that does."""
    short = outline(document, wanted)
    tree = compose(short.document if short is not None else document, wanted)
    if short is not None and (tree.value is None or not short.holds(tree.value.root) or not short.sound()):
        short, tree = None, compose(document, wanted)
    if tree.value is None:
        return Checked(None, tree.diagnostics), short
    found = api_of(tree.value, opener, wanted)
    return Checked(found.value, (*tree.diagnostics, *found.diagnostics)), short


def _lines(places: tuple[Diagnostic, ...]) -> Iterator[int]:
    for place in places:
        yield place.span.line if place.span is not None else 0


class _Audit:
    def __init__(self, api: Api, plan: Plan, filled: Callable[[str], str]) -> None:
        self.api, self.plan, self.filled = api, plan, filled
        self.notes: list[Diagnostic] = []
        self.places: list[Diagnostic] = []
        self.differences: set[Diagnostic] = set()

    def rows(self) -> Iterator[Row]:
        """The inventory; what is found on the way is noted."""
        missing = dict(self.plan.missing)
        for operation in self.api.operations:
            wanted = self.plan.select(operation.method, operation.template, operation.operation_id, operation.tags)
            if isinstance(wanted, OperationPlan):
                missing.pop(wanted.key, None)
            if isinstance(wanted, Diagnostic):
                self._note(operation, operation.key, wanted.rule.partition("/")[2], wanted.severity, wanted.message)
            elif not operation.changes_state:
                self._keyless(operation, "a reading method needs no key")
            else:
                yield self._row(operation, wanted)
        self.notes += missing.values()

    def _row(self, operation: Operation, wanted: OperationPlan | None) -> Row:
        span = operation.file.document.span(operation.key.start, operation.key.end)
        self.places.append(Diagnostic("openapi/place", Severity.NOTE, "", span))
        row = Row(operation.label, UNLISTED, None, 0, 0, span.path, span.line)
        if wanted is None:
            if self.plan.unlisted is not None:
                finding = self.plan.unlisted(operation.method, operation.template)
                self.notes.append(replace(finding, span=span, subject=operation.label))
            return row
        row = replace(row, safety=str(wanted.extension.get("safety", "planned")))
        if wanted.parameter is None and not wanted.answers:
            said = f"calls this operation {row.safety}"
            if row.safety == UNKNOWN:
                said = "doesn't say whether a repeat of this operation is safe"
            self._keyless(operation, f"the contract {said}")
            return row
        declared = self._declared(operation, wanted, wanted.parameter) if wanted.parameter is not None else None
        self._beside(operation, wanted)
        told = sum(self._told(operation, answer) for answer in wanted.answers)
        if wanted.indicator is not None:
            self._indicator(operation, wanted, wanted.indicator[0])
        return replace(row, declared=declared, told=told, answers=len(wanted.answers))

    def _note(
        self, operation: Operation, node: Node, rule: str, severity: Severity, message: str, file: File | None = None
    ) -> None:
        span = (file or operation.file).document.span(node.start, min(node.end, node.start + 60))
        hint = _HINTS.get(rule, "")
        self.notes.append(Diagnostic(f"openapi/{rule}", severity, message, span, operation.label, hint))

    # --- the key ---

    def _keyless(self, operation: Operation, why: str) -> None:
        """A key where none belongs."""
        for found in declarations(self.api, operation, None):
            message = f"{operation.label} declares the key {found.name}, and {why}"
            self._note(operation, found.use, "needless-key", Severity.WARNING, message, found.user)

    def _differs(self, finding: Diagnostic) -> None:
        """Note what a declaration says otherwise: once, under the first operation that refers to it."""
        nameless = replace(finding, subject="")
        if nameless not in self.differences:
            self.differences.add(nameless)
            self.notes.append(finding)

    def _declared(self, operation: Operation, plan: OperationPlan, wanted: KeyParameter) -> bool | None:
        """Whether the key is declared; none where OpenAPI has no place for its carrier."""
        found = list(declarations(self.api, operation, wanted))
        self.notes += doubled(found, wanted, operation.label)
        for declaration in [d for d in found if d.fits(wanted)] or found:
            for one in differences(self.api, declaration, wanted, operation.label):
                self._differs(one.finding)
        if not found and wanted.carrier == "body":
            return self._member(operation, wanted)
        if not found and (inside := tuple(members(self.api, operation, plan))):
            for member in inside:
                self._differs(contradiction(member, wanted, operation.label))
            return True
        if not found and wanted.carrier not in ("header", "query"):
            return None
        if not found:
            message = f"{operation.label} doesn't declare the key {wanted.name} in the {wanted.carrier}"
            self._note(operation, operation.key, "missing-declaration", Severity.WARNING, message)
        return bool(found)

    def _beside(self, operation: Operation, wanted: OperationPlan) -> None:
        """What travels beside the key: its other carriers, the first attempt's time."""
        for other in wanted.others:
            if other.carrier == "body":
                self._member(operation, other)
            elif not any(found.fits(other) for found in parameters(self.api, operation)):
                message = (
                    f"{operation.label} doesn't declare {other.name} in the {other.carrier}, which may carry the key"
                )
                if other.window is None:
                    message = f"{operation.label} doesn't declare {other.name} in the {other.carrier}"
                self._note(operation, operation.key, "missing-declaration", Severity.WARNING, message)

    def _member(self, operation: Operation, wanted: KeyParameter) -> bool:
        """Whether the body's schema, or one that it refers to, names the key's member."""
        body = operation.node.get("requestBody")
        name = path_of(wanted.name)[-1] if wanted.name.startswith("/") else wanted.name
        there = body is not None and _names(self._text(operation.file, body, set()), name)
        if not there:
            message = f"{operation.label} has no member {wanted.name} for the key in its body"
            self._note(operation, body or operation.key, "missing-declaration", Severity.WARNING, message)
        return there

    # --- answers ---

    def _told(self, operation: Operation, answer: Answer) -> bool:
        """Whether an answer is told, with its codes and its wait."""
        entry = next((e for e in responses(operation) if e.key.value == str(answer.status)), None)
        if entry is None:
            codes = f" ({', '.join(answer.codes)})" if answer.codes else ""
            message = f"{operation.label} doesn't tell that it may answer {answer.status}{codes}"
            self._note(operation, operation.key, "missing-answer", Severity.WARNING, message)
            return False
        text = self._text(operation.file, entry.value, set())
        lacking = [code for code in answer.codes if not _names(text, code)]
        if lacking:
            message = f"the response {answer.status} doesn't tell the code {' or '.join(lacking)}"
            self._note(operation, entry.key, "missing-code", Severity.WARNING, message)
        names = self._headers(operation, entry)
        for name, _ in answer.headers:
            if name.lower() not in names:
                message = f"the response {answer.status} has no {name}, which the contract's answer carries"
                self._note(operation, entry.key, "missing-wait", Severity.WARNING, message)
        return not lacking

    def _indicator(self, operation: Operation, wanted: OperationPlan, name: str) -> None:
        refusals = {str(answer.status) for answer in wanted.answers}
        for entry in responses(operation):
            status = entry.key.value
            if not replays(wanted, status) or (status in refusals and not status.startswith("2")):
                continue
            if name.lower() not in self._headers(operation, entry):
                message = f"the response {entry.key.value} doesn't declare {name}, which tells a repeat's answer"
                self._note(operation, entry.key, "missing-indicator", Severity.WARNING, message)

    def _headers(self, operation: Operation, entry: Entry) -> set[str]:
        target = self.api.follow(operation.file, entry.value)
        headers = target.node.get("headers") if target is not None and isinstance(target.node, Mapping) else None
        headers = resolve(headers) if headers is not None else None
        return {e.key.value.lower() for e in headers.entries} if isinstance(headers, Mapping) else set()

    def _text(self, file: File, node: Node, seen: set[tuple[str, str]]) -> str:
        """What is written at *node* and at everything that it refers to, as it stands in the files."""
        node = resolve(node)
        text = self.filled(file.document.text[node.start : node.end])
        parts = [text]
        for ref in dict.fromkeys(REF.findall(text)):
            name, _, fragment = ref.partition("#")
            where = self.api.file(joined(file.name, name)) if name and "://" not in ref else file if not name else None
            if where is None or (where.name, fragment) in seen:
                continue
            seen.add((where.name, fragment))
            target = where.at(path_of(fragment))
            if target is not None:
                parts.append(self._text(where, target, seen))
        return "\n".join(parts)


_HINTS = {
    "needless-key": "drop the parameter, or call the operation keyed in the contract",
    "missing-declaration": "`idempact inject` declares it",
    "missing-answer": "`idempact inject` adds the response",
    "missing-code": "`idempact inject` adds it where the body has room (--copy-shared for a shared response)",
    "missing-wait": "`idempact inject` declares the header (--copy-shared for a shared response)",
    "missing-indicator": "`idempact inject` declares the header (--copy-shared for a shared response)",
    "ambiguous-operation": "name the operation itself in the contract, or drop one of the keys",
}


def _names(text: str, word: str) -> bool:
    """Whether *text* holds *word* and not only as a part of a longer one."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
