"""The recipes for a team's own site, each done as the page says in a new folder, and looked at in the built site."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

Run = Callable[..., subprocess.CompletedProcess[str]]
Visit = Callable[[Path], AbstractContextManager[tuple[Any, str]]]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "site_src" / "starter" / "site_src" / "README.md"
FILE = re.compile(r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def recipes() -> dict[str, str]:
    """What stands under each heading of the page."""
    _, *parts = re.split(r"^## (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.fixture
def started(run: Run, tmp_path: Path) -> Path:
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


def follow(run: Run, text: str, folder: Path) -> str:
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
def test_a_recipe_does_what_it_says(run: Run, started: Path, name: str) -> None:
    printed = follow(run, recipes()[name], started)
    built = run(started, "make", "docs")
    assert built.returncode == 0, built.stdout + built.stderr
    assert not re.search(r"warning\b", (built.stdout + built.stderr).lower().replace("no_mkdocs_2_warning", ""))
    LOOKED_AT[name](started, started / "build" / "site", printed)


def test_the_colours_reach_the_header_and_the_links(run: Run, started: Path, visit: Visit) -> None:
    follow(run, recipes()["Colours"], started)
    assert run(started, "make", "docs").returncode == 0
    wanted = dict(re.findall(r"(--md-[\w-]+): (#[0-9a-f]{6});", shown(started / "build" / "site", "assets/own.css")))
    with visit(started / "build" / "site") as (browser, host):
        seen = []
        for dark in (False, True):
            browser.open(f"http://{host}/", (1280, 900), dark)
            for place, what in ((".md-header", "backgroundColor"), (".md-content td a:not(.headerlink)", "color")):
                color = browser.value(f"getComputedStyle(document.querySelector('{place}')).{what}")
                seen.append("#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", color)[:3]))
    header, link = wanted["--md-primary-fg-color"], wanted["--md-typeset-a-color"]
    assert seen[0] == seen[2] == header
    assert seen[3] == link != seen[1]


def test_all_recipes_stand_together_and_none_is_without_effect(run: Run, started: Path) -> None:
    for text in recipes().values():
        follow(run, text, started)
    built = run(started, "idempact", "build", "--strict")
    assert (built.returncode, built.stdout) == (0, ""), built.stderr


def test_a_folder_as_it_comes_has_nothing_without_effect_and_says_where_things_go(run: Run, started: Path) -> None:
    assert (started / "site_src" / "README.md").read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")
    built = run(started, "idempact", "build", "--strict")
    assert (built.returncode, built.stdout) == (0, ""), built.stderr
    assert (started / "build" / "docs" / "assets" / "site.css").is_file()
