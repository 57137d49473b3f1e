"""Hold a plan against a file: what is added where, what is there already, and what can't be done yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from idempact.openapi.declared import component_with, declarations, differences, elsewhere
from idempact.openapi.locate import Api, Operation
from idempact.openapi.names import Names
from idempact.openapi.plan import Answer, Component, OperationPlan, Plan
from idempact.openapi.pointers import Path, pointer
from idempact.openapi.wants import APPEND, Gathering, Want
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Alias, Entry, Mapping, Node, Plain

_BEFORE_PARAMETERS = ("requestBody", "responses", "callbacks", "security")
_BEFORE_HEADERS = ("content", "links")


class Woven:
    """The additions for a file, gathered, with everything that there is to say about it."""

    def __init__(self, api: Api, kept: frozenset[str]) -> None:
        self.api = api
        self.gathering = Gathering(api.tree, api.root)
        self.names = Names(api, self.gathering, kept)
        self.kept = kept
        self.notes: list[Diagnostic] = []
        self.counts: Counter[str] = Counter()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found."""
        return (*self.notes, *self.names.diagnostics)

    @property
    def counted(self) -> tuple[tuple[str, int], ...]:
        """How many state-changing operations are of which safety."""
        return tuple(sorted(self.counts.items()))

    def add_root(self, value: dict[str, Plain]) -> None:
        """Put the root extension in, under a name that is free."""
        self._take(Want((self.names.extension((), self.api.root, "the root"),), value), "the root")

    def operation(self, operation: Operation, wanted: OperationPlan) -> None:
        """Everything that one operation gets."""
        if wanted.parameter is not None:
            self._parameter(operation, wanted)
        for answer in wanted.answers:
            self._answer(operation, wanted, answer)
        if wanted.indicator is not None:
            self._indicator(operation, wanted, *wanted.indicator)
        name = self.names.extension(operation.path, operation.node, operation.label)
        if pointer((*operation.path, name)) not in self.kept:
            self._take(Want((*operation.path, name), wanted.extension), operation.label)

    def _take(self, want: Want, subject: str, component: Component | None = None) -> None:
        """Take a want up; with *component*, it becomes a reference to that."""
        refused = self.gathering.refusal(want.path, subject)
        if refused is None and component is not None:
            ref = self.names.ref(component)
            if ref is None:
                return
            want = Want(want.path, {"$ref": ref}, want.before)
        if refused is None:
            self.gathering.take(want)
        else:
            self.notes.append(refused)

    def _say(self, rule: str, severity: Severity, node: Node, subject: str, message: str, hint: str = "") -> None:
        span = self.api.tree.document.span(node.start, min(node.end, node.start + 60))
        self.notes.append(Diagnostic(f"openapi/{rule}", severity, message, span, subject=subject, hint=hint))

    # --- the key ---

    def _parameter(self, operation: Operation, wanted: OperationPlan) -> None:
        parameter = wanted.parameter
        assert parameter is not None
        found = list(declarations(self.api, operation, parameter))
        # Where the contract's own carrier is declared, another one beside it is a second carrier, not a contradiction.
        for declaration in [d for d in found if d.fits(parameter)] or found:
            self.notes += differences(self.api, declaration, parameter, operation.label)
        if found:
            return
        unknown = elsewhere(self.api, operation)
        if unknown is not None:
            message = "this parameter stands outside this file and may be the key, so the key is not added"
            hint = "bundle the file first, or declare the key by hand"
            self._say("unresolved-parameter", Severity.WARNING, unknown, operation.label, message, hint)
            return
        if parameter.carrier not in ("header", "query"):
            message = f"the contract carries the key in the {parameter.carrier}, which is not put into files yet"
            self._say(
                "unsupported-carrier", Severity.WARNING, operation.key, operation.label, message, "declare it by hand"
            )
            return
        want = Want((*operation.path, "parameters", APPEND), None, _BEFORE_PARAMETERS)
        existing = component_with(self.api, parameter)
        if existing is None:
            self._take(want, operation.label, parameter.component)
            return
        ref = "#" + pointer(("components", "parameters", existing))
        self._take(Want(want.path, {"$ref": ref}, want.before), operation.label)

    # --- answers ---

    def _answer(self, operation: Operation, wanted: OperationPlan, answer: Answer) -> None:
        path = (*operation.path, "responses", str(answer.status))
        entries = {entry.key.value: entry for entry in _responses(operation)}
        entry = entries.get(str(answer.status))
        if entry is None:
            self._take(Want(path, None), operation.label, answer.component)
            span = f"{answer.status // 100}XX"
            if span in entries:
                message = f"the response {answer.status} now stands beside {span}, which no longer covers that status"
                self._say("narrowed-range", Severity.NOTE, entries[span].key, operation.label, message)
        elif pointer(path) in self.kept:
            return
        elif not isinstance(entry.value, Mapping) or entry.value.get("$ref") is not None:
            message = (
                f"the response {answer.status} is shared with other operations, so {_codes(answer)} is not added to it"
            )
            hint = "give this operation a response of its own, or add the codes to the shared one by hand"
            self._say("shared-response", Severity.WARNING, entry.value, operation.label, message, hint)
        else:
            self._extend(operation, path, entry, answer)

    def _extend(self, operation: Operation, path: Path, entry: Entry, answer: Answer) -> None:
        """An inline response that is there: it gets the headers and the codes as data; its body is the author's."""
        node = entry.value
        assert isinstance(node, Mapping)
        for name, component in answer.headers:
            self._header(operation, path, node, name, component)
        if answer.codes:
            name = self.names.extension(path, node, operation.label)
            if pointer((*path, name)) not in self.kept:
                self._take(Want((*path, name), {"codes": list(answer.codes)}), operation.label)
        message = (
            f"the response {answer.status} is there already: its description and body don't tell {_codes(answer)} yet"
        )
        hint = "describe the codes there, or remove the response and run again to get a complete one"
        self._say("existing-response", Severity.WARNING, entry.key, operation.label, message, hint)

    def _indicator(self, operation: Operation, wanted: OperationPlan, name: str, component: Component) -> None:
        for entry in _responses(operation):
            status = entry.key.value
            success = status.startswith("2") and len(status) == 3
            if not success and not (status.isdigit() and wanted.replayed(int(status))):
                continue
            path = (*operation.path, "responses", status)
            if isinstance(entry.value, Mapping) and entry.value.get("$ref") is None:
                self._header(operation, path, entry.value, name, component)
            elif success:
                message = (
                    f"the response {status} is shared with other operations, so the header {name} is not added to it"
                )
                hint = "give this operation a response of its own, or add the header to the shared one by hand"
                self._say("shared-response", Severity.WARNING, entry.value, operation.label, message, hint)

    def _header(self, operation: Operation, path: Path, node: Mapping, name: str, component: Component) -> None:
        """One header of an inline response, unless it is there in any letter case (RFC 9110, section 5.1)."""
        headers = node.get("headers")
        if isinstance(headers, Alias):
            headers = headers.target
        there = headers.entries if isinstance(headers, Mapping) else ()
        added = self.gathering.result.owned
        if (
            any(entry.key.value.lower() == name.lower() for entry in there)
            or pointer((*path, "headers", name)) in added
        ):
            return
        self._take(Want((*path, "headers", name), None, _BEFORE_HEADERS), operation.label, component)


def _responses(operation: Operation) -> Iterator[Entry]:
    responses = operation.node.get("responses")
    if isinstance(responses, Alias):
        responses = responses.target
    if isinstance(responses, Mapping):
        yield from responses.entries


def _codes(answer: Answer) -> str:
    return " or ".join(answer.codes) if answer.codes else "its new meaning"


def weave(api: Api, plan: Plan, kept: frozenset[str]) -> Woven:
    """What *plan* adds to *api*. Nodes at the pointers *kept* are ours and edited: they are left and not doubled."""
    woven = Woven(api, kept)
    missing = dict(plan.missing)
    for operation in api.operations:
        wanted = plan.select(operation.method, operation.template, operation.operation_id, operation.tags)
        if isinstance(wanted, OperationPlan):
            missing.pop(wanted.key, None)
        if isinstance(wanted, Diagnostic):
            woven.notes.append(_at(api, operation, wanted))
        elif not operation.changes_state:
            continue
        elif wanted is not None:
            woven.counts[str(wanted.extension.get("safety", "planned"))] += 1
            woven.operation(operation, wanted)
        elif plan.unlisted is not None:
            woven.counts["unlisted"] += 1
            woven.notes.append(_at(api, operation, plan.unlisted(operation.method, operation.template)))
    woven.notes += (_nearest(api, key, finding) for key, finding in missing.items())
    return woven


def _nearest(api: Api, key: str, finding: Diagnostic) -> Diagnostic:
    """The finding for a key that names nothing in the file, with the operation that it may mean."""
    labels = [operation.label for operation in api.operations]
    name = key.rpartition(" ")[2]
    close = [label for label in labels if len(name) > 1 and label.endswith(name)] or get_close_matches(key, labels, 1)
    hint = f"did you mean `{close[0]}`?" if close else "compare the path with those of the file's servers and paths"
    return replace(finding, hint=finding.hint or hint)


def _at(api: Api, operation: Operation, finding: Diagnostic) -> Diagnostic:
    span = api.tree.document.span(operation.key.start, operation.key.end)
    return Diagnostic(
        finding.rule, finding.severity, finding.message, span, operation.label, finding.hint, finding.related
    )
