"""The overlay that a site offers is the one of `idempact overlay`, and stands where the site says."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
API = ROOT / "contract" / "openapi" / "acme.yml"


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    assert run(tmp_path, "idempact", "new").returncode == 0
    shutil.copy(API, tmp_path / "acme.yml")
    return tmp_path


@pytest.mark.parametrize("flavor", ["material", "gfm"])
def test_the_site_offers_the_overlay_of_the_file_that_is_named(run: Run, folder: Path, flavor: str) -> None:
    built = run(folder, "idempact", "build", "--strict", "--openapi", "acme.yml", "--flavor", flavor, "--out", "out")
    assert (built.returncode, built.stdout) == (0, "")
    offered = folder / "out" / "downloads" / "overlay.yaml"
    assert offered.read_text(encoding="utf-8") == run(folder, "idempact", "overlay", "acme.yml").stdout
    assert run(folder, "idempact", "overlay", "acme.yml", "--check", str(offered)).returncode == 0
    page = (folder / "out" / "openapi.md").read_text(encoding="utf-8")
    assert "](downloads/overlay.yaml)" in page
    assert "`$['paths']['/payments']['post']` | `parameters`, `responses/201`" in page
    assert 'key_template: "payment-{payment_attempt_id}"' in page
    assert "](downloads/overlay.yaml)" in (folder / "out" / "index.md").read_text(encoding="utf-8")


def test_without_a_file_there_is_neither_page_nor_download(run: Run, folder: Path) -> None:
    assert run(folder, "idempact", "build", "--openapi", "acme.yml").returncode == 0
    assert run(folder, "idempact", "build").returncode == 0
    docs = folder / "build" / "docs"
    assert not (docs / "openapi.md").exists()
    assert not (docs / "downloads" / "overlay.yaml").exists()
    assert "overlay.yaml" not in "".join(path.read_text(encoding="utf-8") for path in docs.rglob("*.md"))


def test_every_language_links_to_the_one_download(run: Run, folder: Path) -> None:
    contract = folder / "contract" / "contract.yaml"
    text = contract.read_text(encoding="utf-8")
    contract.write_text(text.replace("  locales: [en] ", "  locales: [en, zh] "), encoding="utf-8")
    built = run(folder, "make", "docs", "OPENAPI=acme.yml")
    assert built.returncode == 0, built.stdout + built.stderr
    for page in ("zh/openapi.md", "zh/index.md"):
        assert "](../downloads/overlay.yaml)" in (folder / "build" / "docs" / page).read_text(encoding="utf-8")
    assert (folder / "build" / "site" / "downloads" / "overlay.yaml").is_file()


@pytest.mark.parametrize(
    ("text", "said", "code"),
    [
        ("openapi: [\n", "text/yaml-syntax", 1),
        ("# nothing\n", "openapi/", 1),
        (API.read_text(encoding="utf-8").replace("/emails:", "/mails:"), "openapi/unlisted-operation", 1),
        (None, "nowhere.yml", 2),
    ],
)
def test_a_file_that_gives_no_overlay_is_told_and_nothing_is_written(
    run: Run, folder: Path, text: str | None, said: str, code: int
) -> None:
    if text is not None:
        (folder / "acme.yml").write_text(text, encoding="utf-8")
    built = run(folder, "idempact", "build", "--openapi", "nowhere.yml" if text is None else "acme.yml")
    assert built.returncode == code
    assert said in built.stdout + built.stderr
    assert "Traceback" not in built.stderr
    assert not (folder / "build").exists()


def test_a_file_that_carries_the_contract_already_is_told_with_what_to_do(run: Run, folder: Path) -> None:
    assert run(folder, "idempact", "inject", "acme.yml").returncode == 0
    built = run(folder, "idempact", "build", "--openapi", "acme.yml")
    assert built.returncode == 1
    assert "openapi/injected-input" in built.stdout
