"""The published JSON Schema of x-idempotency accepts all that is written, by an independent validator."""

from __future__ import annotations

import copy
import functools
import itertools
import os
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest

from idempact.cli.inject import opener_of
from idempact.exports.extension_schema import extension_schema
from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import OperationPlan, Wishes
from idempact.text.nodes import compose, decode, plain
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
OWN = sorted((Path(__file__).parent / "contracts").glob("*.yaml"))
EVERY = Path(__file__).parent / "contracts" / "every-write.yaml"
OTHERS = sorted([*(ROOT / "contract").glob("*.yaml"), *(ROOT / "contract" / "vendors").glob("*.yaml")])
API = """\
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /payments:
    post:
      responses:
        '200': {description: ok}
        '409': {$ref: '#/components/responses/R'}
        '422': {description: no, content: {text/plain: {}}}
  /refunds: {post: {}}
  /emails: {post: {}}
  /customers/{id}: {put: {}}
  /sessions/{id}: {delete: {}}
  /ledgers/{id}/entries: {put: {}}
components: {responses: {R: {description: r}}}
"""
VALIDATOR = jsonschema_rs.validator_for(extension_schema())


def _extensions(value):
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("x-idempotency", "x-idempotency-contract"):
                yield item
            else:
                yield from _extensions(item)
    elif isinstance(value, list):
        for item in value:
            yield from _extensions(item)


def _written(contracted, path):
    plan = contracted(path.read_text(encoding="utf-8"))
    found = inject(Document("api.yaml", API), plan, wishes=Wishes(copy_shared=True))
    if found.value is None:
        return []
    return list(_extensions(plain(compose(Document("api.yaml", found.value.after)).value.root)))


@pytest.mark.parametrize("path", [*OWN, *OTHERS], ids=lambda path: path.stem)
def test_everything_that_is_written_is_valid(path, contracted):
    for extension in _written(contracted, path):
        assert [error.message for error in VALIDATOR.iter_errors(extension)] == []


FILES = ["cafe-oas32.yaml", "conekta-multifile/api.yaml"]
EVERY_FILE = os.environ.get("EVERY_FILE") == "1"
if EVERY_FILE:
    FILES += ["adyen-checkout-v66.json", "asana-sdk.yaml", "codat-sync-payables.yaml", "lob-bundled.yml"]
    FILES += ["mercadopago.yaml", "modern-treasury.yaml", "mollie.yaml", "obuk-vrp-crlf.yaml", "plaid.yml"]
    FILES += ["openbanking-brasil-payments.yml", "resend.json", "resend.yaml"]


def _everywhere(plan):
    """The plan with its own operations' plans dealt out to all operations of any file."""
    found = [plan.select(*_parts(name)) for name in plan.missing]
    dealt = itertools.cycle([one for one in found if isinstance(one, OperationPlan)])
    given = functools.cache(lambda *operation: next(dealt))
    return replace(plan, select=given, missing={}, unlisted=None)


def _parts(name):
    """A method, a path, an operationId and tags that a contract's key names."""
    first, _, rest = name.partition(" ")
    if first in ("operation", "tag"):
        return "POST", "/x", rest if first == "operation" else "", (rest,) if first == "tag" else ()
    return "POST" if first == "ANY" else first, rest.replace("**", "x").replace("*", "x"), "", ()


SMALL = sorted(Path(__file__).parent.glob("*/before.*"))


@pytest.mark.parametrize("contract", [*OWN, *OTHERS], ids=lambda path: path.stem)
def test_every_contract_in_every_small_file(contract, contracted):
    """Every provider's contract in files of every notation: what is written is valid, and goes again."""
    plan = _everywhere(contracted(contract.read_text(encoding="utf-8")))
    for path in SMALL:
        document = decode(path.name, path.read_bytes()).value
        found = inject(document, plan, wishes=Wishes(copy_shared=True, adopt=True))
        assert found.value is not None, (path, found.diagnostics)
        after = Document(path.name, found.value.after)
        theirs = list(_extensions(plain(compose(document).value.root)))
        extensions = [one for one in _extensions(plain(compose(after).value.root)) if one not in theirs]
        assert len(extensions) > 1, path
        for extension in extensions:
            assert [error.message for error in VALIDATOR.iter_errors(extension)] == [], path
        api = plain(compose(after).value.root)
        assert set(_beside_references(api)) <= set(_beside_references(plain(compose(document).value.root))), path
        ours = [key for key in api.get("components", {}).get("parameters", {}) if key.startswith("Idempotency")]
        shown = [n for key in ours for n in _names(api["components"]["parameters"][key]) if n.startswith("example")]
        assert shown == [], "a key that is shown is one that everybody sends"
        again = inject(after, plan, wishes=Wishes(copy_shared=True, adopt=True)).value
        assert again is not None, path
        assert not again.changed, path
        assert eject(after).value.after == document.text, path


def _beside_references(value):
    """The extensions that stand beside a reference, where they have no meaning."""
    if isinstance(value, dict) and isinstance(value.get("$ref"), str):
        yield from (f"{value['$ref']} {name}" for name in value if name.startswith("x-"))
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _beside_references(item)


def _names(value):
    if isinstance(value, dict):
        yield from value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(item)


@pytest.mark.parametrize("name", FILES)
def test_every_contract_in_real_files(name, contracted, shared):
    """Every provider's contract in files of several companies, one of them split over many files."""
    path, written = shared / "specs" / name, set()
    document = decode(path.name, path.read_bytes()).value
    contracts = OWN if "multifile" in name and not EVERY_FILE else (*OWN, *OTHERS)
    for contract in contracts:
        plan = _everywhere(contracted(contract.read_text(encoding="utf-8")))
        found = inject(document, plan, wishes=Wishes(copy_shared=True, adopt=True), opener=opener_of(str(path), {}))
        assert found.value is not None, found.diagnostics
        texts = [found.value.after, *(other.after for _, other in found.value.others)]
        for text in texts:
            for extension in _extensions(plain(compose(Document(path.name, text)).value.root)):
                assert [error.message for error in VALIDATOR.iter_errors(extension)] == [], contract.stem
                written.add(contract.stem)
        assert bool(found.value.others) == ("multifile" in name)
    assert written == {contract.stem for contract in contracts}


def test_something_is_written(contracted):
    found = _written(contracted, EVERY)
    assert len(found) > 5
    assert any("generated_by" in one for one in found)
    assert any("replaced" in one.get("generated_by", {}) for one in found)


@pytest.mark.parametrize(
    "change",
    [
        lambda root: root.pop("language"),
        lambda root: root.update(windwos={}),
        lambda root: root["profiles"][0].update(extra=1),
        lambda root: root["profiles"][0]["answers"]["mismatch"].update(status="422"),
        lambda root: root["generated_by"].update(tool="other"),
        lambda root: root["generated_by"]["inserted"].update({"no-pointer": "sha256:0123456789abcdef"}),
        lambda root: root["generated_by"]["inserted"].update({"/a": "sha256:short"}),
    ],
)
def test_anything_else_is_not(change, contracted):
    root = next(one for one in _written(contracted, EVERY) if "generated_by" in one)
    assert VALIDATOR.is_valid(root)
    other = copy.deepcopy(root)
    change(other)
    assert not VALIDATOR.is_valid(other)


def test_operations_and_responses(contracted):
    assert VALIDATOR.is_valid({"safety": "unsafe", "because": "counts", "instead": "nothing"})
    assert not VALIDATOR.is_valid({"safety": "sometimes"})
    assert VALIDATOR.is_valid({"codes": ["a"]})
    assert not VALIDATOR.is_valid({"codes": [1]})
    jsonschema_rs.meta.validate(extension_schema())
