"""The pages on adding things, done as they say in a copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "site_src" / "project" / "adding"
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block of a page: a file (with a title), commands (sh), or lines of what the last commands print (text)."""

    kind: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(m["kind"], m["title"] or "", m["text"]) for m in found]


def follow(
    page: Path, folder: Path, environment: dict[str, str], run: Callable[..., subprocess.CompletedProcess[str]]
) -> int:
    """Do what the page says; the number of lines of output that were looked for."""
    printed, seen = "", 0
    for block in blocks(page):
        if block.title:
            target = folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.kind == "sh":
            done = run(folder, "bash", "-euo", "pipefail", "-c", block.text, environment=environment)
            assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
            printed = " ".join(done.stdout.split())
        elif block.kind == "text":
            for line in block.text.splitlines():
                assert " ".join(line.split()) in printed, (line, printed)
                seen += 1
    return seen


HOW_TO = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")


def test_there_is_a_page_for_each_kind_of_thing() -> None:
    assert {"language", "page", "rule", "vendor"} <= set(HOW_TO)


@pytest.mark.parametrize("name", HOW_TO)
def test_doing_as_the_page_says_works(
    name: str,
    copied: tuple[Path, dict[str, str]],
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    folder, environment = copied
    if name == "language" and not all(shutil.which(tool) for tool in ("curl", "jq")):
        pytest.skip("the shell loop needs curl and jq")
    assert follow(PAGES / f"{name}.md", folder, environment, run) >= 1


def test_what_is_not_done_is_noticed(
    copied: tuple[Path, dict[str, str]], run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    folder, environment = copied
    page = tmp_path / "page.md"
    page.write_text("```sh\necho one\n```\n\n```text\ntwo\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        follow(page, folder, environment, run)
    page.write_text("```sh\nidempact check no-such-file.yaml\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        follow(page, folder, environment, run)
