"""The commands lint, rules and explain, as a user meets them."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest

from idempact.cli import main


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "docs/a.md": "Payments run exactly once.\n",
        "docs/b.txt": "Nothing here.\n",
        "docs/openapi.yaml": "openapi: 3.1.0\ninfo: {title: runs exactly once}\n",
        "docs/other.yaml": "description: runs exactly once\n",
        "docs/code.py": "# exactly once\n",
        "docs/ignored.md": "Payments run exactly once.\n",
        "docs/build/b.md": "Payments run exactly once.\n",
        "docs/node_modules/b.md": "Payments run exactly once.\n",
        "docs/.venv/b.md": "Payments run exactly once.\n",
        ".gitignore": "ignored.md\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    return tmp_path


def test_a_folder_is_walked_without_what_is_ignored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "lint", "docs", "docs/a.md", "--format", "json")
    found = json.loads(out)["findings"]
    assert [f["place"]["path"] for f in found] == ["docs/a.md", "docs/openapi.yaml"]
    assert code == 0


def test_strict_makes_warnings_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "lint", "--strict", "docs/a.md")
    assert code == 1
    assert out.startswith("docs/a.md:1:14: warning: ")
    assert "1 | Payments run exactly once.\n  |              ^^^^^^^^^^^^\n" in out
    assert _run(capsys, "lint", "--strict", "docs/b.txt")[0] == 0


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("我们精确一次投递。".encode()), "utf-8"))
    code, out, _ = _run(capsys, "lint", "-", "--format", "github")
    assert code == 0
    assert out.startswith("::warning col=3,endColumn=7,endLine=1,file=-,line=1,title=prose/exactly-once::")


def test_what_cannot_be_read_is_a_finding_and_the_rest_is_judged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.md").write_bytes(b"caf\xe9 exactly once")
    code, out, _ = _run(capsys, "lint", "bad.md", "docs/a.md", "--format", "json")
    assert code == 1
    assert [f["rule"] for f in json.loads(out)["findings"]] == [
        "text/not-utf-8",
        "prose/exactly-once",
    ]


def test_a_control_character_in_markdown_is_no_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "page.md").write_text("A page.\x0c\n\nPayments run exactly once.\n", encoding="utf-8")
    _, out, _ = _run(capsys, "lint", "page.md", "--format", "json")
    assert [f["rule"] for f in json.loads(out)["findings"]] == ["prose/exactly-once"]


def test_no_path_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = _run(capsys, "lint")
    assert code == 2
    assert "at least one file" in err


def test_evaluate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = "verdict\tlang\tsentence\nflag\ten\tPayments run exactly once.\nflag\ten\tHello.\nok\tzh\t你好。\n"
    (folder / "t.tsv").write_text(table, encoding="utf-8")
    code, out, err = _run(capsys, "lint", "--evaluate", "t.tsv")
    assert code == 0
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["en", "2", "1.000", "(0.207-1.000)", "0.500", "(0.095-0.905)", "1", "0"],
        ["zh", "1", "-", "-", "0", "0"],
        ["all", "3", "1.000", "(0.207-1.000)", "0.500", "(0.095-0.905)", "1", "0"],
    ]
    assert err == "line 3: en, wanted flag: Hello.\n"
    assert _run(capsys, "lint", "--evaluate", "missing.tsv")[0] == 2
    assert _run(capsys, "lint", "--evaluate", "docs/a.md")[0] == 0


def test_rules_lists_every_family_and_explain_knows_each(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "rules")
    assert code == 0
    ids = [line.split()[0] for line in out.splitlines()]
    assert ids == sorted(set(ids))
    assert "prose/exactly-once" in ids
    for rule in ids:
        code, told, _ = _run(capsys, "explain", rule)
        assert code == 0
        assert told.startswith(rule)
        parts = [part.partition(": ")[0] for part in told.split("\n\n")[2:]]
        assert parts[:3] == ["Severity", "Why", "Instead"]


def test_rules_and_explain_speak_json_and_no_format_of_findings(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(_run(capsys, "rules", "--format", "json")[1])
    assert [rule["id"] for rule in listed] == sorted(rule["id"] for rule in listed)
    for rule in listed[::40]:
        assert json.loads(_run(capsys, "explain", rule["id"], "--format", "json")[1]) == rule
    for command in (["rules"], ["explain", listed[0]["id"]]):
        assert _run(capsys, *command, "--format", "sarif")[0] == 2


def test_what_is_not_there_is_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "lint", "docs/a.md", "gone.md", "lost")
    assert (code, out) == (2, "")
    assert "there is no gone.md and no lost" in err


def test_an_unknown_rule_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "explain", "prose/exactly-onse")
    assert (code, out) == (2, "")
    assert "did you mean prose/exactly-once" in err
    assert "prose/retry-forever" in _run(capsys, "explain", "retry_forever")[2]
    assert "lists them all" in _run(capsys, "explain", "zzz")[2]


def test_a_folders_links_are_read_and_never_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
    text = "Send `X-Idempotency-Key`.\n"
    docs, outside = tmp_path / "docs", tmp_path / "outside"
    for folder in (docs / "sub", docs / ".hidden", outside / "more"):
        folder.mkdir(parents=True)
    targets = [docs / "a.md", docs / ".hidden" / "b.md", outside / "c.md", outside / "more" / "d.md"]
    for target in targets:
        target.write_text(text, encoding="utf-8")
    for name, target in {"sub/a.md": "../a.md", "b.md": ".hidden/b.md", "c.md": "../outside/c.md"}.items():
        (docs / name).symlink_to(target)
    (docs / "more").symlink_to("../outside/more", target_is_directory=True)
    command = ["lint", "--fix", "--contract", str(root / "contract" / "contract.yaml"), "--format", "json"]
    _, out, _ = _run(capsys, *command, str(docs))
    # What the search finds itself is mended there; what only a link leads to is told.
    told = [Path(f["place"]["path"]).relative_to(docs).as_posix() for f in json.loads(out)["findings"]]
    assert sorted(told) == ["b.md", "c.md"]
    assert [target.read_text(encoding="utf-8") == text for target in targets] == [False, True, True, True]
    # Who names a link names the file.
    _run(capsys, *command, str(docs / "c.md"))
    assert targets[2].read_text(encoding="utf-8") == "Send `Idempotency-Key`.\n"
