"""Dated versions of the site: the present pages stay, and every old page says that it is one."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def change(path: Path, *pairs: tuple[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A contract in two languages; one in English held in June, and one with another code in July."""
    assert run(tmp_path, "idempact", "new").returncode == 0
    contract = tmp_path / "contract" / "contract.yaml"
    fewer = re.sub(r"^  languages: \[.*?\]", "  languages: [python]", contract.read_text(encoding="utf-8"), flags=re.M)
    contract.write_text(fewer, encoding="utf-8")
    before = (
        ("  replay: 24h ", "  replay: 12h "),
        ("from: 12h, to: 24h", "from: 6h, to: 12h"),
        ("replay, lasts: 20h", "replay, lasts: 10h"),
    )
    june = change(contract, *before)
    contract.write_text(change(contract, ("  locales: [en] ", "  locales: [en, zh] ")), encoding="utf-8")
    july = change(contract, *before, ("code: idempotency_key_reused}", "code: other_request}"))
    (tmp_path / "contract" / "versions").mkdir()
    (tmp_path / "contract" / "versions" / "2026-06-01.yaml").write_text(june, encoding="utf-8")
    (tmp_path / "contract" / "versions" / "2026-07-01.yaml").write_text(july, encoding="utf-8")
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def test_old_pages_stand_below_the_present_ones_which_stay(run: Run, folder: Path) -> None:
    built = run(folder, "make", "docs")
    assert built.returncode == 0, built.stdout + built.stderr
    docs = texts(folder / "build" / "docs")
    (folder / "contract" / "versions").rename(folder / "elsewhere")
    assert run(folder, "idempact", "build", "--out", "alone/docs").returncode == 0
    alone = texts(folder / "alone" / "docs")
    listing = {f"{place}{name}" for place in ("", "zh/") for name in ("versions.md", "versions.md.txt", "llms.txt")}
    present = {name: text for name, text in docs.items() if not name.startswith("versions/") and name not in listing}
    assert present == {name: text for name, text in alone.items() if name not in listing}
    assert "versions.md" not in alone
    assert "12 hours" in docs["versions/2026-06-01/windows.md"]
    assert "versions/2026-07-01/errors/other_request.md" in docs
    assert "versions/2026-07-01/downloads/contract.json" in docs
    listed = [re.findall(r"\]\(((?:\.\./)?versions/[^)]+)\)", docs[f"{place}versions.md"]) for place in ("", "zh/")]
    assert listed[0] == ["versions/2026-07-01/index.md", "versions/2026-06-01/index.md"]
    assert listed[1] == ["../versions/2026-07-01/zh/index.md", "../versions/2026-06-01/index.md"]
    nav = (folder / "build" / "mkdocs.yml").read_text(encoding="utf-8")
    assert nav.count("versions.md") == 2
    assert "versions/" not in nav
    index = json.loads((folder / "build" / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {item["location"] for item in index["docs"]}
    assert "keys/" in places
    assert not [place for place in places if re.search(r"versions/\d", place)]


NOTICE = re.compile(r"(?:\*\*|!!! warning \")(?:An earlier version|以往版本)")


@pytest.mark.parametrize("flavor", ["material", "gfm"])
def test_every_old_page_says_so_and_leads_to_what_holds_now(run: Run, folder: Path, flavor: str) -> None:
    built = run(folder, "idempact", "build", "--flavor", flavor, "--out", "out")
    assert built.returncode == 0, built.stdout + built.stderr
    made = texts(folder / "out")
    old = {name for name in made if re.match(r"versions/\d", name) and re.search(r"\.md(\.txt)?$", name)}
    assert len(old) > 40
    for name in old:
        date = name.split("/")[1]
        heading, notice, *_ = re.split(r"\n\n", re.sub(r"\A---\n.*?\n---\n", "", made[name], flags=re.S).strip())
        assert heading.startswith("# "), name
        assert NOTICE.search(notice), name
        assert date in notice
        found = re.search(r"\]\(([^)]+)\)$", notice)
        assert found is not None, name
        target = (folder / "out" / name).parent / found[1]
        assert target.resolve().relative_to((folder / "out").resolve()).as_posix() in made, (name, found[1])
        assert target.is_file()
        assert f'({date})"\n' in made[name].split("\n---\n")[0] + "\n", name
    assert not [name for name, text in made.items() if name not in old and NOTICE.search(text)]
    # A page that is gone leads to the present home.
    gone = made["versions/2026-07-01/errors/other_request.md"]
    assert "](../../../index.md)" in gone


def test_a_version_that_goes_takes_its_pages_with_it_and_check_tells(run: Run, folder: Path) -> None:
    assert run(folder, "idempact", "build").returncode == 0
    assert run(folder, "idempact", "build", "--check").returncode == 0
    (folder / "contract" / "versions" / "2026-06-01.yaml").unlink()
    told = run(folder, "idempact", "build", "--check")
    assert told.returncode == 1
    assert "removed: versions/2026-06-01/keys.md" in told.stdout
    assert run(folder, "idempact", "build").returncode == 0
    assert sorted(p.name for p in (folder / "build" / "docs" / "versions").iterdir()) == ["2026-07-01"]


def test_an_old_contract_is_judged_as_of_its_own_day(run: Run, folder: Path) -> None:
    """What it announced was not in force then, so nothing of it contradicts the fields."""
    june = folder / "contract" / "versions" / "2026-06-01.yaml"
    june.write_text(change(june, ("from: 6h, to: 12h", "from: 12h, to: 24h")), encoding="utf-8")
    assert run(folder, "idempact", "check", str(june)).returncode == 1
    built = run(folder, "idempact", "build")
    assert built.returncode == 0, built.stdout


def test_an_error_in_an_old_contract_is_told_with_its_place_and_nothing_is_written(run: Run, folder: Path) -> None:
    june = folder / "contract" / "versions" / "2026-06-01.yaml"
    june.write_text(change(june, ("  replay: 12h ", "  replay: 1 day ")), encoding="utf-8")
    built = run(folder, "idempact", "build")
    assert built.returncode == 1
    assert "contract/versions/2026-06-01.yaml:54:11: error:" in built.stdout
    assert not (folder / "build").exists()


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("contract/versions/june.yaml", [], "its name is no date"),
        ("contract/versions/2026-02-30.yml", [], "its name is no date"),
        ("x", ["--versions", "nowhere"], "nowhere is no folder"),
    ],
)
def test_wrong_use_is_told(run: Run, folder: Path, name: str, words: list[str], said: str) -> None:
    (folder / name).write_text("idempact: 1\n", encoding="utf-8")
    built = run(folder, "idempact", "build", *words)
    assert (built.returncode, built.stdout) == (2, "")
    assert said in built.stderr
    assert not (folder / "build").exists()
