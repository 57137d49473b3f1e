"""An unfinished merge is told as that, wherever in whichever file it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.cli import main
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

YAML = """\
openapi: 3.1.0
info:
  title: Orders
  version: "1"
  description: |
    Some words,
    and more of them.
paths:
  /orders:
    post:
      tags: [a, b]
      responses:
        '201': {description: made}
"""
FILES = {"api.yaml": YAML, "api.json": json.dumps(plain(compose(Document("api.yaml", YAML)).value.root), indent=2)}


def _conflicting(text: str, at: int, count: int, base: bool, newline: str) -> str:
    lines = text.splitlines()
    ours = lines[at : at + count]
    middle = ["||||||| 1a2b3c4", *ours] if base else []
    marked = ["<<<<<<< HEAD", *ours, *middle, "=======", *(line + " " for line in ours), ">>>>>>> other-branch"]
    return newline.join([*lines[:at], *marked, *lines[at + count :], ""])


@given(
    st.sampled_from(sorted(FILES)),
    st.integers(0, 12),
    st.integers(0, 4),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_conflict_is_told_where_it_begins(name: str, at: int, count: int, base: bool, newline: str) -> None:
    text = _conflicting(FILES[name], at, count, base, newline)
    found = compose(Document(name, text))
    assert found.value is None
    (told,) = found.diagnostics
    assert told.rule == "text/conflict-marker"
    assert told.span is not None
    assert (told.span.line, told.span.column, told.span.end_column) == (at + 1, 1, len("<<<<<<< HEAD") + 1)
    (end,) = told.related
    assert end.span.line == text.splitlines().index(">>>>>>> other-branch") + 1


def test_further_conflicts_are_counted() -> None:
    text = _conflicting(_conflicting(YAML, 9, 1, False, "\n"), 1, 2, False, "\n")
    (told,) = compose(Document("api.yaml", text)).diagnostics
    assert "1 more follow" in told.message


@pytest.mark.parametrize(
    "words",
    [
        "about: |\n  <<<<<<< HEAD\n  one\n  =======\n  two\n  >>>>>>> other\n",
        "about: '\n  <<<<<<< HEAD\n  >>>>>>> other'\n",
    ],
)
def test_what_is_written_about_conflicts_is_none(words: str) -> None:
    assert compose(Document("a.yaml", words)).value is not None
    broken = compose(Document("a.yaml", words + "b: [\n"))
    assert [one.rule for one in broken.diagnostics] == ["text/yaml-syntax"]


@pytest.mark.parametrize("text", ["<<<<<<< HEAD\na: [\n", ">>>>>>> other\na: [\n", "<<<<<<<<\n>>>>>>>\na: [\n"])
def test_one_mark_alone_is_no_conflict(text: str) -> None:
    assert [one.rule for one in compose(Document("a.yaml", text)).diagnostics] == ["text/yaml-syntax"]


@pytest.mark.parametrize("name", ["contract.yaml", "api.yaml", "api.json"])
def test_every_command_tells_it(name: str, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "."]) == 0
    good = FILES.get(name) or (tmp_path / "contract" / "contract.yaml").read_text(encoding="utf-8")
    file = tmp_path / ("contract/contract.yaml" if name == "contract.yaml" else name)
    file.write_text(_conflicting(good, 3, 2, False, "\n"), encoding="utf-8")
    capsys.readouterr()
    command = ["check"] if name == "contract.yaml" else ["inject"]
    assert main([*command, str(file)]) == 1
    told = "".join(capsys.readouterr())
    assert "4:1: error: a merge was not finished here" in told
    assert "take the marks out" in told
