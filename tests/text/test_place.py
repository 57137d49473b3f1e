"""Paths of shipped files are like the standard library's, as far as they go."""

from __future__ import annotations

import os
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.resources.place import Path

NAMES = st.text(st.sampled_from("ab._-é"), min_size=1, max_size=6).filter(lambda name: set(name) != {"."})


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_any_path_has_the_parts_that_the_standard_librarys_has(names: list[str]) -> None:
    ours, theirs = Path("/"), pathlib.Path("/")
    for name in names:
        ours, theirs = ours / name, theirs / name
    assert str(ours) == str(theirs)
    assert os.fspath(ours) == str(theirs)
    assert (ours.name, str(ours.parent)) == (theirs.name, str(theirs.parent))
    assert ours.parent / ours.name == ours
    assert hash(ours.parent / ours.name) == hash(ours)


@given(st.text(st.sampled_from("abc_-"), min_size=1), st.text(st.sampled_from("abc"), min_size=1))
def test_any_files_stem_is_its_name_without_the_ending(stem: str, ending: str) -> None:
    name = f"{stem}.{ending}"
    assert (Path("/x") / name).stem == pathlib.Path("/x", name).stem == stem


def test_what_is_there_is_listed_and_read_as_by_the_standard_library(tmp_path: pathlib.Path) -> None:
    for name in ("b.yml", "a.yml", "c.yaml", "d.yml.txt"):
        (tmp_path / name).write_text(f"é {name}\r\n", encoding="utf-8")
    ours = Path(str(tmp_path))
    assert list(map(str, sorted(ours.glob("*.yml")))) == list(map(str, sorted(tmp_path.glob("*.yml"))))
    for path in ours.glob("*.yml"):
        theirs = pathlib.Path(str(path))
        assert path.read_text(encoding="utf-8") == theirs.read_text(encoding="utf-8")
        assert path.read_bytes() == theirs.read_bytes()
        assert path.is_file()
    assert not ours.is_file()
    assert list((ours / "none").glob("*.yml")) == []
    with pytest.raises(FileNotFoundError):
        (ours / "none").read_bytes()
