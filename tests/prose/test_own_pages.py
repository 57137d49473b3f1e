"""The pages that are made from a contract, compared with that contract: nothing on them is told to differ."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from idempact import load
from idempact.build import build
from idempact.contract.read import Read
from idempact.facts.derive import Facts
from idempact.prose.lint import lint
from idempact.text.span import Document

ROOT = next(parent for parent in Path(__file__).resolve().parents if (parent / "pyproject.toml").is_file())
EXAMPLE = ROOT / "contract" / "contract.yaml"
CONTRACTS = (EXAMPLE, ROOT / "contract" / "minimal.yaml", *sorted((ROOT / "contract" / "vendors").glob("*.yaml")))


def read(path: Path) -> Read:
    """The contract, published in both languages and with the implementer's pages."""
    found = load(path).value
    assert found is not None
    publish = replace(found.contract.publish, locales=("en", "zh"), provider=True)
    return replace(found, contract=replace(found.contract, publish=publish))


@cache
def pages(path: Path) -> tuple[Document, ...]:
    made = build(read(path), contract_name=path.name).value
    assert made is not None
    return tuple(Document(one.path, one.text) for one in made.artifacts if one.path.endswith(".md"))


def found(documents: tuple[Document, ...], facts: Facts) -> list[str]:
    return [
        f"{document.path}:{d.span.line if d.span else 0}: {d.message} [{d.rule}]"
        for document in documents
        for d in lint(document, facts=facts)
    ]


@pytest.mark.parametrize("path", CONTRACTS, ids=[path.stem for path in CONTRACTS])
def test_pages_agree_with_the_contract_that_they_are_made_from(path: Path) -> None:
    documents = pages(path)
    assert {document.path.startswith("zh/") for document in documents} == {False, True}
    assert found(documents, Facts.of(read(path).contract)) == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("  replay: 24h ", "  replay: 36h ", "prose/drift-window"),
        ("{min: 16, max: 255}", "{min: 16, max: 64}", "prose/drift-length"),
        ("  name: Idempotency-Key ", "  name: Acme-Operation-Id ", "prose/drift-header"),
        ("status: 422, code: idempotency_key_re", "status: 400, code: idempotency_key_re", "prose/drift-status"),
        ("status: 409, code: idempotency_req", "status: 425, code: idempotency_req", "prose/drift-status"),
        ("code: idempotency_key_reused", "code: idempotency_key_used_up", "prose/drift-code"),
    ],
)
def test_pages_that_were_made_from_an_older_contract_are_told(old: str, new: str, rule: str, tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8").partition("\nchanges:")[0] + "\n"
    assert text.count(old) == 1
    later = tmp_path / "contract.yaml"
    later.write_text(text.replace(old, new), encoding="utf-8")
    documents = pages(EXAMPLE)
    facts = Facts.of(read(later).contract)
    for chinese in (False, True):
        own = tuple(document for document in documents if document.path.startswith("zh/") is chinese)
        assert any(rule in line for line in found(own, facts)), chinese
