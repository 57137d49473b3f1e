"""A success is never read as a refusal, whatever an answer's status says."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.contract.check import checked
from idempact.facts import Facts
from idempact.text.nodes import compose
from idempact.text.span import Document

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("status", [200, 201, 202, 204])
@pytest.mark.parametrize("answer", ["mismatch", "in_flight"])
def test_no_status_of_a_success_has_a_class_without_a_code(answer: str, status: int) -> None:
    line = next(row for row in MINIMAL.splitlines() if row.startswith(f"  {answer}:"))
    text = MINIMAL.replace(line, f"  {answer}: {{status: {status}, code: none}}")
    tree = compose(Document("c.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    rules = {rule.status for rule in Facts.of(read.value.contract).base.loop.statuses}
    assert status not in rules
    assert 503 in rules
