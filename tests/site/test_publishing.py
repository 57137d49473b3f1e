"""The workflow that publishes on GitHub Pages is one, and its own steps lead to the folder that it uploads."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
WORKFLOW = ".github/workflows/pages.yml"


@pytest.fixture
def started(run: Run, tmp_path: Path) -> Path:
    done = run(tmp_path, "idempact", "new", "--minimal", "--github")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "contract" / "contract.yaml").open("a", encoding="utf-8") as contract:
        contract.write("publish: {languages: [python]}\n")
    return tmp_path


def workflow(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe").load((folder / WORKFLOW).read_text(encoding="utf-8"))
    return found


def steps(folder: Path) -> list[dict[str, Any]]:
    return [step for job in workflow(folder)["jobs"].values() for step in job["steps"]]


def test_only_who_asks_for_it_gets_the_workflow(run: Run, tmp_path: Path) -> None:
    assert run(tmp_path, "idempact", "new").returncode == 0
    assert not (tmp_path / ".github").exists()


def test_the_workflow_is_one_by_githubs_schema(run: Run, started: Path) -> None:
    command = ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", WORKFLOW)
    told = run(started, *command)
    assert told.returncode == 0, told.stdout
    path = started / WORKFLOW
    path.write_text(path.read_text(encoding="utf-8").replace("runs-on:", "runs_on:"), encoding="utf-8")
    assert run(started, *command).returncode == 1


def test_each_action_is_pinned_and_each_job_has_only_the_rights_that_it_needs(started: Path) -> None:
    uses = [step["uses"] for step in steps(started) if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@v[1-9]\d*", name) for name in uses)
    names = [name.split("@")[0].removeprefix("actions/") for name in uses]
    assert names == ["checkout", "setup-python", "upload-pages-artifact", "deploy-pages"]
    found = workflow(started)
    assert found["permissions"] == {"contents": "read"}
    build, publish = found["jobs"]["build"], found["jobs"]["publish"]
    assert "permissions" not in build
    # https://github.com/actions/deploy-pages: these two rights, this environment, and an artifact that is there.
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert publish["environment"]["name"] == "github-pages"
    assert publish["needs"] == "build"
    # A pull request is built and never published.
    upload = next(step for step in build["steps"] if "upload" in step.get("uses", ""))
    assert publish["if"] == upload["if"] == "github.ref == 'refs/heads/main'"
    assert {"push", "pull_request"} <= set(found["on"])


def test_its_commands_make_the_folder_that_is_uploaded(run: Run, started: Path) -> None:
    commands = [step["run"] for step in steps(started) if "run" in step]
    assert commands[0] == "pip install --requirement requirements.txt"
    for command in commands[1:]:
        done = run(started, "bash", "-euo", "pipefail", "-c", command)
        assert done.returncode == 0, done.stdout + done.stderr
    uploaded = next(step["with"]["path"] for step in steps(started) if "upload-pages" in step.get("uses", ""))
    site = started / uploaded
    assert (site / "index.html").is_file()
    # The upload leaves hidden files out (actions/upload-artifact, `include-hidden-files`).
    assert list(site.rglob(".*")) == []


def test_what_is_installed_is_what_this_version_is_tested_with(started: Path) -> None:
    wanted = dict(
        line.split("==")
        for line in (started / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert wanted.pop("idempact[site]") == project["version"]
    pinned = dict(
        line.split("==") for line in (ROOT / ".ci" / "constraints.txt").read_text().splitlines() if "==" in line
    )
    assert set(wanted) == {re.split(r"[<>=]", need)[0] for need in project["optional-dependencies"]["site"]}
    assert {name: pinned[name] for name in wanted} == wanted


def test_the_page_on_publishing_shows_the_workflow_as_it_is(started: Path) -> None:
    page = (ROOT / "site_src" / "project" / "publishing.md").read_text(encoding="utf-8")
    assert f'```yaml title="{WORKFLOW}"\n{(started / WORKFLOW).read_text(encoding="utf-8")}```\n' in page
