"""Ten broken contracts and the very words that their author reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked
from idempact.text.present import present

BROKEN = sorted((Path(__file__).parent / "told").glob("*.yaml"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_contract_is_told_in_these_words(path: Path, check_text: Callable[..., Checked[Read]]) -> None:
    text = path.read_text(encoding="utf-8")
    found = check_text(text, path.name)
    assert found.broken
    told = present("text", found.diagnostics, {path.name: text})
    golden = path.with_suffix(".txt")
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")


def test_there_are_ten() -> None:
    assert len(BROKEN) == 10
