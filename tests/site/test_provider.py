"""`publish.provider: false` keeps the provider's side out of every file of a site; true shows what was kept out."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
# What only the provider's side says, each in a form that nothing else of the contract has, and how it may be shown.
KEPT_BACK = {
    "server.store": ("dynamodb", r"dynamodb"),
    "server.claim": ("conditional-write", r"conditional.write"),
    "server.regions": ("shared-store", r"shared.store"),
    "server.completer_after": ("17m", r"\b17\s?(m\b|min|分)|\b1020(000)?\b"),
    "server.reaper_batch": ("4321", r"\b4,?321\b"),
    "windows.lease": ("61s", r"\b61\s?(s\b|sec|秒)|\b61000\b"),
    "windows.slowest_handler": ("59s", r"\b59\s?(s\b|sec|秒)|\b59000\b"),
    "external_effects.name": ("zebra ledger", r"zebra.ledger"),
    "external_effects.recovery_point": ("okapi_recorded", r"okapi_recorded"),
    "external_effects.downstream_key": ("tapir-{record_id}", r"tapir-"),
    "notes: server": ("told by the gnu", r"told by the gnu"),
    "notes: windows.lease": ("told by the ibex", r"told by the ibex"),
    "changes: server": ("moved by the lynx", r"moved by the lynx"),
}


def contract(published: bool) -> str:
    text = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")

    def put(old: str, new: str) -> None:
        nonlocal text
        found = re.findall(old, text, flags=re.M)
        assert len(found) == 1, (old, found)
        text = re.sub(old, new, text, flags=re.M)

    put(r"^  store: postgresql ", "  store: dynamodb ")
    put(r"^  claim: unique-constraint ", "  claim: conditional-write ")
    put(r"^  regions: one ", "  regions: shared-store ")
    put(r"^  completer_after: 5m ", "  completer_after: 17m ")
    put(r"^  reaper_batch: 1000 ", "  reaper_batch: 4321 ")
    put(r"^  lease: 60s ", "  lease: 61s ")
    put(r"^  slowest_handler: none ", "  slowest_handler: 59s ")
    put(r"name: card charge, recovery_point: charge_recorded", "name: zebra ledger, recovery_point: okapi_recorded")
    put(r'downstream_key: "acme-\{record_id\}"', 'downstream_key: "tapir-{record_id}"')
    put(
        r"^notes: .*$",
        "notes:\n  - {at: server.store, text: told by the gnu}\n  - {at: windows.lease, text: told by the ibex}",
    )
    put(
        r"^changes: .*$",
        "changes:\n  - {date: 2026-11-02, at: server.store, from: redis, to: dynamodb, text: moved by the lynx}",
    )
    put(r"^  languages: \[.*\]", "  languages: [python, shell]")
    put(r"^  locales: \[en\] ", "  locales: [en, zh] ")
    put(r"^  provider: false ", f"  provider: {str(published).lower()} ")
    return text


def site(run: Run, folder: Path, published: bool) -> Path:
    """All that a site of the contract is: as HTML with its Markdown sources and downloads, and as plain Markdown."""
    folder.mkdir()
    (folder / "contract.yaml").write_text(contract(published), encoding="utf-8")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copy(ROOT / "contract" / "openapi" / "acme.yml", folder)
    for words in ((), ("--flavor", "gfm")):
        built = run(folder, "idempact", "build", "contract.yaml", "--openapi", "acme.yml", *words)
        assert built.returncode == 0, built.stdout + built.stderr
    made = run(folder, "mkdocs", "build", "--strict", "--quiet", "--config-file", "build/mkdocs.yml")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "build"


def shown(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file of a site that isn't the theme's own."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not re.match(r"site/assets/(javascripts|stylesheets|images)/|.*\.gz$", name):
            yield name, path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def kept(run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return dict(shown(site(run, tmp_path_factory.mktemp("provider") / "kept", published=False)))


@pytest.fixture(scope="module")
def told(run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return dict(shown(site(run, tmp_path_factory.mktemp("provider") / "told", published=True)))


def test_the_site_is_whole(kept: dict[str, str]) -> None:
    ends = {Path(name).suffix for name in kept}
    assert {".html", ".md", ".txt", ".json", ".yaml", ".py", ".sh", ".svg", ".css", ".js", ".xml"} <= ends
    assert len(kept) > 150


@pytest.mark.parametrize("name", KEPT_BACK)
def test_no_file_shows_what_is_kept_back(kept: dict[str, str], name: str) -> None:
    pattern = re.compile(KEPT_BACK[name][1], re.IGNORECASE)
    assert {file: found[0] for file, text in kept.items() if (found := pattern.search(text))} == {}


@pytest.mark.parametrize("name", KEPT_BACK)
def test_what_is_kept_back_would_be_seen(told: dict[str, str], name: str) -> None:
    pattern = re.compile(KEPT_BACK[name][1], re.IGNORECASE)
    assert KEPT_BACK[name][0] in contract(published=True)
    assert any(pattern.search(text) for text in told.values())


def test_no_page_for_implementers_is_left(kept: dict[str, str], told: dict[str, str]) -> None:
    assert not any("implementers" in name for name in kept)
    assert any("implementers" in name for name in told)
