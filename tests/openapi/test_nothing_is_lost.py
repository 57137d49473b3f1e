"""What a user could lose by a run that does half of the work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEFORE = """\
openapi: 3.0.3
info: {title: A, version: "1"}
paths:
  /payments:
    post:
      responses:
        "201":
          description: made
"""


@pytest.fixture
def run(tmp_path):
    def command(*words: str) -> subprocess.CompletedProcess[str]:
        contract = ["--contract", str(ROOT / "contract" / "minimal.yaml")] if words[0] == "inject" else []
        full = [sys.executable, "-m", "idempact", *words, *contract]
        return subprocess.run(full, cwd=tmp_path, capture_output=True, text=True, check=False)

    return command


def test_eject_of_an_edited_file_takes_out_all_or_nothing(run, tmp_path):
    path = tmp_path / "o.yaml"
    path.write_text(BEFORE, encoding="utf-8")
    assert run("inject", "o.yaml").returncode == 0
    edited = path.read_text(encoding="utf-8").replace("maxLength: 255", "maxLength: 99")
    path.write_text(edited, encoding="utf-8")
    stopped = run("eject", "o.yaml")
    assert stopped.returncode == 1
    assert "nothing was written" in stopped.stdout
    assert path.read_text(encoding="utf-8") == edited
    assert run("eject", "o.yaml", "--force").returncode == 0
    assert path.read_text(encoding="utf-8") == BEFORE


def test_an_empty_section_that_ours_would_refer_to_is_refused_at_its_place(run, tmp_path):
    path = tmp_path / "o.yaml"
    text = f"{BEFORE}components:\n  headers:\n"
    path.write_text(text, encoding="utf-8")
    refused = run("inject", "o.yaml")
    assert refused.returncode == 1
    line = len(text.splitlines())
    assert f"o.yaml:{line}:" in refused.stdout
    assert "remove the key or give it a value" in refused.stdout
    assert "report this" not in refused.stdout
    assert path.read_text(encoding="utf-8") == text
