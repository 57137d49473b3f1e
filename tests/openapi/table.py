"""A table of what an injection does to each file of ``../shared/specs`` and to the small files of these tests.

Run it with ``make table``. It fails where a second run changes something, where an ejection doesn't give every byte
back, where the validator finds something new, or where a branch of the injector appears in no file.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from idempact.cli.inject import opener_of, planned
from idempact.openapi import validate
from idempact.openapi.audit import audit
from idempact.openapi.inject import eject, inject
from idempact.openapi.injected import Injected
from idempact.openapi.locate import Opener
from idempact.openapi.openers import overlaid
from idempact.openapi.plan import Plan, Wishes
from idempact.openapi.vendors import NAMES
from idempact.text.diagnostic import Diagnostic
from idempact.text.nodes import decode
from idempact.text.span import Document

HERE = Path(__file__).parent
SPECS = HERE.parents[2] / "shared" / "specs"
LARGEST = 100_000
PLAIN, FULL = Wishes(), Wishes(copy_shared=True, adopt=True)


@dataclass
class Run:
    """One file with one contract: before and after, and what was told on the way."""

    document: Document
    opener: Opener | None
    plan: Plan
    wishes: Wishes
    seconds: float = 0.0
    findings: tuple[Diagnostic, ...] = ()
    value: Injected | None = None
    same: bool = False
    back: bool = False
    new: int = -1
    known: int = -1
    texts: dict[str, str] = field(default_factory=dict)

    def go(self) -> Run:
        """Inject, inject again, eject."""
        began = time.perf_counter()
        found = inject(self.document, self.plan, wishes=self.wishes, opener=self.opener)
        self.seconds, self.findings, self.value = time.perf_counter() - began, found.diagnostics, found.value
        if found.value is None:
            return self
        self.texts = {name: one.after for name, one in found.value.others}
        after, opener = Document(self.document.path, found.value.after), overlaid(self.opener, self.texts)
        again = inject(after, self.plan, wishes=self.wishes, opener=opener).value
        self.same = again is not None and not again.changed
        gone = eject(after, opener=opener).value
        self.back = gone is not None and gone.after == self.document.text and all(map(self._as_was, gone.others))
        return self

    def _as_was(self, other: tuple[str, Injected]) -> bool:
        read = self.opener(other[0]).value if self.opener is not None else None
        return read is not None and read.text == other[1].after

    def check(self) -> Run:
        """Ask openapi-spec-validator about both."""
        if self.value is not None:
            after = Document(self.document.path, self.value.after)
            known, new = validate.compared(self.document, after, self.opener, self.texts)
            self.known, self.new = known, len(new)
        return self

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each file's text before and after."""
        if self.value is None:
            return []
        return [(one.before, one.after) for one in (self.value, *(one for _, one in self.value.others))]

    @property
    def inserted(self) -> int:
        """How many bytes more there are."""
        return sum(len(after.encode()) - len(before.encode()) for before, after in self.pairs)

    @property
    def removed(self) -> int:
        """How many lines are not there any more as they were: those that gain a comma, or hold a replaced value."""
        lost = 0
        for before, after in self.pairs:
            left = Counter(after.splitlines())
            for line in before.splitlines():
                left[line] -= 1
                lost += left[line] < 0
        return lost

    def owns(self, *parts: str) -> bool:
        """Whether some pointer of what is ours has all these parts."""
        if self.value is None:
            return False
        owned = [*self.value.owned, *(at for _, one in self.value.others for at in one.owned)]
        return any(all(part in at for part in parts) for at in owned)

    def tells(self, rule: str, words: str = "") -> bool:
        """Whether there is such a finding."""
        return any(d.rule == f"openapi/{rule}" and words in d.message for d in self.findings)


# The branches of the design, each with how a run shows that it went that way.
BRANCHES: dict[str, Callable[[Run], bool]] = {
    "parameter by reference": lambda r: r.owns("/paths/", "/parameters/"),
    "response by reference": lambda r: r.owns("/paths/", "/responses/4"),
    "replay header on a success": lambda r: r.owns("/responses/2", "/headers/"),
    "replay header on a failure": lambda r: r.owns("/paths/", "/responses/4", "/headers/Idempotent-Replayed"),
    "Retry-After on a response that is there": lambda r: r.owns("/paths/", "/headers/Retry-After"),
    "codes into a compatible body": lambda r: r.owns("/enum/"),
    "examples into a compatible body": lambda r: r.owns("/paths/", "/examples/"),
    "a body for a response without one": lambda r: r.owns("/paths/", "/responses/4", "/content/"),
    "codes beside a body of another form": lambda r: r.owns("/responses/4", "/x-idempotency"),
    "shared response told": lambda r: r.tells("shared-response"),
    "shared response copied": lambda r: r.owns("/components/responses/", "Replayed") and r.wishes.copy_shared,
    "range narrowed": lambda r: r.tells("narrowed-range"),
    "declared key: another length": lambda r: r.tells("different-declaration", "maxLength"),
    "declared key: required or not": lambda r: r.tells("different-declaration", "by the contract"),
    "declared key: another window": lambda r: r.tells("different-declaration", "window"),
    "declared key: another name": lambda r: r.tells("different-declaration", "the contract calls it"),
    "declared key: in the body": lambda r: r.tells("different-declaration", "in: body"),
    "declaration adopted": lambda r: r.wishes.adopt and _adopted(r),
    "key in the query": lambda r: _has(r, "in: query") or _has(r, '"in": "query"') or _has(r, 'in": "query'),
    "key in the body: a member": lambda r: r.owns("/requestBody/", "/properties/order_key"),
    "key in the body: shared schema told": lambda r: r.tells("shared-body"),
    "key in the body: shared schema copied": lambda r: r.owns("/components/schemas/", "WithKey"),
    "x-codeSamples": lambda r: r.owns("/x-codeSamples"),
    "x-speakeasy-retries": lambda r: r.owns("/x-speakeasy-retries"),
    "x-fern-retries and -idempotent": lambda r: r.owns("/x-fern-"),
    "a name that is taken": lambda r: r.tells("taken-name"),
    "an anchor or merge in the way": lambda r: r.tells("indirect-container"),
    "natural or unsafe: only the reason": lambda r: (
        r.value is not None and not {"natural", "unsafe"}.isdisjoint(dict(r.value.counts))
    ),
    "an operation of another file": lambda r: r.value is not None and any(o.changed for _, o in r.value.others),
    "additionalOperations": lambda r: r.owns("/additionalOperations/"),
    "JSON": lambda r: r.document.text.lstrip("\ufeff")[:1] == "{",
    "CRLF": lambda r: "\r\n" in r.document.text,
    "byte-order mark": lambda r: r.document.text.startswith("\ufeff"),
    "no last line break": lambda r: not r.document.text.endswith("\n"),
    "status keys bare": lambda r: _has(r, "\n        400:\n"),
    "status keys in single quotes": lambda r: _has(r, "'400':"),
    "status keys in double quotes": lambda r: _has(r, '"400":') and not BRANCHES["JSON"](r),
}


def _adopted(run: Run) -> bool:
    record = run.value.record if run.value is not None else None
    return any("/parameters/" in at and not at.endswith("/$ref") for at in _replaced(record))


def _replaced(record: object) -> Iterator[str]:
    owner = record.get("generated_by") if isinstance(record, dict) else None
    shares = [owner, *owner.get("files", {}).values()] if isinstance(owner, dict) else []
    for share in shares:
        yield from share.get("replaced", {})


def _has(run: Run, text: str) -> bool:
    return run.value is not None and run.value.after.count(text) > run.value.before.count(text)


def _files() -> Iterator[Path]:
    for path in sorted(SPECS.iterdir()) if SPECS.is_dir() else ():
        if path.suffix in (".yaml", ".yml", ".json"):
            yield path
    if (SPECS / "conekta-multifile" / "api.yaml").is_file():
        yield SPECS / "conekta-multifile" / "api.yaml"
    yield from sorted(HERE.glob("*/before.*"))


KEY = "key: {name: Idempotency-Key, "
# The same contract with its key elsewhere, and with other tools' extensions: for the branches that depend on that.
OTHERS = {
    KEY.replace("name: Idempotency-Key", "in: query, name: order_key"): (),
    KEY.replace("name: Idempotency-Key", "in: body, name: order_key"): tuple(NAMES),
}


def _plans() -> Iterator[Plan]:
    """The plan of the contract that keys every write, then those of its variants."""
    text = (HERE / "contracts" / "every-write.yaml").read_text(encoding="utf-8")
    assert text.count(KEY) == 1
    with TemporaryDirectory() as folder:
        path = Path(folder) / "contract.yaml"
        for key, extras in {KEY: (), **OTHERS}.items():
            path.write_text(text.replace(KEY, key), encoding="utf-8")
            found = planned(str(path), {}, extras)
            assert found.value is not None, found.diagnostics
            yield found.value


def _row(path: Path, plan: Plan, others: list[Plan]) -> tuple[list[object], set[str], bool]:
    document = decode(path.name, path.read_bytes()).value
    assert document is not None
    opener = opener_of(str(path), {})
    plain, full = (Run(document, opener, plan, wishes).go() for wishes in (PLAIN, FULL))
    plain.check(), full.check()
    # Whole loops at each operation make a long file ten times as long.
    asked = others if len(document.text) < LARGEST else []
    more = [Run(document, opener, other, wishes).go() for other in asked for wishes in (PLAIN, FULL)]
    rows = audit(document, plan, opener).value
    inventory = rows.rows if rows is not None else ()
    went = {name for name, shows in BRANCHES.items() if any(map(shows, (plain, full, *more)))}
    fine = all(run.same and run.back and run.new <= 0 for run in (plain, full, *more))
    name = f"{path.parent.name}/{path.name}" if path.parent != SPECS else path.name
    cells: list[object] = [name, len(inventory), sum(row.safety == "keyed" for row in inventory)]
    cells += [sum(row.declared is True for row in inventory), f"{plain.inserted:,}", f"{full.inserted:,}"]
    cells += [plain.removed, full.removed, *("same" if all(of) else "DIFFERS" for of in _of(plain, full))]
    cells += ["not asked" if plain.known < 0 else f"{plain.known} + {max(plain.new, full.new)}", f"{plain.seconds:.2f}"]
    return [*cells, len(went)], went, fine


def _of(plain: Run, full: Run) -> Iterator[tuple[bool, bool]]:
    yield plain.same, full.same
    yield plain.back, full.back


HEAD = (
    *("file", "may change", "keyed", "declared", "bytes", "bytes, copies", "lines", "lines, copies", "second run"),
    *("eject", "validator", "seconds", "branches"),
)


def main() -> int:
    """Print the table; 1 where something is not as promised."""
    gc.disable()
    plan, *others = _plans()
    print("| " + " | ".join(HEAD) + " |\n|---" + "|--:" * (len(HEAD) - 1) + "|")
    shown: dict[str, list[str]] = {name: [] for name in BRANCHES}
    wrong: list[str] = []
    for path in _files():
        cells, went, fine = _row(path, plan, others)
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        for name in went:
            shown[name].append(str(cells[0]))
        if not fine:
            wrong.append(str(cells[0]))
        gc.collect()
    print("\n| branch | files | for instance |\n|---|--:|---|")
    for name, files in shown.items():
        print(f"| {name} | {len(files)} | {files[0] if files else 'NONE'} |")
    unseen = [name for name, files in shown.items() if not files]
    for name in (*wrong, *unseen):
        print(f"not as promised, or not seen: {name}", file=sys.stderr)
    return 1 if wrong or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
