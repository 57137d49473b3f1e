"""The staged folder in Zensical (https://zensical.org): pages, search, tabs, notes and both languages come through."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Visit = Callable[[Path], AbstractContextManager[tuple[Any, str]]]
ROOT = Path(__file__).parents[2]

# Zensical's search is a dialog of its own, whose parts stand in a shadow tree.
OPENED = """
(async () => {
  document.querySelector('.md-search__button').click();
  for (let turn = 0; turn < 100 && !document.activeElement.shadowRoot; turn++) {
    await new Promise(done => setTimeout(done, 100));
  }
})()
"""
FOUND = """
(async () => {
  for (let turn = 0; turn < 100; turn++) {
    const links = [...document.activeElement.shadowRoot.querySelectorAll('a')].map(a => a.href);
    if (links.length) return links;
    await new Promise(done => setTimeout(done, 100));
  }
  return [];
})()
"""


@pytest.fixture(scope="module")
def sites(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The example in two languages, built from one staged folder by MkDocs and by Zensical."""
    if find_spec("zensical") is None:
        if os.environ.get("CI"):
            pytest.fail("Zensical is missing, and CI must have it")
        pytest.skip("Zensical is not installed (make setup installs it)")
    folder = tmp_path_factory.mktemp("zensical")
    text = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
    for old, new in (("  locales: [en] ", "  locales: [en, zh] "), ("  provider: false ", "  provider: true ")):
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"^  languages: \[.*?\]", "  languages: [python, typescript, shell]", text, flags=re.M)
    (folder / "contract.yaml").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    built = run(folder, "idempact", "build", "contract.yaml", "--out", "build/docs")
    assert built.returncode == 0, built.stdout + built.stderr
    made = run(folder, "mkdocs", "build", "--strict", "--quiet", "--config-file", "build/mkdocs.yml")
    assert made.returncode == 0, made.stdout + made.stderr
    (folder / "build" / "site").rename(folder / "by-mkdocs")
    made = run(folder, "zensical", "build", "--strict", "--config-file", "build/mkdocs.yml")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "by-mkdocs", folder / "build" / "site"


def pages(site: Path) -> set[str]:
    return {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


def content(page: Path) -> str:
    """What stands between the page's first heading and its end."""
    html = page.read_text(encoding="utf-8")
    return html[html.index("<h1") : html.index("</article>")]


def words(html: str) -> list[str]:
    """The words of a stretch of HTML, without what stands for anchors."""
    html = re.sub(r'<a class="headerlink".*?</a>', " ", html, flags=re.S)
    html = re.sub(r"<(style|script)\b.*?</\1>", " ", html, flags=re.S)
    return re.sub(r"<[^>]+>", " ", html).split()


def test_each_page_has_the_same_words_at_the_same_address(sites: tuple[Path, Path]) -> None:
    theirs, ours = sites
    assert pages(ours) == pages(theirs)
    assert len(pages(ours)) > 40
    for name in sorted(pages(theirs) - {"404.html"}):
        assert words(content(ours / name)) == words(content(theirs / name)), name


def test_what_is_beside_the_pages_is_the_same(sites: tuple[Path, Path]) -> None:
    theirs, ours = sites
    beside = [p for p in theirs.rglob("*") if p.suffix in (".txt", ".json") and p.name != "search_index.json"]
    beside += [p for p in (theirs / "downloads").rglob("*") if p.is_file()]
    assert len(beside) > 40
    for path in (*beside, theirs / "assets" / "site.css", theirs / "assets" / "site.js"):
        name = path.relative_to(theirs)
        assert (ours / name).read_bytes() == path.read_bytes(), name


@pytest.mark.parametrize("mark", ["tabbed-set", "tabbed-block", "admonition", "highlight", "drawing", "<table", "<svg"])
def test_tabs_notes_code_drawings_and_tables_come_through(sites: tuple[Path, Path], mark: str) -> None:
    theirs, ours = sites
    counts = [sum(content(site / name).count(mark) for name in pages(theirs)) for site in (theirs, ours)]
    assert counts[0] == counts[1] > 0


def test_every_anchor_is_kept(sites: tuple[Path, Path]) -> None:
    theirs, ours = sites
    for name in pages(theirs) - {"404.html"}:
        found = [set(re.findall(r'<h[1-6] id="([^"]+)"', content(site / name))) for site in (theirs, ours)]
        assert found[0] == found[1], name


def test_the_search_holds_codes_headers_statuses_and_both_languages(sites: tuple[Path, Path]) -> None:
    _, ours = sites
    index = json.loads((ours / "search.json").read_text(encoding="utf-8"))
    text = " ".join(item["title"] + " " + item["text"] for item in index["items"])
    for wanted in ("idempotency_key_reused", "Idempotency-Key", "422", "Retry-After", "重试"):
        assert wanted in text
    places = {item["location"].partition("#")[0] for item in index["items"]}
    assert {"keys/", "zh/keys/", "errors/idempotency_key_reused/"} <= places
    # The word splitter for Chinese is the one that `idempact build` writes.
    assert "重(?=试)" in index["config"]["separator"]


def test_each_page_is_marked_with_its_language_and_loads_nothing_from_elsewhere(sites: tuple[Path, Path]) -> None:
    _, ours = sites
    assert '<html lang="en"' in (ours / "index.html").read_text(encoding="utf-8")
    assert '<html lang="zh"' in (ours / "zh" / "index.html").read_text(encoding="utf-8")
    loaded = re.compile(r"<(?:script|img|iframe|source)[^>]+src=[\"']?(https?:)?//|<link[^>]+href=[\"']?(https?:)?//")
    for name in pages(ours):
        assert not loaded.search((ours / name).read_text(encoding="utf-8")), name


def test_it_works_in_a_browser(sites: tuple[Path, Path], smoke: ModuleType, visit: Visit) -> None:
    _, ours = sites
    with visit(ours) as (browser, host):
        faults, foreign = smoke.check(browser, host, ["", "keys/", "code/", "retries/", "errors/", "zh/"], None, None)
        assert (faults, foreign) == ([], 0)
        assert smoke.check_behaviour(browser, host) == []
        for word, page in smoke.searched(ours).items():
            browser.open(f"http://{host}/", (1280, 900))
            browser.value(OPENED)
            browser.call("Input.insertText", text=word)
            found = browser.value(FOUND)
            # Zensical ranks its results otherwise: a header's name finds the codes about it first.
            assert any(page in link or "-" in word for link in found), (word, found)
