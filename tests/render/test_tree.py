"""The one writer of generated trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.render.artifact import Artifact
from idempact.render.replace import replace_file
from idempact.render.tree import MANIFEST, manifest, plan, write


def files(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.is_file() and p.name != MANIFEST
    }


def build(folder: Path, **wanted: str) -> None:
    planned = plan(folder, [Artifact(path, text) for path, text in wanted.items()])
    assert not planned.refusals
    write(planned)


def test_what_is_no_longer_made_is_removed_with_its_empty_folder(tmp_path: Path) -> None:
    build(tmp_path, **{"a.md": "A", "errors/old.md": "old"})
    build(tmp_path, **{"a.md": "A2"})
    assert files(tmp_path) == {"a.md": "A2"}
    assert not (tmp_path / "errors").exists()


def test_a_file_that_we_did_not_make_is_neither_overwritten_nor_removed(tmp_path: Path) -> None:
    build(tmp_path, **{"a.md": "A"})
    (tmp_path / "mine.md").write_text("mine")
    planned = plan(tmp_path, [Artifact("a.md", "A"), Artifact("mine.md", "theirs")])
    assert [d.rule for d in planned.refusals] == ["build/foreign-file"]
    build(tmp_path, **{"a.md": "B"})
    assert files(tmp_path) == {"a.md": "B", "mine.md": "mine"}


def test_two_outputs_of_one_path_are_refused_letter_case_apart(tmp_path: Path) -> None:
    planned = plan(tmp_path, [Artifact("errors/A.md", ""), Artifact("errors/a.md", "")])
    assert [d.rule for d in planned.refusals] == ["build/colliding-artifact"]


@pytest.mark.parametrize("path", ["../a", "/a", "a/../../b", "a//b", "./a", "a\\..\\b"])
def test_a_path_that_leaves_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    assert [d.rule for d in plan(tmp_path, [Artifact(path, "")]).refusals] == ["build/escaping-path"]


def test_a_damaged_or_hostile_manifest_removes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    build(folder, **{"a.md": "A"})
    (tmp_path / "precious").write_text("kept")
    for text in ("", "[]", '{"files": []}', '{"files": {"../precious": "x"}}', "\x00"):
        (folder / MANIFEST).write_text(text)
        assert "../precious" not in manifest(folder)
        planned = plan(folder, [])
        assert not planned.differences
    assert (tmp_path / "precious").read_text() == "kept"


@given(st.dictionaries(st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3})?\.md", fullmatch=True), st.text(), max_size=6))
def test_any_tree_is_there_after_a_write_and_a_second_one_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, wanted: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    artifacts = [Artifact(path, text) for path, text in wanted.items() if "\r" not in text]
    write(plan(folder, artifacts))
    assert plan(folder, artifacts).differences == ()
    assert files(folder) == {a.path: a.text for a in artifacts}


def test_a_replaced_file_keeps_its_mode_and_a_failed_write_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"newer")
    assert path.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
