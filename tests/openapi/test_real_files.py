"""The injector on files that companies publish, with contracts for them; skipped where these files are not there."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from idempact.contract.read import read
from idempact.facts.derive import Facts
from idempact.openapi.extension import plan_of
from idempact.openapi.inject import eject, inject
from idempact.render.environment import template_roots
from idempact.render.words import Words
from idempact.text.diagnostic import Severity
from idempact.text.nodes import decode, load

HERE = Path(__file__).parent / "contracts"
# File, contract, nodes that are inserted, and how often each finding is made.
FILES = {
    "resend.yaml": ("vendor", 8, {"openapi/different-declaration": 2, "openapi/unlisted-operation": 56}),
    "resend.json": ("vendor", 8, {"openapi/different-declaration": 2, "openapi/unlisted-operation": 56}),
    "codat-sync-payables.yaml": (
        "codat.yaml",
        10,
        {"openapi/shared-response": 2, "openapi/unknown-operation": 1, "openapi/unlisted-operation": 9},
    ),
    "modern-treasury.yaml": (
        "modern-treasury.yaml",
        404,
        {"openapi/different-declaration": 144, "openapi/existing-response": 41},
    ),
    "adyen-checkout-v66.json": (
        "adyen.yaml",
        94,
        {"openapi/different-declaration": 2, "openapi/existing-response": 15, "openapi/fixed-key": 1},
    ),
}


@pytest.fixture(scope="module", params=FILES)
def run(request, shared):
    """A file's bytes, and what injecting its contract gave."""
    name = request.param
    contract = FILES[name][0]
    tree = load(shared / "data/vendors/resend.yaml" if contract == "vendor" else HERE / contract)
    found = read(tree.value)
    assert not found.broken, found.diagnostics
    plan = plan_of(Facts.of(found.value.contract), found.value.source, Words.load("en", template_roots()))
    data = (shared / "specs" / name).read_bytes()
    document = decode(name, data).value
    return name, data, document, plan, inject(document, plan)


def test_only_inserted_bytes_differ(run, unchanged, record_property):
    name, data, document, _, found = run
    assert found.value is not None, found.diagnostics
    after = found.value.after
    assert len(found.value.owned) == FILES[name][1]
    assert found.value.inserted == len(after) - len(document.text) > 1000
    unchanged(name, document.text, after)
    back = eject(decode(name, after.encode()).value)
    assert back.diagnostics == ()
    assert hashlib.sha256(back.value.after.encode()).hexdigest() == hashlib.sha256(data).hexdigest()
    record_property("inserted_bytes", len(after.encode()) - len(data))


def test_a_second_run_changes_nothing(run):
    name, _, _, plan, found = run
    again = inject(decode(name, found.value.after.encode()).value, plan)
    assert again.value is not None, again.diagnostics
    assert again.value.after == found.value.after


def test_what_is_found(run):
    name, _, _, _, found = run
    assert Counter(d.rule for d in found.diagnostics) == FILES[name][2]
    assert all(d.span is not None and d.hint and d.severity is not Severity.ERROR for d in found.diagnostics)


def test_the_validator_finds_nothing_new(run, complaints):
    name, _, document, _, found = run
    assert complaints(name, found.value.after) <= complaints(name, document.text)
