"""Writing: whatever happens meanwhile, a file is the old one or the new one, and nobody's work is lost."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from idempact.cli import main
from idempact.render import replace as replacing
from idempact.render.replace import ChangedMeanwhile, NewFile, replace_files

CONTRACT = Path(__file__).parent / "contracts" / "every-write.yaml"
ROOT = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a: {$ref: paths/a.yaml}\n  /b:\n    post: {}\n'
ITEM = "post:\n  responses: {}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with an API of two files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paths").mkdir()
    (tmp_path / "api.yaml").write_text(ROOT)
    (tmp_path / "paths" / "a.yaml").write_text(ITEM)
    return tmp_path


def _run(*more: str) -> int:
    return main(["inject", "api.yaml", "--contract", str(CONTRACT), "--quiet", *more])


def _texts(folder: Path) -> tuple[str, str]:
    return (folder / "api.yaml").read_text(), (folder / "paths" / "a.yaml").read_text()


@pytest.fixture
def results(folder):
    """The files before and after, and the folder with the files as before."""
    before = _texts(folder)
    assert _run() == 0
    after = _texts(folder)
    assert before[0] != after[0]
    assert before[1] != after[1]
    (folder / "api.yaml").write_text(ROOT)
    (folder / "paths" / "a.yaml").write_text(ITEM)
    return folder, before, after


KILLED = """
import os, sys
from pathlib import Path
from idempact.render import replace as replacing
import fcntl, tempfile
step, count = sys.argv[1], int(sys.argv[2])
modules = [module for module in (os, tempfile, fcntl) if hasattr(module, step)]
for module in modules:
    real = getattr(module, step)
    def stop(*args, real=real, **more):
        global count
        count -= 1
        if count < 0:
            os._exit(9)
        return real(*args, **more)
    setattr(module, step, stop)
from idempact.cli import main
sys.exit(main(["inject", "api.yaml", "--contract", sys.argv[3], "--quiet"]))
"""


@pytest.mark.parametrize(
    ("step", "count"),
    [("mkstemp", 1), ("fchmod", 1), ("fsync", 0), ("fsync", 2), ("flock", 0), ("replace", 0), ("replace", 1)],
)
def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one(step, count, results):
    folder, before, after = results
    done = subprocess.run(
        [sys.executable, "-c", KILLED, step, str(count), str(CONTRACT)], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode in (0, 9), done.stderr
    now = _texts(folder)
    assert all(text in pair for text, pair in zip(now, zip(before, after, strict=True), strict=True))
    # The next run brings everything into line, whatever was left.
    assert _run() == 0
    assert _texts(folder) == after


@pytest.mark.parametrize("step", ["fsync", "replace", "fchmod"])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_a_full_disk_or_a_broken_one_changes_nothing(step, fault, results, monkeypatch, capsys):
    folder, before, _ = results

    def fail(*args, **more):
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(replacing.os, step, fail)
    assert _run() == 2
    monkeypatch.undo()
    assert os.strerror(fault) in capsys.readouterr().err
    assert _texts(folder) == before
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["a.yaml", "api.yaml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_can_not_be_written(results):
    folder, before, _ = results
    (folder / "paths").chmod(0o500)
    try:
        assert _run() == 2
    finally:
        (folder / "paths").chmod(0o700)
    assert _texts(folder) == before


def test_a_folder_without_room_for_a_neighbour_changes_no_other(results, monkeypatch):
    folder, before, _ = results
    real = replacing.tempfile.mkstemp

    def denied(*args, **more):
        if str(more.get("dir")).endswith("paths"):
            raise PermissionError(errno.EACCES, "Permission denied", str(more["dir"]))
        return real(*args, **more)

    monkeypatch.setattr(replacing.tempfile, "mkstemp", denied)
    assert _run() == 2
    assert _texts(folder) == before


def test_a_link_stays_a_link_and_a_mode_stays(results):
    folder, _, after = results
    (folder / "api.yaml").rename(folder / "real.yaml")
    (folder / "api.yaml").symlink_to("real.yaml")
    (folder / "paths" / "a.yaml").chmod(0o640)
    (folder / "real.yaml").chmod(0o604)
    assert _run() == 0
    assert (folder / "api.yaml").is_symlink()
    assert (folder / "real.yaml").read_text() == after[0]
    assert stat.S_IMODE((folder / "real.yaml").stat().st_mode) == 0o604
    assert stat.S_IMODE((folder / "paths" / "a.yaml").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["api.yaml", "paths/a.yaml"])
def test_other_names_of_a_file_keep_the_old_text_and_that_is_told(name, results, capsys):
    """A rename can't reach them; told once, where something is written there."""
    folder, before, after = results
    (folder / "other").hardlink_to(folder / name)
    assert _run("--check") == 1
    assert "hard-link" not in capsys.readouterr().out
    assert _run() == 0
    told = capsys.readouterr().out
    assert f"{name}:1:1: warning: 1 other name of this file" in told
    assert told.count("[openapi/hard-link]") == 1
    assert _texts(folder) == after
    assert (folder / "other").read_text() in before
    assert _run() == 0
    assert "hard-link" not in capsys.readouterr().out


def test_an_edit_meanwhile_is_not_overwritten(results, monkeypatch, capsys):
    folder, before, _ = results
    real = replacing._neighbour

    def edited(target, data):
        (folder / "paths" / "a.yaml").write_text(ITEM + "# somebody's work\n")
        return real(target, data)

    monkeypatch.setattr(replacing, "_neighbour", edited)
    assert _run() == 2
    assert "meanwhile" in capsys.readouterr().err
    assert _texts(folder) == (before[0], ITEM + "# somebody's work\n")


def test_an_edit_meanwhile_of_a_file_that_stays_stops_the_others(results, monkeypatch):
    """What is written to one file follows from what was read of all."""
    folder, _, after = results
    (folder / "api.yaml").write_text(after[0])
    real = replacing._neighbour

    def edited(target, data):
        assert target.name == "a.yaml", "the root is as it should be"
        (folder / "api.yaml").write_text(ROOT)
        return real(target, data)

    monkeypatch.setattr(replacing, "_neighbour", edited)
    assert _run() == 2
    assert _texts(folder) == (ROOT, ITEM)


def test_two_runs_at_once(results):
    folder, _, after = results
    command = [sys.executable, "-m", "idempact", "inject", "api.yaml", "--contract", str(CONTRACT), "--quiet"]
    runs = [subprocess.Popen(command, cwd=folder, stdout=-3, stderr=-3) for _ in range(3)]
    codes = {run.wait() for run in runs}
    assert codes <= {0, 2}
    assert 0 in codes
    assert _texts(folder) == after


def test_all_or_nothing_where_something_has_changed(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    with pytest.raises(ChangedMeanwhile):
        replace_files((NewFile(one, b"new", b"1"), NewFile(two, b"new", b"other")))
    with pytest.raises(ChangedMeanwhile):
        replace_files((NewFile(one, b"new", b"1"), NewFile(tmp_path / "gone", b"new", b"")))
    with pytest.raises(ChangedMeanwhile):
        replace_files((NewFile(one, b"new", b"1"),), still=((two, b"other"),))
    assert (one.read_bytes(), two.read_bytes()) == (b"1", b"2")
    replace_files((NewFile(one, b"new", b"1"), NewFile(tmp_path / "deep" / "three", b"new")))
    assert one.read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "one", "three", "two"]


@pytest.mark.parametrize("old", [b"abcde", "abcde"])
@pytest.mark.parametrize(
    "there", [b"", b"a", b"ab", b"abc", b"abcd", b"abcde", b"abcdef", b"xbcde", b"abxde", b"abcdx"]
)
def test_a_change_is_noticed_wherever_it_stands(there, old, tmp_path, monkeypatch):
    monkeypatch.setattr(replacing, "_PIECE", 2)
    path = tmp_path / "file"
    path.write_bytes(there)
    if there == b"abcde":
        replace_files((NewFile(path, b"new", old),))
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(ChangedMeanwhile):
            replace_files((NewFile(path, b"new", old),))
        assert path.read_bytes() == there


@pytest.mark.parametrize("text", ["", "a", "ab", "abc\r\n", "\ufeffä", "價格\n", "x😀y", "é" * 5])
def test_a_text_is_written_and_compared_as_its_bytes(text, tmp_path, monkeypatch):
    """Pieces of a text end between characters, and those of the file wherever the text's bytes do."""
    monkeypatch.setattr(replacing, "_PIECE", 2)
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    replace_files((NewFile(path, text + "!", text),))
    assert path.read_bytes() == f"{text}!".encode()
    with pytest.raises(ChangedMeanwhile):
        replace_files((NewFile(path, "new", text),))
