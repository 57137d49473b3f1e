"""The results that the site shows are those of the loops as they are; ``make results`` writes them."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from idempact.render.environment import template_roots
from idempact.snippets.language import Language, Library, Tool, Variant, languages
from idempact.snippets.results import Installed, Result, digest, fresh, results, write
from idempact.vectors.judge import window_shares
from idempact.vectors.model import Vector

WRITES = os.environ.get("RESULTS") == "write"
VERSION = re.compile(r"\d+(?:\.\d+)+[\w.+-]*|\d+\.?\w*")


def version(made: Any, command: Sequence[str], name: str) -> Installed:
    """What the first line of the command's output holds of a version."""
    done = made.finished([word.replace("{prepared}", str(made.prepared)) for word in command], made.folder)
    line = next(iter((done.stdout or done.stderr).splitlines()), "")
    found = VERSION.search(line)
    assert done.returncode == 0, (command, done.stderr)
    assert found is not None, (command, line)
    return Installed(name, found.group())


def measured(played: Any, vectors: Sequence[Vector]) -> Result:
    made = played.made
    shares = [share for each in played.results for share in window_shares(each.vector, each.report)]
    assert len(shares) >= 36
    return Result(
        loop=made.variant.id,
        tools=tuple(version(made, tool.command, tool.name) for tool in made.language.tools),
        libraries=tuple(version(made, each.installed, each.name) for each in made.variant.libraries),
        passed=sum(each.passed for each in played.results),
        total=len(vectors),
        build_seconds=round(played.build_seconds, 1),
        waits=len(shares),
        mean_share=round(sum(shares) / len(shares), 3),
        greatest_share=round(max(shares), 3),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        digest=digest(made.language, made.variant, template_roots()),
    )


@pytest.mark.skipif(not WRITES, reason="`make results` writes them")
def test_results_are_written(played: Any, vectors: Sequence[Vector]) -> None:
    language = played.made.language
    found = measured(played, vectors)
    write(language, {**results(language), found.loop: found})
    assert results(language)[found.loop] == found


def test_results_are_those_of_the_loop_as_it_is(
    loop_id: str, variants: Mapping[str, tuple[Language, Variant]], vectors: Sequence[Vector]
) -> None:
    language, variant = variants[loop_id]
    found = {each.id: result for each, result in fresh(language, template_roots())}.get(variant.id)
    assert found is not None, f"the loop has changed since it was run: make results LOOPS={loop_id}"
    assert found.total == len(vectors), f"there are other vectors now: make results LOOPS={loop_id}"
    assert found.passed >= found.total - (3 if variant.budget == "call" else 0)
    assert found.greatest_share <= 1


def test_every_library_tells_the_version_that_is_installed(variants: Mapping[str, tuple[Language, Variant]]) -> None:
    silent = [
        (name, each.name) for name, (_, loop) in variants.items() for each in loop.libraries if not each.installed
    ]
    assert silent == []


def test_results_go_stale_with_any_file_that_the_loop_is_made_of(tmp_path: Path) -> None:
    folder = tmp_path / "snippets" / "x"
    (folder / "workshop").mkdir(parents=True)
    names = ("language.yml", "a.x.jinja", "b.x.jinja", "a.driver", "b.driver", "workshop/m.toml", "part.jinja")
    for name in names:
        (folder / name).write_text(name, encoding="utf-8")
    ours, other = (
        Variant(each, each, "f.x", (Library("l", "1"),), "call", (), (), f"{each}.driver", ("x",), f"x/{each}.x.jinja")
        for each in "ab"
    )
    language = Language("x", "X", "x", "json", (Tool("x", ("x",)),), None, (), "", "", (ours, other), folder)
    row = Result("a", (Installed("x", "1"),), (), 1, 2, 0.5, 60, 0.5, 1.0, "2026-11-30", "")
    before = digest(language, ours, [tmp_path])
    write(language, {"a": Result(**{**{name: getattr(row, name) for name in Result.__slots__}, "digest": before})})
    assert [variant.id for variant, _ in fresh(language, [tmp_path])] == ["a"]
    for name in names:
        (folder / name).write_text(name + "!", encoding="utf-8")
        assert (digest(language, ours, [tmp_path]) == before) is name.startswith("b."), name
        (folder / name).write_text(name, encoding="utf-8")
    mine = tmp_path / "mine" / "snippets" / "x"
    mine.mkdir(parents=True)
    (mine / "a.x.jinja").write_text("mine", encoding="utf-8")
    assert not list(fresh(language, [tmp_path / "mine", tmp_path]))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"results": [{"loop": "a"}]}', '{"results": [7]}', '{"results": 7}'])
def test_a_file_that_is_no_results_gives_none(tmp_path: Path, text: str) -> None:
    language = languages(template_roots()).value[0]  # type: ignore[index]
    (tmp_path / "results.json").write_text(text, encoding="utf-8")
    moved = Language(**{**{name: getattr(language, name) for name in Language.__slots__}, "folder": tmp_path})
    assert results(moved) == {}
