"""The promise on every file in ``../shared/specs``: keys on each POST and PATCH, hostile words, a changed contract.

Large files run with one contract; ``EVERY_FILE=1`` runs them with all, and has another reader and the validator
read them.
"""

from __future__ import annotations

import gc
import hashlib
import os
from pathlib import Path

import pytest

from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.openapi.validate import compared
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import decode
from idempact.text.span import Document

EVERY = os.environ.get("EVERY_FILE") == "1"
LARGE = ("plaid.yml", "asana-sdk.yaml", "mollie.yaml", "lob-bundled.yml", "modern-treasury.yaml")
SMALL = (
    "adyen-checkout-v66.json",
    "cafe-oas32.yaml",
    "codat-sync-payables.yaml",
    "mercadopago.yaml",
    "obuk-vrp-crlf.yaml",
    "openbanking-brasil-payments.yml",
    "resend.json",
    "resend.yaml",
    "conekta-multifile/api.yaml",
)
FULL = Wishes(copy_shared=True, adopt=True)
RUNS = [
    *(
        (name, contract, wishes)
        for name in SMALL
        for contract, wishes in (("every-write", Wishes()), ("hostile", FULL))
    ),
    *((name, "every-write", Wishes()) for name in LARGE),
    *((name, "hostile", FULL) for name in LARGE if EVERY),
]


class Folder:
    """The files of one API as they become, the root document among them."""

    def __init__(self, root: Path, texts: dict[str, str] | None = None) -> None:
        self.root, self.texts = root, texts or {}
        self.read: dict[str, str] = {}

    def open(self, name: str) -> Checked[Document]:
        path = self.root.parent / name
        if name not in self.texts and not path.is_file():
            return Checked(None, (Diagnostic("text/unreadable-file", Severity.ERROR, "not there", None),))
        self.read[name] = self.texts.get(name) or path.read_bytes().decode()
        return Checked(Document(name, self.read[name]))

    @property
    def document(self) -> Document:
        text = self.texts.get("") or decode(self.root.name, self.root.read_bytes()).value.text
        return Document(self.root.name, text)

    def inject(self, plan, wishes):
        found = inject(self.document, plan, wishes=wishes, opener=self.open)
        assert found.value is not None, found.diagnostics
        return self._with(found.value), found

    def eject(self):
        found = eject(self.document, opener=self.open)
        assert found.value is not None, found.diagnostics
        return self._with(found.value), found

    def _with(self, value):
        return Folder(self.root, {**self.texts, "": value.after, **{name: one.after for name, one in value.others}})

    def changed(self) -> dict[str, str]:
        """The files that are not as on the disk."""
        return {
            name: text
            for name, text in self.texts.items()
            if text.encode() != (self.root.parent / (name or self.root.name)).read_bytes()
        }


@pytest.fixture(autouse=True)
def _without_collection():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("name", "contract", "wishes"), RUNS)
def test_the_promise(name, contract, wishes, shared, contracted, unchanged):
    plan, before = contracted(f"{contract}.yaml"), Folder(shared / "specs" / name)
    after, found = before.inject(plan, wishes)
    # Something was inserted, and only inserted text differs.
    value = found.value
    assert value.all_owned > 10
    for text, one in ((value.after, value), *((one.after, one) for _, one in value.others)):
        assert len(text) > len(one.before) or text == one.before
    if not wishes.copy_shared:
        rest = iter(value.after)
        assert all(character in rest for character in value.before[: None if EVERY else 200_000])
        if EVERY or (name in SMALL and len(value.before) < 200_000):
            others = {other: (one.before, one.after) for other, one in value.others}
            assert bool(others) == ("multifile" in name)
            unchanged(name, value.before, value.after, others)
    # A second run changes nothing, tells the same about the same places, and ejecting gives every byte back.
    first = list(_told(before, found))
    again, found = after.inject(plan, wishes)
    assert again.texts == after.texts
    assert not found.value.changed
    assert list(_told(after, found)) == first
    back, found = after.eject()
    assert found.diagnostics == ()
    assert back.changed() == {}
    digest = hashlib.sha256(back.texts[""].encode()).hexdigest()
    assert digest == hashlib.sha256((shared / "specs" / name).read_bytes()).hexdigest()


def _told(folder, found):
    """Each finding with the text of its place in the files as they are, where it is not in the contract."""
    lines: dict[str, list[str]] = {}
    for finding in found.diagnostics:
        span, text = finding.span, ""
        if span is not None and not span.path.endswith("contract.yaml"):
            name = "" if span.path == folder.root.name else span.path
            if name not in lines:
                lines[name] = (folder.document.text if not name else folder.open(name).value.text).splitlines()
            text = lines[name][span.line - 1][span.column - 1 :]
            text = text[: span.end_column - span.column] if span.end_line == span.line else text
        yield finding.rule, finding.subject, finding.message, text


@pytest.mark.parametrize("name", [*SMALL, *(LARGE if EVERY else ())])
def test_names_and_codes_that_change_between_two_runs(name, shared, contracted):
    old, new, folder = contracted("every-write.yaml"), contracted("changed.yaml"), Folder(shared / "specs" / name)
    after, _ = folder.inject(old, Wishes())
    updated, _ = after.inject(new, Wishes())
    fresh, _ = folder.inject(new, Wishes())
    assert updated.changed() == fresh.changed() != after.changed()
    text = "".join(updated.changed().values())
    assert "still_running" not in text
    assert "other_content" in text
    back, _ = updated.eject()
    assert back.changed() == {}


@pytest.mark.parametrize("name", [one for one in (*SMALL, *LARGE) if EVERY or one in (*SMALL, "lob-bundled.yml")])
@pytest.mark.parametrize("contract", ["every-write", "hostile"])
def test_the_validator_finds_nothing_new(name, contract, shared, contracted, complaints):
    folder = Folder(shared / "specs" / name)
    after, found = folder.inject(contracted(f"{contract}.yaml"), FULL)
    assert found.value.all_owned > 10
    if "multifile" in name:
        known, new = compared(folder.document, after.document, folder.open, after.texts)
        assert (known, new) == (1, ())
        # It reads the other files: a fault that is put into one is found.
        wrong = {other: text.replace("description:", "descriptions:") for other, text in after.texts.items()}
        assert len(compared(folder.document, after.document, folder.open, wrong)[1]) > 10
        return
    known, new = complaints(name, folder.document.text), complaints(name, after.texts[""])
    assert new <= known


def test_the_validator_is_asked_of_files_with_faults_as_well(shared, complaints):
    """Else the test above could not tell a fault of ours from one of theirs."""
    for name in ("lob-bundled.yml", "mollie.yaml") if EVERY else ("lob-bundled.yml",):
        assert len(complaints(name, Folder(shared / "specs" / name).document.text)) > 20
