"""The built site: MkDocs' own strict build, and a visit of every page by a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SILENT = """\
idempact: 1
written_by: observer
api: {name: Silent API, base_url: none, contact: not-documented}
key: {in: body, name: key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {operation makeThing: keyed, "tag things": {safety: natural, because: so documented}}
"""
CONTRACTS = {
    "contract.yaml": (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8"),
    "minimal.yaml": (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8"),
    "told_apart.yaml": (ROOT / "tests" / "project" / "told_apart.yaml").read_text(encoding="utf-8"),
    "silent.yaml": SILENT,
    # A key in a directive; one in the body, and no word on windows; failures kept, for 24 hours at least.
    **{
        f"vendors/{name}.yaml": (ROOT / "contract" / "vendors" / f"{name}.yaml").read_text(encoding="utf-8")
        for name in ("shopify-graphql", "plaid", "stripe-v1")
    },
}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


def build(folder: Path, contract: Path, *more: str) -> Path:
    shutil.copy(ROOT / "mkdocs.yml", folder)
    site = str(ROOT / "site_src" / "integrator")
    built = run(folder, "idempact", "build", str(contract), "--out", "build/docs", "--site", site, *more)
    assert built.returncode == 0, built.stdout + built.stderr
    linted = run(folder, "idempact", "lint", "--strict", "build/docs")
    assert linted.returncode == 0, linted.stdout
    made = run(folder, "mkdocs", "build", "--strict", "--quiet", "--config-file", "build/mkdocs.yml")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "build" / "site"


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_site_builds_strictly_and_asks_no_other_host(tmp_path: Path, name: str) -> None:
    contract = tmp_path / Path(name).name
    contract.write_text(CONTRACTS[name], encoding="utf-8")
    site = build(tmp_path, contract)
    assert (site / "index.html").is_file()
    loaded = re.compile(
        r"<(?:script|img|iframe|source)[^>]+src=[\"']?(https?:)?//|<link[^>]+rel=[\"']?(?:stylesheet|icon|preconnect)[^>]+href=[\"']?(https?:)?//"
    )
    for page in site.rglob("*.html"):
        assert not loaded.search(page.read_text(encoding="utf-8")), page


def vendors() -> list[Path]:
    return sorted((ROOT.parent / "shared" / "data" / "vendors").glob("*.yaml"))


def test_the_vendors_drafts_build_pages() -> None:
    if not vendors():
        pytest.skip("the vendors' drafts are not beside this checkout (../shared/data/vendors)")
    from idempact.build import build as build_all
    from idempact.contract.check import checked
    from idempact.text.nodes import load

    for path in vendors():
        tree = load(path).value
        assert tree is not None
        read = checked(tree)
        assert read.value is not None, path
        if read.broken:
            continue  # what check refuses is not built; which drafts those are is shown by tests/contracts
        built = build_all(read.value, contract_name=path.name)
        assert built.value is not None
        assert len(built.value.site.artifacts) >= 11, path


@pytest.mark.usefixtures("chromium")
def test_every_page_renders_in_a_browser(tmp_path: Path) -> None:
    site = build(tmp_path, ROOT / "contract" / "contract.yaml")
    visited = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "smoke.py"), str(site)], capture_output=True, text=True, check=False
    )
    assert visited.returncode == 0, visited.stdout + visited.stderr
    assert "0 requests to other hosts" in visited.stdout
