"""`build` and `new`, as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def command(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "NO_COLOR": "1"}
        return subprocess.run(
            [sys.executable, "-m", "idempact", *words],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )

    return command


@pytest.fixture
def started(run: Run, tmp_path: Path) -> Path:
    assert run("new").returncode == 0
    return tmp_path


def test_new_gives_a_folder_that_checks_and_builds(run: Run, started: Path) -> None:
    assert run("check").returncode == 0
    built = run("build")
    assert built.returncode == 0, built.stderr
    assert (started / "build" / "docs" / "index.md").is_file()
    nav = (started / "build" / "mkdocs.yml").read_text()
    assert 'INHERIT: "../mkdocs.yml"' in nav
    assert '"Start here": "index.md"' in nav
    assert {p.name for p in started.iterdir()} == {
        "contract",
        "site_src",
        "mkdocs.yml",
        "Makefile",
        "requirements.txt",
        ".gitignore",
        "build",
    }
    assert [p.relative_to(started).as_posix() for p in (started / "site_src").rglob("*")] == ["site_src/README.md"]


def test_new_never_overwrites_unless_forced(run: Run, started: Path) -> None:
    contract = started / "contract" / "contract.yaml"
    contract.write_text("mine: 1\n")
    refused = run("new")
    assert refused.returncode == 2
    assert "is there already" in refused.stderr
    assert contract.read_text() == "mine: 1\n"
    assert run("new", "--force", "--minimal").returncode == 0
    assert contract.read_text().count("\n") < 40
    assert (started / "contract" / "contract.schema.json").is_file()


def test_check_of_a_build_says_what_would_change_and_writes_nothing(run: Run, started: Path) -> None:
    assert run("build").returncode == 0
    assert run("build", "--check").returncode == 0
    contract = started / "contract" / "contract.yaml"
    contract.write_text(contract.read_text().replace("max_attempts: 5 ", "max_attempts: 4 "))
    before = {p: p.stat().st_mtime_ns for p in (started / "build").rglob("*")}
    checked = run("build", "--check")
    assert checked.returncode == 1
    assert "changed: retries.md" in checked.stdout.splitlines()
    assert {p: p.stat().st_mtime_ns for p in (started / "build").rglob("*")} == before
    assert run("build").returncode == 0
    assert run("build", "--check").returncode == 0


def test_a_code_that_goes_takes_its_page_with_it(run: Run, started: Path) -> None:
    assert run("build").returncode == 0
    page = started / "build" / "docs" / "errors" / "idempotency_key_reused.md"
    assert page.is_file()
    contract = started / "contract" / "contract.yaml"
    contract.write_text(contract.read_text().replace("code: idempotency_key_reused}", "code: other_request}"))
    assert run("build").returncode == 0
    assert not page.exists()
    assert page.with_name("other_request.md").is_file()


def test_a_broken_contract_builds_nothing(run: Run, started: Path) -> None:
    contract = started / "contract" / "contract.yaml"
    contract.write_text(contract.read_text().replace("  replay: 24h  ", "  replay: 1 day"))
    built = run("build")
    assert built.returncode == 1
    assert "write 1d" in built.stdout
    assert "Traceback" not in built.stdout + built.stderr
    assert not (started / "build").exists()


def test_a_file_of_the_users_own_in_the_way_is_named_and_kept(run: Run, started: Path) -> None:
    mine = started / "build" / "docs" / "keys.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("my own page\n")
    built = run("build")
    assert built.returncode == 1
    assert "a file that we didn't make stands where an output belongs" in built.stdout
    assert mine.read_text() == "my own page\n"


def test_own_pages_and_own_words_are_taken_in(run: Run, started: Path) -> None:
    (started / "site_src" / "integrator").mkdir()
    (started / "site_src" / "integrator" / "support.md.jinja").write_text(
        "---\ntitle: Support\norder: 35\n---\n# Support\n\n"
        "The deadline is {{ facts.base.loop.deadline_ms | ms | text }}.\n"
    )
    words = started / "mine" / "locales" / "en"
    words.mkdir(parents=True)
    (words / "mine.yml").write_text("then.execute: a fresh start\n")
    page = started / "mine" / "pages"
    page.mkdir()
    (page / "changelog.md.jinja").write_text('{% extends "shipped/pages/changelog.md.jinja" %}\n')
    built = run("build", "--templates", "mine")
    assert built.returncode == 0, built.stderr
    docs = started / "build" / "docs"
    assert "The deadline is 75 seconds." in (docs / "support.md").read_text()
    assert "a reused key is a fresh start." in (docs / "index.md").read_text()
    nav = (started / "build" / "mkdocs.yml").read_text().splitlines()
    assert nav.index('  - "Support": "support.md"') == nav.index('  - "Keys": "keys.md"') + 1


def test_a_picture_is_staged_as_it_is(run: Run, started: Path) -> None:
    data = bytes(range(256))
    logo = started / "site_src" / "integrator" / "assets" / "logo.png"
    logo.parent.mkdir(parents=True)
    logo.write_bytes(data)
    for words in ((), ("--flavor", "gfm")):
        assert run("build", *words).returncode == 0
        assert run("build", "--check", *words).returncode == 0
    for made in ("docs", "gfm"):
        assert (started / "build" / made / "assets" / "logo.png").read_bytes() == data
    logo.write_bytes(data[1:])
    checked = run("build", "--check")
    assert (checked.returncode, checked.stdout) == (1, "changed: assets/logo.png\n")
    logo.unlink()
    assert run("build").returncode == 0
    assert not (started / "build" / "docs" / "assets" / "logo.png").exists()


@pytest.mark.parametrize("text", ["{{ facts.nowhere }}", "{% if %}", "{{ 'no.such.words' | say }}"])
def test_a_fault_in_a_template_is_one_line_and_no_traceback(run: Run, started: Path, text: str) -> None:
    (started / "site_src" / "integrator").mkdir()
    (started / "site_src" / "integrator" / "bad.md.jinja").write_text(f"# Bad\n\n{text}\n")
    built = run("build")
    assert built.returncode == 2
    assert "Traceback" not in built.stderr
    assert built.stderr.startswith("idempact: ")


def test_wrong_use_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    assert run().returncode == 2
    assert run("nonsense").returncode == 2
    assert run("build", "--templates", "nowhere").returncode == 2
    for name in ("nowhere.yaml", ".", "/dev/null"):
        unusable = run("build", name)
        assert unusable.returncode == 2
        assert unusable.stderr.startswith(f"idempact: {name}")
        assert "our own fault" not in unusable.stderr
    for closed in (run("new", "/dev/null/x"), run("export", "vale", "--out", "/dev/null/x")):
        assert "our own fault" not in closed.stderr
        assert "= help: check the path" in closed.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_command_has_help_with_an_example(run: Run) -> None:
    listed = run("--help")
    assert listed.returncode == 0
    for name in ("build", "check", "eject", "explain", "inject", "lint", "new", "rules"):
        assert name in listed.stdout
        shown = run(name, "--help")
        assert shown.returncode == 0
        assert f"Example: idempact {name}" in " ".join(shown.stdout.split())


def test_plain_markdown_has_a_folder_of_its_own_and_no_settings_for_mkdocs(run: Run, started: Path) -> None:
    built = run("build", "--flavor", "gfm")
    assert built.returncode == 0, built.stderr
    assert sorted(path.name for path in (started / "build").iterdir()) == ["gfm"]
    assert run("build", "--flavor", "gfm", "--check").returncode == 0
    assert run("lint", "--strict", "build/gfm").returncode == 0
    page = started / "site_src" / "integrator" / "more.md.jinja"
    page.parent.mkdir()
    page.write_text('# More\n\n??? note "folded"\n    x\n')
    refused = run("build", "--flavor", "gfm")
    assert refused.returncode == 1
    assert "more.md: this has no known form in plain Markdown: ??? note" in refused.stdout
    assert not (started / "build" / "gfm" / "more.md").exists()
    assert run("build", "--flavor", "html").returncode == 2
