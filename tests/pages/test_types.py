"""Problem types as addresses: each leads to the page of its machine code, or the author is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.build import build
from idempact.contract.check import checked
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import compose
from idempact.text.span import Document

EXAMPLE = (Path(__file__).parents[2] / "contract" / "contract.yaml").read_text(encoding="utf-8")
ADDRESS = "https://docs.acme.example/errors/{code}"


def found(kind: str, old: str = "", new: str = "") -> list[Diagnostic]:
    assert EXAMPLE.count(f'"{ADDRESS}"') == 1
    text = EXAMPLE.replace(f'"{ADDRESS}"', f'"{kind}"').replace(old, new)
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    assert not read.broken, read.diagnostics
    made = build(read.value, contract_name="contract.yaml")
    assert made.value is not None
    return [each for each in made.diagnostics if each.rule == "build/type-without-page"]


@pytest.mark.parametrize(
    "kind",
    [
        ADDRESS,
        f"{ADDRESS}/",
        f"{ADDRESS}.html",
        "https://acme.example/docs/v2/errors/{code}",
        f"{ADDRESS}?from=api#top",
    ],
)
def test_an_address_that_a_page_answers_is_fine(kind: str) -> None:
    assert found(kind) == []


@pytest.mark.parametrize(
    "kind",
    [
        "https://docs.acme.example/problems/{code}",
        "https://docs.acme.example/errors/",
        "https://docs.acme.example/myerrors/{code}",
        "https://docs.acme.example/errors/{code}/help",
    ],
)
def test_an_address_that_no_page_answers_is_told(kind: str) -> None:
    (warning,) = found(kind)
    assert warning.severity is Severity.WARNING
    assert warning.span is not None
    assert kind.split("{")[0] in warning.message


def test_a_code_whose_page_has_another_name_is_told() -> None:
    (warning,) = found(ADDRESS, "code: idempotency_key_reused", "code: key.reused")
    assert "the page of key.reused is errors/key-reused/" in warning.message
