"""Each row of a table has an address that can be sent to somebody, and a link to it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
DESKTOP, PHONE = (1280, 900), (390, 800)
ROWS = """[...document.querySelectorAll('.md-content tbody tr')]
  .filter(row => !row.closest('table').className)
  .map(row => [row.id, (row.querySelector('td > .headerlink') || {}).hash, row.cells[0].innerText.trim()])"""
TARGET = """(() => {
  const row = document.querySelector('tr:target');
  const place = row && row.getBoundingClientRect();
  const header = document.querySelector('.md-header').getBoundingClientRect();
  return row ? [row.id, place.top >= header.bottom - 1 && place.top < innerHeight] : null;
})()"""

Visit = Callable[[Path], AbstractContextManager[tuple[Any, str]]]


@pytest.fixture(scope="module")
def site(run: Callable[..., subprocess.CompletedProcess[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in two languages."""
    folder = tmp_path_factory.mktemp("rows")
    assert run(folder, "idempact", "new", ".").returncode == 0
    contract = folder / "contract" / "contract.yaml"
    text = contract.read_text(encoding="utf-8")
    assert "locales: [en]" in text
    contract.write_text(text.replace("locales: [en]", "locales: [en, zh]"), encoding="utf-8")
    for words in (("idempact", "build"), ("mkdocs", "build", "--quiet", "--config-file", "build/mkdocs.yml")):
        done = run(folder, *words)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


@pytest.mark.parametrize("prefix", ["", "zh/"])
@pytest.mark.parametrize("page", ["", "retry-outcomes/", "operations/", "errors/", "retries/"])
def test_a_row_is_found_by_its_address(site: Path, visit: Visit, prefix: str, page: str) -> None:
    with visit(site) as (browser, host):
        address = f"http://{host}/{prefix}{page}"
        browser.open(address, DESKTOP)
        rows = browser.value(ROWS)
        ids = [id for id, _, _ in rows]
        assert len(ids) == len(set(ids)) > 2
        for id, link, shown in rows:
            assert id.startswith("row-"), shown
            assert unquote(link) == f"#{id}"
            assert "\u00b6" not in shown
        id, link, _ = rows[-1]
        for size in (DESKTOP, PHONE):
            browser.open("about:blank", size)
            browser.open(address + link, size)
            browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found = browser.value(TARGET)
            assert found is not None
            assert found == [id, True]
