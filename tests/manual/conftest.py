"""What the manual's tests share: the staged manual, and copies of the repository in which things are added."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".git", ".venv", ".ci", "build", "dist", "node_modules", "__pycache__", ".*_cache", ".hypothesis")


def _run(folder: Path, *words: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    found = {**os.environ, "NO_MKDOCS_2_WARNING": "1", **(environment or {})}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=found)


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command in a folder."""
    return _run


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The staged manual of this repository."""
    out = tmp_path_factory.mktemp("manual") / "docs"
    done = _run(ROOT, sys.executable, "-m", "idempact", "manual", "--out", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture
def copied(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A copy of the repository without what was built, and the environment in which its own code runs there."""
    copy = tmp_path / "repository"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, words in (("idempact", f'"{sys.executable}" -m idempact'), ("python", f'"{sys.executable}"')):
        command = bin_folder / name
        command.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    path = f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"
    return copy, {"PATH": path, "PYTHONPATH": str(copy / "generator")}
