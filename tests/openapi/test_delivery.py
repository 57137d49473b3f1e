"""Where a result goes: no input is lost, no document of findings is spoilt, and references lead where they led."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from idempact.cli import main

ROOT = Path(__file__).parents[2]
MINIMAL = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")
API = """\
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /payments:
    post:
      requestBody: {content: {application/json: {schema: {$ref: "schemas.yaml#/S"}}}}
      responses: {"200": {description: ok}}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(MINIMAL)
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "schemas.yaml").write_text("S: {type: object}\n")
    return tmp_path


@pytest.mark.parametrize("form", ["json", "sarif"])
@pytest.mark.parametrize(
    "command",
    ["inject api.yaml --contract c.yaml --check", "inject api.yaml --contract c.yaml --check --output o.yaml"],
)
def test_a_document_of_findings_says_that_a_file_is_behind_and_holds_nothing_else(
    place: Path, capsys: pytest.CaptureFixture[str], command: str, form: str
) -> None:
    assert main([*command.split(), "--format", form]) == 1
    told = capsys.readouterr()
    assert "openapi/not-current" in json.dumps(json.loads(told.out))
    assert "+++ b/" in told.err
    assert main(shlex.split(told.err.rpartition("; run: ")[2])[1:]) == 0
    capsys.readouterr()
    assert main([*command.split(), "--format", form]) == 0
    assert "openapi/not-current" not in capsys.readouterr().out


def test_a_file_that_is_behind_is_annotated_at_its_first_line_to_change(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inject", "api.yaml", "--contract", "c.yaml", "--check", "--format", "github"]) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "not-current" in line]
    assert line.startswith("::error ")
    assert ",file=api.yaml,line=7," in line
    assert main(["inject", "api.yaml", "--contract", "c.yaml"]) == 0
    assert main(["eject", "api.yaml", "--check", "--format", "github"]) == 1
    out = capsys.readouterr().out
    assert "put into this file is in it still" in out
    assert "idempact eject api.yaml" in out


def test_a_file_of_which_nothing_is_there_yet_is_behind_at_its_first_line(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["inject", "api.yaml", "--contract", "c.yaml", "--check", "--output", "new.yaml", "--format", "github"]
    assert main(words) == 1
    assert "file=new.yaml,line=1," in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        "inject api.yaml --contract c.yaml --output {c}",
        "overlay api.yaml --contract c.yaml --out {c}",
        "overlay api.yaml --contract c.yaml --out {api}",
        "export spectral c.yaml --out {c}",
    ],
)
@pytest.mark.parametrize("name", ["plain", "dotted", "link"])
def test_no_command_writes_over_a_file_that_it_reads(
    place: Path, capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    names = {"c": "c.yaml", "api": "api.yaml"}
    if name == "dotted":
        names = {key: f"./{value}" for key, value in names.items()}
    elif name == "link":
        for key, value in names.items():
            os.symlink(value, place / f"{key}.link")
        names = {key: f"{key}.link" for key in names}
    assert main(command.format(**names).split()) == 2
    assert "is read here, and would be overwritten" in capsys.readouterr().err
    assert (place / "c.yaml").read_text() == MINIMAL
    assert (place / "api.yaml").read_text() == API


def test_an_api_may_be_written_to_its_own_name(place: Path) -> None:
    assert main(["inject", "api.yaml", "--contract", "c.yaml", "--output", "api.yaml"]) == 0
    assert main(["inject", "api.yaml", "--contract", "c.yaml", "--check"]) == 0


@pytest.mark.parametrize(("output", "moved"), [("other.yaml", False), ("o/api.yaml", True), ("./o/../x.yaml", False)])
def test_references_that_lead_elsewhere_from_another_folder_are_told(
    place: Path, capsys: pytest.CaptureFixture[str], output: str, moved: bool
) -> None:
    (place / "o").mkdir()
    assert main(["inject", "api.yaml", "--contract", "c.yaml", "--output", output]) == 0
    told = capsys.readouterr()
    assert ("[openapi/moved-reference]" in told.out) is moved
    assert ("schemas.yaml#/S" in told.out) is moved


def test_references_inside_the_document_and_over_the_network_move_with_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for reference in ("#/components/schemas/S", "https://example.com/s.yaml#/S"):
        (place / "api.yaml").write_text(API.replace("schemas.yaml#/S", reference) + "components: {schemas: {S: {}}}\n")
        assert main(["inject", "api.yaml", "--contract", "c.yaml", "--output", "o/api.yaml"]) == 0
        assert "moved-reference" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("api", "out", "extends"),
    [
        ("api.yaml", "a.overlay.yaml", "api.yaml"),
        ("api.yaml", "sub/a.overlay.yaml", "../api.yaml"),
        ("my api's.yaml", "sub/deep/a.overlay.yaml", "../../my%20api%27s.yaml"),
    ],
)
def test_an_overlay_names_its_api_from_its_own_folder(place: Path, api: str, out: str, extends: str) -> None:
    (place / api).write_text(API)
    words = ["overlay", api, "--contract", "c.yaml"]
    assert main([*words, "--out", out]) == 0
    assert f"extends: {extends}\n" in (place / out).read_text()
    assert main([*words, "--check", out]) == 0
