"""The recipes for a team's own site, each done as the page says in a new folder, and looked at in the built site."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "site_src" / "starter" / "site_src" / "README.md"
FILE = re.compile(r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def recipes() -> dict[str, str]:
    """What stands under each heading of the page."""
    _, *parts = re.split(r"^## (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A folder as `idempact new` gives it, with one language, since loops take longest to build."""
    assert run(tmp_path, "idempact", "new", "--minimal").returncode == 0
    with (tmp_path / "contract" / "contract.yaml").open("a", encoding="utf-8") as contract:
        contract.write("publish: {languages: [python]}\n")
    return tmp_path


def merged(old: Any, new: Any) -> Any:
    """Settings with others added: a mapping takes the other's fields, and anything else is replaced."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    for key, value in new.items():
        old[key] = merged(old.get(key), value)
    return old


def follow(text: str, folder: Path) -> str:
    """Do what a recipe says: its files, its settings, its commands; what the commands print."""
    yaml = YAML()
    for block in FILE.finditer(text):
        path = folder / block["path"]
        if path.exists():
            assert path.name == "mkdocs.yml", f"{path} is there already"
            settings = merged(yaml.load(path.read_text(encoding="utf-8")), yaml.load(block["text"]))
            out = io.StringIO()
            yaml.dump(settings, out)
            path.write_text(out.getvalue(), encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
    printed = ""
    for block in COMMAND.finditer(text):
        done = run(folder, "bash", "-euo", "pipefail", "-c", block["text"])
        assert done.returncode == 0, done.stderr
        printed += done.stdout
    return printed


def shown(site: Path, page: str = "index.html") -> str:
    return (site / page).read_text(encoding="utf-8")


def logo(folder: Path, site: Path, _: str) -> None:
    assert shown(site, "assets/logo.svg") == (folder / "site_src/integrator/assets/logo.svg").read_text()
    home, deeper = shown(site), shown(site, "keys/index.html")
    assert re.search(r'class="md-header__button md-logo"[^>]*>\s*<img src="assets/logo\.svg"', home)
    assert re.search(r'class="md-header__button md-logo"[^>]*>\s*<img src="\.\./assets/logo\.svg"', deeper)
    assert '<link rel="icon" href="assets/logo.svg">' in home


def colours(folder: Path, site: Path, _: str) -> None:
    home = shown(site)
    assert set(re.findall(r'data-md-color-primary="(\w+)"', home)) == {"custom"}
    sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', home)
    assert sheets.index("assets/own.css") > sheets.index("assets/site.css")
    found = re.findall(r"#[0-9a-f]{6}", shown(site, "assets/own.css"))
    if (tint := header_tint(site, folder)) is not None:
        assert tint == tuple(int(found[0][place : place + 2], 16) for place in (1, 3, 5))


def header_tint(site: Path, folder: Path) -> tuple[int, ...] | None:
    """The colour of the header as Chromium shows it; None where there is no Chromium."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        assert not os.environ.get("CI"), "Chromium is missing, and CI must have it"
        return None
    browser = smoke().Browser(chromium, str(folder / "profile"))
    try:
        browser.open((site / "index.html").as_uri(), (1280, 900))
        color = browser.value("getComputedStyle(document.querySelector('.md-header')).backgroundColor")
    finally:
        browser.process.kill()
        browser.process.wait()
    return tuple(map(int, re.findall(r"\d+", color)[:3]))


def smoke() -> ModuleType:
    spec = importlib.util.spec_from_file_location("smoke", ROOT / ".ci" / "smoke.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_pages(folder: Path, site: Path, _: str) -> None:
    assert "Write to us with the key of the request" in shown(site, "support/index.html")
    assert 'href="../keys/"' in shown(site, "support/index.html")
    waiting = shown(site, "waiting/index.html")
    assert "Give up after 75 seconds" in waiting
    assert '<a href="../support/">ask us</a>' in waiting
    nav = (folder / "build" / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    assert nav.index('  - "Support": "support.md"') == nav.index('  - "Keys": "keys.md"') + 1
    assert nav.index('  - "How long to wait": "waiting.md"') == nav.index('  - "Retries": "retries.md"') + 1
    assert "(support.md.txt)" in shown(site, "llms.txt")


def own_words(folder: Path, site: Path, printed: str) -> None:
    home = shown(site)
    assert "Do these three things" in home
    assert "a reused key is a fresh start." in home
    shipped = Path(printed.strip())
    assert any("then.execute:" in path.read_text(encoding="utf-8") for path in (shipped / "en").glob("*.yml"))


def own_block(folder: Path, site: Path, _: str) -> None:
    home = shown(site)
    steps = home.index('<h2 id="three-steps"')
    own = home.index("Our own SDKs do all of this for you.")
    assert steps < own < home.index("<h2", own)
    assert home.index("<ol>", steps) < own


def left_out(folder: Path, site: Path, _: str) -> None:
    assert not (site / "switches").exists()
    assert "switches.md" not in (folder / "build" / "mkdocs.yml").read_text(encoding="utf-8")
    assert (site / "code" / "index.html").is_file()


LOOKED_AT: dict[str, Callable[[Path, Path, str], None]] = {
    "A logo": logo,
    "Colours": colours,
    "A page of your own": own_pages,
    "Words of your own for a message": own_words,
    "One block of a page": own_block,
    "A page left out": left_out,
}


@pytest.mark.parametrize("name", recipes())
def test_a_recipe_does_what_it_says(started: Path, name: str) -> None:
    printed = follow(recipes()[name], started)
    built = run(started, "make", "docs")
    assert built.returncode == 0, built.stdout + built.stderr
    assert not re.search(r"warning\b", (built.stdout + built.stderr).lower().replace("no_mkdocs_2_warning", ""))
    LOOKED_AT[name](started, started / "build" / "site", printed)


def test_all_recipes_stand_together_and_none_is_without_effect(started: Path) -> None:
    for text in recipes().values():
        follow(text, started)
    built = run(started, "idempact", "build", "--strict")
    assert (built.returncode, built.stdout) == (0, ""), built.stderr


def test_a_folder_as_it_comes_has_nothing_without_effect_and_says_where_things_go(started: Path) -> None:
    assert (started / "site_src" / "README.md").read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")
    built = run(started, "idempact", "build", "--strict")
    assert (built.returncode, built.stdout) == (0, ""), built.stderr
    assert (started / "build" / "docs" / "assets" / "site.css").is_file()
