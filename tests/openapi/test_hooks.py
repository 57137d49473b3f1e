"""The hook and the workflow that the manual shows: both are read, and their commands run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.cli import main

ROOT = Path(__file__).parents[2]
CONTRACT = Path(__file__).parent / "contracts" / "every-write.yaml"
API = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post: {}\n'


@pytest.fixture
def examples():
    """The YAML blocks of the page, by their first key."""
    text = (ROOT / "site_src" / "project" / "openapi" / "index.md").read_text(encoding="utf-8")
    blocks = [YAML(typ="safe").load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]
    return {next(iter(block)): block for block in blocks}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "contract").mkdir()
    shutil.copy(CONTRACT, tmp_path / "contract" / "contract.yaml")
    (tmp_path / "openapi.yaml").write_text(API)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _fails_until_injected(words, folder, capsys):
    assert words[0] == "idempact"
    assert main(words[1:]) == 1
    assert (folder / "openapi.yaml").read_text() == API
    shown = capsys.readouterr()
    assert "+x-idempotency:" in shown.out + shown.err
    assert "idempact inject openapi.yaml --contract contract/contract.yaml" in shown.err
    assert main(["inject", "openapi.yaml"]) == 0
    assert main(words[1:]) == 0


def test_the_hook(examples, folder, capsys):
    hooks = {hook["id"]: hook for hook in YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")}
    hook = hooks["idempact-inject"]
    assert hook["pass_filenames"] is False
    (used,) = examples["repos"]["repos"][0]["hooks"]
    assert used["id"] == hook["id"]
    _fails_until_injected([*shlex.split(hook["entry"]), *used["args"]], folder, capsys)


def test_the_workflow(examples, folder, capsys):
    steps = examples["name"]["jobs"]["contract"]["steps"]
    command = next(step["run"] for step in steps if "--check" in step.get("run", ""))
    _fails_until_injected(shlex.split(command), folder, capsys)
