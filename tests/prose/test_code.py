"""The rules on code: fragments as documentation has them, good and bad, in each language; and our own loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.cli import main
from idempact.prose.catalog import all_rules
from idempact.prose.code import Code, code_rules
from idempact.prose.lint import lint
from idempact.text.span import Document

LANGUAGES = ("python", "ts", "go", "java", "ruby", "php", "bash", "sql")


def test_a_fragment_is_judged_as_its_author_meant_it(code_case: Any) -> None:
    language, _, wanted = code_case.title.partition(": ")
    found = {d.rule for d in lint(Document("a.md", f"```{language}\n{code_case.text}```\n"))}
    assert found == ({wanted} - {"nothing"})


def test_a_fragment_in_a_file_of_its_own_is_judged_alike(code_case: Any) -> None:
    language, _, wanted = code_case.title.partition(": ")
    suffix = {"python": "py", "ruby": "rb", "bash": "sh"}.get(language, language)
    found = {d.rule for d in lint(Document(f"a.{suffix}", code_case.text)) if d.rule.startswith("prose/code-")}
    assert found == ({wanted} - {"nothing"})


def test_the_loops_that_we_publish_have_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
    out = tmp_path / "docs"
    assert main(["build", str(root / "contract" / "contract.yaml"), "--out", str(out), "--quiet"]) == 0
    fences = sum(page.read_text(encoding="utf-8").count("```") for page in out.rglob("*.md"))
    assert fences > 50
    capsys.readouterr()
    assert main(["lint", "--strict", "--sources", str(out)]) == 0, capsys.readouterr().out


_HEADS = (
    "for attempt in range(5):",
    "while (true) {",
    "until [ x ]; do",
    "loop do",
    "except:",
    "catch (Throwable t) {",
)
_CALLS = ("uuid4()", "sleep(", "time.time()", ".find(", "setnx ", "select ", "from ", "insert into ", "if ", "try:")
_NAMES = ("Idempotency-Key", "idempotency_key", "idempotency_keys", "existing", "backoff", "1111111111", "(((((((")
_MARKS = ("}", "done", "end", " = ", "\n", " ", "    ", ";", ",", "$", "1 << ", "L", ".", "_")
_PIECES = (*_HEADS, *_CALLS, *_NAMES, *_MARKS)


@given(st.lists(st.sampled_from(_PIECES)).map("".join), st.sampled_from(LANGUAGES))
def test_any_code_gets_an_answer_with_places_in_it(text: str, language: str) -> None:
    code = Code.of(language, tuple((0, line) for line in text.split("\n")))
    for rule in code_rules():
        for fault in rule.find(code):
            assert 0 <= fault.start < fault.end <= len(code.text)


def test_every_code_rule_has_a_fragment_that_it_finds_here() -> None:
    tables = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("code*.triples"))
    told = "\n".join(tables)
    for rule in all_rules():
        if rule.id.startswith("prose/code-"):
            assert f": {rule.id}\n" in told
