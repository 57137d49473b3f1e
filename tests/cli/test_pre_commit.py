"""Our hooks as pre-commit itself runs them: it builds the package from this working tree, and hands over the files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = next(parent for parent in Path(__file__).parents if (parent / "pyproject.toml").is_file())
CONTRACT = ROOT / "tests" / "openapi" / "contracts" / "every-write.yaml"
API = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post: {}\n'
ONCE = "We guarantee that every payment is processed exactly once.\n"
# What of the environment would make git work on the wrong repository.
WITHOUT = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "PRE_COMMIT_HOME")


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@t.example", "-c", "commit.gpgsign=false")
    env = {name: value for name, value in os.environ.items() if name not in WITHOUT}
    return subprocess.run(
        ["git", *who, *words], cwd=folder, env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the working tree of this one, as its hooks would be published now."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not in a git checkout")
    if find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed")
    folder = tmp_path_factory.mktemp("hooks")
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "The hooks")
    return folder


@pytest.fixture(scope="module")
def run(hooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Path], tuple[int, str]]:
    """Run one hook on all files of a repository; its exit code, and what it said."""
    home = tmp_path_factory.mktemp("home")
    env = {name: value for name, value in os.environ.items() if name not in WITHOUT}
    env |= {"PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}
    ready = False

    def once(hook: str, folder: Path) -> tuple[int, str]:
        nonlocal ready
        config = f"repos:\n  - repo: {hooks}\n    rev: {git(hooks, 'rev-parse', 'HEAD')}\n    hooks:\n"
        config += f"      - id: {hook}\n" + ("        args: [openapi.yaml]\n" if hook == "idempact-inject" else "")
        (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
        git(folder, "add", "-A")
        command = [sys.executable, "-m", "pre_commit"]
        if not ready:
            made = subprocess.run(
                [*command, "install-hooks"], cwd=folder, env=env, capture_output=True, text=True, check=False
            )
            if made.returncode and os.environ.get("CI") != "true":
                pytest.skip(f"pre-commit can't install the hooks: {(made.stdout + made.stderr)[-300:]}")
            assert made.returncode == 0, made.stdout + made.stderr
            ready = True
        done = subprocess.run(
            [*command, "run", "--all-files", hook], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    return once


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of somebody else."""
    git(tmp_path, "init", "-q")
    (tmp_path / "contract").mkdir()
    shutil.copy(CONTRACT, tmp_path / "contract" / "contract.yaml")
    (tmp_path / "openapi.yaml").write_text(API, encoding="utf-8")
    (tmp_path / "README.md").write_text("Nothing is promised here.\n", encoding="utf-8")
    return tmp_path


def test_the_lint_hook_stops_a_commit_that_promises_too_much(
    run: Callable[[str, Path], tuple[int, str]], project: Path
) -> None:
    assert run("idempact-lint", project)[0] == 0
    (project / "docs").mkdir()
    (project / "docs" / "a b.rst").write_text(ONCE, encoding="utf-8")
    (project / "code.py").write_text(f"# {ONCE}", encoding="utf-8")
    code, said = run("idempact-lint", project)
    assert code == 1
    assert "docs/a b.rst:1:" in said
    assert "[prose/" in said
    assert "code.py" not in said


def test_the_check_hook_stops_a_broken_contract(run: Callable[[str, Path], tuple[int, str]], project: Path) -> None:
    assert run("idempact-check", project)[0] == 0
    (project / "contract" / "contract.yaml").write_text("idempact: 1\n", encoding="utf-8")
    code, said = run("idempact-check", project)
    assert (code, "[contract/" in said) == (1, True)


def test_the_inject_hook_stops_a_file_that_is_behind_its_contract(
    run: Callable[[str, Path], tuple[int, str]], project: Path
) -> None:
    code, said = run("idempact-inject", project)
    assert (code, "+x-idempotency:" in said) == (1, True)
    assert (project / "openapi.yaml").read_text(encoding="utf-8") == API
    command = [sys.executable, "-m", "idempact", "inject", "openapi.yaml"]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    assert run("idempact-inject", project)[0] == 0
