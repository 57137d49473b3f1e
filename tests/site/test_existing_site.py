"""The pages inside a MkDocs site that a team has: what its settings lack is told, and with that added all works."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.pages.page import NavEntry
from idempact.parts.existing import docs_folder, lacking, settings

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
PUBLISHING = ROOT / "site_src" / "project" / "publishing.md"
OWN = """\
site_name: Acme
theme:
  name: material
  font: false
# Our own extension, which stays.
markdown_extensions:
  - footnotes
nav:
  - Home: index.md
"""


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A team's site with one page, and the contract beside it."""
    text = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
    (tmp_path / "contract").mkdir()
    fewer = re.sub(r"^  languages: \[.*?\]", "  languages: [python, shell]", text, flags=re.M)
    (tmp_path / "contract" / "contract.yaml").write_text(fewer, encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(OWN, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Acme\n\n[Safe retries](retries/index.md)\n", encoding="utf-8")
    return tmp_path


def command() -> list[str]:
    """The command that the manual gives."""
    found = re.findall(r"^(idempact build .* --into .*)$", PUBLISHING.read_text(encoding="utf-8"), flags=re.M)
    assert len(found) == 1
    return str(found[0]).split()


def added(text: str, told: str) -> str:
    """Settings with the lines that the findings give: under the key that is there, or as a new one."""
    for hint in re.findall(r"help: add to mkdocs\.yml:\n((?: {6,}.*\n)+)", told):
        lines = [line.strip() and line[re.search(r"\S", hint).start() :] for line in hint.splitlines()]  # type: ignore[union-attr]
        head, *rest = lines
        block = "\n".join(rest) + "\n"
        text = text.replace(f"{head}\n", f"{head}\n{block}") if f"{head}\n" in text else f"{text}{head}\n{block}"
    return text


def test_with_the_lines_that_are_told_the_pages_are_part_of_the_site(run: Run, theirs: Path) -> None:
    built = run(theirs, *command())
    assert built.returncode == 0, built.stderr
    assert built.stdout.count("[build/settings-lack]") == 4
    assert run(theirs, *command(), "--strict").returncode == 1
    assert (theirs / "mkdocs.yml").read_text(encoding="utf-8") == OWN
    assert sorted(path.name for path in (theirs / "docs").iterdir()) == ["index.md", "retries"]
    (theirs / "mkdocs.yml").write_text(added(OWN, built.stdout), encoding="utf-8")
    again = run(theirs, *command(), "--strict", "--check")
    assert (again.returncode, again.stdout) == (0, ""), again.stdout
    made = run(theirs, "mkdocs", "build", "--strict", "--quiet")
    assert made.returncode == 0, made.stdout + made.stderr
    site = theirs / "site"
    code = (site / "retries" / "code" / "index.html").read_text(encoding="utf-8")
    assert code.count('class="tabbed-set tabbed-alternate"') >= 1
    assert '=== "' not in code
    home = (site / "retries" / "index.html").read_text(encoding="utf-8")
    assert 'class="admonition abstract"' in home
    assert 'href="assets/site.css"' in home
    assert 'src="assets/site.js"' in home
    assert ">Home<" in " ".join(home.split()).replace("> ", ">").replace(" <", "<")
    assert (site / "retries" / "errors" / "idempotency_key_reused" / "index.html").is_file()
    assert (site / "retries" / "llms.txt").is_file()
    assert not list(site.rglob(".idempact.json"))


def test_the_rest_of_the_site_is_left_alone(run: Run, theirs: Path) -> None:
    mine = theirs / "docs" / "retries" / "ours.md"
    mine.parent.mkdir()
    mine.write_text("# Ours\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in theirs.rglob("*") if path.is_file()}
    assert run(theirs, *command()).returncode == 0
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("out", ["docs", "build/docs", "docs/../elsewhere"])
def test_a_folder_that_is_not_among_its_pages_is_refused(run: Run, theirs: Path, out: str) -> None:
    before = sorted(theirs.rglob("*"))
    built = run(theirs, "idempact", "build", "--out", out, "--into", "mkdocs.yml")
    assert built.returncode == 2
    assert "is no folder below" in built.stderr
    assert sorted(theirs.rglob("*")) == before


@pytest.mark.parametrize("words", [["--out", "docs/retries", "--into", "no.yml"], ["--into", "mkdocs.yml"]])
def test_wrong_use_is_told(run: Run, theirs: Path, words: list[str]) -> None:
    built = run(theirs, "idempact", "build", *words)
    assert (built.returncode, built.stdout) == (2, "")
    assert not (theirs / "docs" / "retries").exists()


def test_settings_that_cannot_be_read_are_told_with_their_place(run: Run, theirs: Path) -> None:
    (theirs / "mkdocs.yml").write_text("site_name: [\n", encoding="utf-8")
    built = run(theirs, *command())
    assert built.returncode == 1
    assert "mkdocs.yml:2:1: error:" in built.stdout
    assert not (theirs / "docs" / "retries").exists()


def test_settings_beside_the_output_that_are_not_ours_stay(run: Run, theirs: Path) -> None:
    (theirs / "site").mkdir()
    shutil.copy(theirs / "mkdocs.yml", theirs / "site")
    built = run(theirs, "idempact", "build", "--out", "site/docs")
    assert built.returncode == 2
    assert "is not ours to replace" in built.stderr
    assert (theirs / "site" / "mkdocs.yml").read_text(encoding="utf-8") == OWN
    assert not (theirs / "site" / "docs").exists()


NAV = (NavEntry(10, "Start", "index.md"), NavEntry(20, "Keys", "keys.md"))


def lacks(folder: Path, files: dict[str, str], *, scripts: bool = False) -> list[str]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    trees = settings(folder / next(iter(files))).value
    assert trees is not None
    return [found.subject for found in lacking(trees, "r", "Title", NAV, scripts=scripts)]


WHOLE = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("assets/site", "r/assets/site")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.yml": WHOLE}, []),
        ({"a.yml": WHOLE + "nav: [index.md]\n"}, ["nav"]),
        ({"a.yml": WHOLE + "nav: [r/index.md, {More: [{Keys: r/keys.md}]}]\n"}, []),
        ({"a.yml": WHOLE.replace("name: material", "name: mkdocs")}, ["theme"]),
        ({"a.yml": WHOLE.replace("theme:\n  name: material\n", "theme: readthedocs\nx:\n")}, ["theme"]),
        ({"a.yml": WHOLE.replace("alternate_style: true", "alternate_style: false")}, ["markdown_extensions"]),
        ({"a.yml": WHOLE.replace("r/assets/site.js", "assets/site.js")}, ["extra_javascript"]),
        ({"a.yml": "INHERIT: b.yml\nsite_name: A\n", "b.yml": WHOLE}, []),
        ({"a.yml": "INHERIT: b.yml\ntheme: {language: de}\n", "b.yml": WHOLE}, []),
        ({"a.yml": "INHERIT: b.yml\nextra_css: [x.css]\n", "b.yml": WHOLE}, ["extra_css"]),
        ({"a.yml": "INHERIT: a.yml\n"}, ["theme", "markdown_extensions", "extra_css", "extra_javascript"]),
        ({"a.yml": ""}, ["theme", "markdown_extensions", "extra_css", "extra_javascript"]),
        ({"a.yml": "- 1\n"}, ["theme", "markdown_extensions", "extra_css", "extra_javascript"]),
        (
            {
                "a.yml": "theme: material\nextra_css: [r/assets/site.css]\nextra_javascript:\n"
                "  - path: r/assets/site.js\n    defer: true\n"
                "markdown_extensions:\n  admonition:\n  attr_list:\n  pymdownx.highlight:\n"
                "    anchor_linenums: true\n  pymdownx.superfences: {}\n  pymdownx.tabbed: {alternate_style: true}\n"
            },
            [],
        ),
    ],
)
def test_only_what_the_settings_lack_is_told(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    assert lacks(tmp_path, files) == expected


def test_headings_in_other_scripts_need_addresses_of_their_own(tmp_path: Path) -> None:
    files = {"a.yml": re.sub(r"  - toc:\n(?:      .*\n)+", "  - toc\n", WHOLE)}
    assert lacks(tmp_path, files) == []
    assert lacks(tmp_path, files, scripts=True) == ["markdown_extensions"]
    assert lacks(tmp_path, {"a.yml": WHOLE}, scripts=True) == []


def test_the_pages_folder_is_the_one_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("docs_dir: pages\n", encoding="utf-8")
    found = settings(tmp_path / "a.yml").value
    assert found is not None
    assert docs_folder(found) == tmp_path / "pages"
