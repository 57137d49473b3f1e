"""Small look-alikes of real files, byte for byte. ``GOLDEN=write pytest tests/openapi`` rewrites what they become."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from idempact.openapi.inject import eject, inject
from idempact.text.nodes import decode
from idempact.text.span import Document

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.iterdir() if list(path.glob("before.*")))


def _files(case: str) -> tuple[Path, Path]:
    before = next((HERE / case).glob("before.*"))
    return before, before.with_name("after" + before.suffix)


def _document(path: Path) -> Document:
    document = decode(path.name, path.read_bytes()).value
    assert document is not None
    return document


def test_there_are_cases():
    assert len(CASES) >= 15


@pytest.mark.parametrize("case", CASES)
def test_golden(case, planner):
    before, after = _files(case)
    found = inject(_document(before), planner())
    assert found.value is not None, found.diagnostics
    result = found.value.after.encode()
    if os.environ.get("GOLDEN") == "write":
        after.write_bytes(result)
    assert result == after.read_bytes(), "run GOLDEN=write pytest tests/openapi, and read the difference"
    assert found.value.inserted == len(found.value.after) - len(found.value.before) > 0


@pytest.mark.parametrize("case", CASES)
def test_eject_gives_the_bytes_back(case):
    before, after = _files(case)
    found = eject(_document(after))
    assert found.diagnostics == ()
    assert found.value is not None
    assert found.value.after.encode() == before.read_bytes()


@pytest.mark.parametrize("case", CASES)
def test_second_run_changes_nothing(case, planner):
    document = _document(_files(case)[1])
    found = inject(document, planner())
    assert found.value is not None, found.diagnostics
    assert found.value.after == document.text


@pytest.mark.parametrize("case", CASES)
def test_a_changed_plan_gives_what_a_fresh_run_gives(case, planner):
    before, after = map(_document, _files(case))
    changed = planner(code="other", indicator="X-Repeat", statuses=(409, 422), longest=64)
    updated, fresh = inject(after, changed), inject(before, changed)
    assert updated.value is not None, updated.diagnostics
    assert fresh.value is not None
    assert updated.value.after == fresh.value.after != after.text


@pytest.mark.parametrize("case", CASES)
def test_another_reader_finds_only_additions(case, unchanged):
    before, after = map(_document, _files(case))
    unchanged(before.path, before.text, after.text)


@pytest.mark.parametrize("case", CASES)
def test_the_validator_finds_nothing_new(case, complaints):
    before, after = map(_document, _files(case))
    assert complaints(after.path, after.text) <= complaints(before.path, before.text)


@pytest.mark.parametrize("case", CASES)
def test_every_old_byte_stands_in_order(case):
    before, after = (path.read_bytes() for path in _files(case))
    rest = iter(after)
    assert all(byte in rest for byte in before)
