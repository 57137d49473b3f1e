"""Rules between the fields of a contract: one module each, found by a scan of this folder.

A module's docstring says what the rule finds, why that matters, and what to do instead. ``RULE`` is its id,
``SEVERITY`` its weight (``OBSERVER`` for an observer, who can't change the API), ``check`` yields the findings of one
case. With ``ONCE`` it runs on the sections above alone, as it looks at the contract as a whole; with ``LAST`` it runs
once, too, on what the others found and what the contract's comments allow. With ``FACTS`` it is about what the API
does, which an observer can only report. Rules of single fields are in the folder ``single``: the reader tells them.

``DEPENDS`` names the fields on whose defaults a finding could rest (``operation.because`` is the field of the operation
that the finding is about): where one of them could not be read, the rule is silent, as its author has been told so.
What is not documented needs no such word, as every rule passes it over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from importlib import import_module

from idempact.contract.allowing import let_go
from idempact.contract.case import Case
from idempact.contract.dotted import Path, parse_dotted
from idempact.contract.doubts import Doubts
from idempact.contract.model.operations import Safety
from idempact.resources.modules import module_names
from idempact.resources.typed import TYPE_CHECKING, TypeAlias, cast
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Diagnostic, Severity, in_order

if TYPE_CHECKING:
    from idempact.contract.model.contract import Contract, Operation
    from idempact.contract.read import Read

Check: TypeAlias = Callable[[Case], Iterator[Diagnostic]]

_SINGLE = "single"
_LOOPED = frozenset({"retry", "errors"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, its severities, its text, and the function that finds."""

    id: str
    severity: Severity
    observer: Severity
    once: bool
    last: bool
    facts: bool
    depends: tuple[Path, ...]
    text: str
    check: Check | None


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by id. Raises TypeError for one that isn't whole."""
    from idempact.contract.rules import single

    told = module_names(single.__path__)
    return tuple(sorted((*_between(), *(_rule(name, single.__name__) for name in told)), key=lambda rule: rule.id))


@cache
def _between() -> tuple[Rule, ...]:
    """Every rule between fields, sorted by id."""
    return tuple(_rule(name, __name__) for name in module_names(__path__) if name != _SINGLE)


def _rule(name: str, home: str) -> Rule:
    module = vars(import_module(f"{home}.{name}"))
    rule, text, severity = (
        f"contract/{name.replace('_', '-')}",
        str(module.get("__doc__") or ""),
        module.get("SEVERITY"),
    )
    reading = home != __name__
    if module.get("RULE") != rule or not isinstance(severity, Severity) or callable(module.get("check")) is reading:
        raise TypeError(f"the rule {name} needs RULE = {rule!r}, SEVERITY, and check() unless the reader tells it")
    if any(f"\n{part}: " not in text for part in ("Why", "Instead", "Source")):
        raise TypeError(f"the rule {name} needs a docstring with Why:, Instead: and Source:")
    observer = cast(Severity, module.get("OBSERVER", severity))
    once, last, facts = (bool(module.get(word)) for word in ("ONCE", "LAST", "FACTS"))
    depends = tuple(parse_dotted(path) for path in cast("tuple[str, ...]", module.get("DEPENDS", ())))
    return Rule(rule, severity, observer, once, last, facts, depends, text, cast("Check | None", module.get("check")))


def check(read: Read, today: date | None = None, told: tuple[Diagnostic, ...] = ()) -> tuple[Diagnostic, ...]:
    """Everything that is wrong between the fields, in order of place; an equal finding of two cases is told once.

    Each rule runs on the sections above, and once for each operation that overrides what the rule could look at. What
    a comment allows for a reason is left out, unless it is an error. *told* is what was wrong in single fields.
    """
    contract = read.contract
    operations = [None, *(op for op in contract.operations if _looked_at(op))]
    doubts = Doubts(read.source) if read.source.unread else None
    found: list[Diagnostic] = []
    for rule in _between():
        if rule.check is None or rule.last:
            continue
        for operation in operations[:1] if rule.once else operations:
            case = _case(read, rule, operation, today, doubts)
            found += (one for one in rule.check(case) if not _doubtful(one, rule, case))
    written = tuple(replace(allowance, used=set()) for allowance in read.source.allowances)
    kept = let_go(found, written, read.source.document)
    for rule in _between():
        if rule.check is not None and rule.last and written:
            case = _case(read, rule, None, today, doubts)
            kept += rule.check(replace(case, allowances=written, found=(*told, *found)))
    return in_order(kept)


def _doubtful(finding: Diagnostic, rule: Rule, case: Case) -> bool:
    """Whether a finding could rest on a field that is missing or could not be read."""
    doubts, operation = case.doubts, case.operation
    if doubts is None:
        return False
    about = parse_dotted(finding.subject)[:2] if finding.subject else ()
    for path in rule.depends:
        if path[0] == "operation":
            path = (*about, *path[1:])
        elif operation is not None and path[0] in operation.overrides:
            own = ("operations", str(operation.key))
            if doubts.merged_into(own, path):
                return True
            path = (*own, *path)
        if doubts.about(path):
            return True
    return False


def _case(read: Read, rule: Rule, operation: Operation | None, today: date | None, doubts: Doubts | None) -> Case:
    contract = read.contract
    severity = rule.observer if contract.observed else rule.severity
    settings = contract.settings if operation is None else operation.settings
    lenient = contract.observed and (rule.facts or severity is not rule.severity)
    return Case(contract, read.source, settings, operation, rule.id, severity, today, lenient, doubts=doubts)


def _looked_at(operation: Operation) -> bool:
    """Whether an operation's overrides count: of one without a key, those of the loop alone do."""
    if operation.safety is Safety.KEYED:
        return bool(operation.overrides)
    return bool(_LOOPED & set(operation.overrides))


def keyed(contract: Contract) -> tuple[Operation, ...]:
    """The operations that take a key."""
    return tuple(op for op in contract.operations if op.safety is Safety.KEYED)
