"""`inject` writes in the contract's first locale, and says plainly where that has no words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPENAPI = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /payments:\n    post:\n      responses: {}\n"


def run(folder: Path, locales: str, *more: str) -> subprocess.CompletedProcess[str]:
    minimal = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")
    (folder / "c.yaml").write_text(f"{minimal}publish: {{locales: {locales}}}\n", encoding="utf-8")
    (folder / "o.yaml").write_text(OPENAPI, encoding="utf-8")
    command = [sys.executable, "-m", "idempact", *more, "o.yaml", "--contract", "c.yaml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("locales", "words"), [("[en]", "Identifies this request"), ("[zh, en]", "请求")])
def test_descriptions_are_in_the_first_locale(tmp_path: Path, locales: str, words: str) -> None:
    done = run(tmp_path, locales, "inject")
    assert done.returncode == 0, done.stdout + done.stderr
    assert words in (tmp_path / "o.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["inject", "audit"])
def test_a_locale_without_words_is_wrong_use(tmp_path: Path, command: str) -> None:
    done = run(tmp_path, "[xx]", command)
    assert done.returncode == 2
    assert "no words for the locale 'xx'" in done.stderr
    assert "our own fault" not in done.stderr
    assert (tmp_path / "o.yaml").read_text(encoding="utf-8") == OPENAPI
