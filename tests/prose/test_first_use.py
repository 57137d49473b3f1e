"""What somebody tries who has never used the lint before: odd files, odd folders, odd comments, standard input."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from idempact.cli import main
from idempact.prose.lint import lint
from idempact.text.span import Document

LOST = "Messages are never lost.\n"
ALLOWED = "idempact: allow prose/never-lost because we quote it"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Where something was found."""
    lines = (line.partition(" ")[0] for line in capsys.readouterr().out.splitlines())
    return [line for line in lines if line.endswith(":") and line[0] not in "0123456789"]


def speak(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_in_a_folder_is_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "a.md")
    (folder / "b.md").write_text(LOST)
    assert main(["lint", "."]) == 0
    assert said(capsys) == ["b.md:1:14:"]


def test_links_in_a_ring_end_and_a_link_to_nothing_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ring").symlink_to(".")
    (folder / "a.md").write_text(LOST)
    assert main(["lint", "."]) == 0
    assert said(capsys) == ["a.md:1:14:"]
    (folder / "b.md").symlink_to("nothing.md")
    assert main(["lint", "."]) == 1
    assert "b.md" in capsys.readouterr().out


def test_a_folder_that_cannot_be_read_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "shut").mkdir()
    (folder / "a.md").write_text(LOST)
    scan = os.scandir

    def refusing(path: str) -> object:
        if os.path.basename(path) == "shut":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    # Who runs the tests as root can read everything.
    monkeypatch.setattr(os, "scandir", refusing)
    assert main(["lint", "."]) == 1
    out = capsys.readouterr().out
    assert "shut: Permission denied" in out
    assert "a.md:1:14" in out


def test_an_ignored_folder_is_read_where_it_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / ".gitignore").write_text("made/\n")
    (folder / "made" / "sub").mkdir(parents=True)
    (folder / "made" / "sub" / "a.md").write_text(LOST)
    for path, wanted in ((".", []), ("made", ["made/sub/a.md:1:14:"]), ("made/sub", ["made/sub/a.md:1:14:"])):
        assert main(["lint", path]) == 0
        assert said(capsys) == wanted


def test_standard_input_is_read_as_what_it_is_called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("a.html", "<pre>never lost</pre><p>Messages are never lost.</p>"),
        ("a.py", f"# {LOST}x = 1\n"),
    ):
        speak(monkeypatch, text)
        assert main(["lint", "-", "--stdin-name", name]) == 0
        assert [place.partition(":")[0] for place in said(capsys)] == [name]


def test_what_fix_cannot_do_is_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.md").write_text(LOST)
    assert main(["lint", "--fix", "a.md"]) == 2
    assert "--contract" in capsys.readouterr().err
    assert main(["lint", "--fix", "--contract", "contract.yaml", "-"]) == 2
    assert "standard input" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"<!-- {ALLOWED} -->\n{LOST}"),
        ("a.md", f"<!--{ALLOWED}-->\n{LOST}"),
        ("a.md", f"<!--{ALLOWED.replace(': ', ':')}-->\n{LOST}"),
        ("a.md", f"{LOST.strip()} <!-- {ALLOWED} -->\n"),
        ("a.md", f"<!--\n{ALLOWED}\n-->\n\n{LOST}"),
        ("a.mdx", f"{{/* {ALLOWED} */}}\n\n{LOST}"),
        ("a.mdx", f"{{/*\n{ALLOWED}\n*/}}\n\n{LOST}"),
        ("a.html", f"<!-- {ALLOWED} --><p>{LOST}</p>"),
        ("a.rst", f".. {ALLOWED}\n\n{LOST}"),
        ("a.adoc", f"// {ALLOWED}\n\n{LOST}"),
        ("a.py", f"# {ALLOWED}\n# {LOST}x = 1\n"),
        ("a.md.jinja", f"{{# {ALLOWED} #}}\n\n{LOST}"),
        ("a.md.jinja", f"{{#- {ALLOWED} -#}}\n\n{LOST}"),
        ("a.md.erb", f"<%# {ALLOWED} %>\n\n{LOST}"),
        ("a.md.hbs", f"{{{{!-- {ALLOWED} --}}}}\n\n{LOST}"),
        ("a.yaml", f'openapi: 3.1.0\n# {ALLOWED}\ninfo: {{title: "{LOST.strip()}", version: "1"}}\npaths: {{}}\n'),
    ],
)
def test_an_allowance_is_heard_in_the_comments_of_every_kind(name: str, text: str) -> None:
    assert lint(Document(name, text)) == ()
    unheard = text.replace("idempact:", "something:")
    assert [d.rule for d in lint(Document(name, unheard))] == ["prose/never-lost"]


def test_allowances_of_several_rules_need_no_space_between_them() -> None:
    text = "<!-- idempact: allow prose/never-lost,prose/unknown because we quote it -->\nMessages are never lost.\n"
    assert {d.rule for d in lint(Document("a.md", text))} <= {"prose/unknown-suppression", "prose/unused-suppression"}


def test_what_an_mdx_comment_says_is_not_prose() -> None:
    assert lint(Document("a.mdx", f"Text.\n\n{{/* {LOST} */}}\n\nText.\n")) == ()
