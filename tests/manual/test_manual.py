"""The staged manual: it has a place for every field, rule, vendor, room and decision, and builds strictly."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idempact.cli import commands
from idempact.contract import rules as contract_rules
from idempact.contract.form import Choice, Fields, Form, Items
from idempact.contract.model.contract import SECTIONS, Head
from idempact.contract.model.operations import OwnFields
from idempact.contract.records import Kind, Record, Spec, specs
from idempact.manual.architecture import diagram, layers
from idempact.manual.render import quoted, told
from idempact.manual.rules import all_rules
from idempact.openapi import rules as openapi_rules
from idempact.prose import catalog
from idempact.text.faults import all_faults

ROOT = Path(__file__).parents[2]


def declared(form: Form, path: str, seen: set[type]) -> dict[str, Spec]:
    """The path of each field below a form, a record in several places at the first one only."""
    found: dict[str, Spec] = {}
    if isinstance(form, Fields) and form.record not in seen:
        seen.add(form.record)
        for _, spec in specs(form.record):
            found[f"{path}.{spec.key}"] = spec
            found |= declared(spec.shape.form, f"{path}.{spec.key}", seen)
    elif isinstance(form, Items):
        found |= declared(form.item, f"{path}[]", seen)
    elif isinstance(form, Choice):
        for each in form.forms:
            found |= declared(each, path, seen)
    return found


SECTIONS_OF_THE_LANGUAGE = [spec for _, spec in specs(Head)]


@pytest.mark.parametrize("spec", SECTIONS_OF_THE_LANGUAGE, ids=lambda spec: spec.key)
def test_every_field_has_its_place_with_all_that_the_model_says_of_it(spec: Spec, staged: Path) -> None:
    page = (staged / "language" / f"{spec.key}.md").read_text(encoding="utf-8")
    form, path = spec.shape.form, spec.key
    if spec.key == "operations":
        form, path = Record(OwnFields).form, "operations.*"
    fields = {spec.key: spec, **declared(form, path, set())}
    parts = re.split(r"^##? `", page, flags=re.MULTILINE)[1:]
    by_path = {part.partition("`")[0]: part for part in parts}
    assert list(by_path) == list(fields)
    for name, field in fields.items():
        text = by_path[name]
        assert re.search(r"What may stand here:\*\* \S", text), name
        for words in filter(None, (field.question, field.why)):
            assert told(words) in text, name
        assert ("it has no default" in text) == (field.kind is Kind.DECISION), name
        assert "**Default:**" not in text or field.kind in (Kind.FACT, Kind.ADVICE), name
    assert ("An operation may say otherwise" in page) == (spec.key in SECTIONS)


def test_defaults_and_words_are_those_that_hold(staged: Path) -> None:
    """Spot checks by hand, in literals."""

    def part(page: str, heading: str) -> str:
        text = (staged / "language" / f"{page}.md").read_text(encoding="utf-8")
        return text.partition(f"## `{heading}`")[2].partition("\n## ")[0]

    assert "**Default:** `5`" in part("retry", "retry.max_attempts")
    assert "**Default:** `75s`" in part("retry", "retry.deadline")
    assert "`full` or `decorrelated`" in part("retry", "retry.backoff.jitter")
    assert "**Default:** `visible-ascii`" in part("key", "key.format")
    assert "computed from the replay window" in part("windows", "windows.cleanup")
    assert "`keyed`, `natural`, `unsafe` or `read`" in part("operations", "operations.*.safety")
    assert "`answer` is `reject`, `wait` or `accept`" in part("answers", "answers.in_flight")
    assert "the fields of `answers.unsupported_key`" in part("answers", "answers.in_flight")
    assert "**Not documented:** never" in part("retry", "retry.deadline")
    assert "**Not documented:** never" not in part("key", "key.format")


def test_every_rule_of_every_family_has_its_page_in_its_own_words(staged: Path) -> None:
    index = (staged / "rules" / "index.md").read_text(encoding="utf-8")
    families = (contract_rules.all_rules(), catalog.all_rules(), openapi_rules.all_rules(), all_faults())
    ids = {rule.id for family in families for rule in family}
    assert {rule.id for rule in all_rules()} == ids
    assert {
        p.relative_to(staged / "rules").with_suffix("").as_posix() for p in (staged / "rules").glob("*/*.md")
    } == ids
    for rule in all_rules():
        page = (staged / "rules" / f"{rule.id}.md").read_text(encoding="utf-8")
        assert f"[`{rule.id}`]({rule.id}.md)" in index
        for text in (rule.title, rule.why, rule.instead, rule.source):
            assert told(text) in page
        assert all(text.strip() in page for text in (*rule.passes, *rule.fails))
    for source in contract_rules.all_rules():
        why = re.search(r"^Why: (.*?)$", source.text, re.MULTILINE)
        assert why
        page = (staged / "rules" / f"{source.id}.md").read_text(encoding="utf-8")
        assert told(why[1].strip().split(":mod:")[0]) in page


def test_the_rooms_and_their_layers_are_those_of_the_linter(staged: Path, root: Path) -> None:
    package = root / "generator" / "idempact"
    page = (staged / "architecture.md").read_text(encoding="utf-8")
    pyproject = (root / "pyproject.toml").read_text(encoding="utf-8")
    rooms = [room for layer in layers(pyproject, package) for room in layer.rooms]
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert folders <= {room.name for room in rooms}
    for room in rooms:
        assert f"| `{room.name}` |" in page
    assert "| `facts` | Facts: the numbers and tables that follow from a contract" in page
    assert page.index("cli\n") < page.index(" facts\n") < page.index(" text\n")


@pytest.mark.parametrize(
    "pyproject",
    ["", "x = [", '[[tool.importlinter.contracts]]\ntype = "layers"\nlayers = ["no-such-room"]', "[tool.importlinter]"],
)
def test_wrong_layers_are_told(pyproject: str, root: Path) -> None:
    with pytest.raises(ValueError, match=r"layers|no room"):
        layers(pyproject, root / "generator" / "idempact")


def test_the_drawing_goes_from_the_top_down(root: Path) -> None:
    text = '[[tool.importlinter.contracts]]\ntype = "layers"\nlayers = ["cli", "pages | (prose)", "text"]'
    rows = diagram(layers(text, root / "generator" / "idempact")).split("\n")
    assert [row.strip() for row in rows] == ["cli", "↓", "pages | prose", "↓", "text"]


def test_every_decision_is_listed(staged: Path, root: Path) -> None:
    index = (staged / "decisions" / "index.md").read_text(encoding="utf-8")
    records = sorted((root / "site_src" / "project" / "decisions").glob("0*.md"))
    assert len(records) >= 5
    assert all(f"]({path.name})" in index for path in records)


def test_every_command_is_on_the_first_page(staged: Path) -> None:
    page = (staged / "index.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in commands())


def test_the_manual_is_sound_prose_builds_strictly_and_asks_no_other_host(
    staged: Path, root: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    linted = run(root, sys.executable, "-m", "idempact", "lint", "--strict", str(staged))
    assert linted.returncode == 0, linted.stdout
    words = ("-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(staged.parent / "mkdocs.yml"))
    built = run(root, sys.executable, *words)
    assert built.returncode == 0, built.stdout + built.stderr
    site = staged.parent / "site"
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(list(staged.rglob("*.md")))  # the same pages, and the one for what isn't found
    asked = re.compile(r'<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["\']?(?:https?:)?//')
    assert [page for page in pages if asked.search(page.read_text(encoding="utf-8"))] == []
    assert not re.search(r"url\(['\"]?https?:|@import", (site / "assets" / "manual.css").read_text(encoding="utf-8"))


def test_every_link_to_an_anchor_of_the_vendors_leads_somewhere(staged: Path) -> None:
    page = staged / "vendors.md"
    if not page.is_file():
        pytest.skip("no vendor is described yet")
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) == set(re.findall(r"\{ #([\w-]+) \}", text))


def test_staging_twice_changes_nothing_and_wrong_use_is_told(
    staged: Path, root: Path, tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    def stage(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return run(folder, sys.executable, "-m", "idempact", "manual", *words)

    again = stage(root, "--out", str(staged))
    assert again.returncode == 0
    assert " 0 changed" in again.stderr
    assert stage(tmp_path).returncode == 2
    broken = tmp_path / "vendors"
    broken.mkdir()
    (broken / "x.yaml").write_text("idempact: 1\n", encoding="utf-8")
    refused = stage(root, "--out", str(tmp_path / "out"), "--vendors", str(broken))
    assert refused.returncode == 1
    assert "missing-decision" in refused.stdout
    assert not (tmp_path / "out").exists()


def test_a_foreign_file_is_left_alone(
    root: Path, tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.md").write_text("mine", encoding="utf-8")
    refused = run(root, sys.executable, "-m", "idempact", "manual", "--out", str(out))
    assert refused.returncode == 1
    assert (out / "index.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a `b*c` d", "a `b*c` d"),
        ("a * b", "a &#42; b"),
        ("`x`", "`x`"),
        ("one|two", "one&#124;two"),
        ("open ` tick", "open &#96; tick"),
    ],
)
def test_sentences_of_the_code_are_shown_as_they_are(text: str, markdown: str) -> None:
    assert told(text) == markdown


def test_a_page_that_quotes_a_claim_says_that_it_does() -> None:
    allowed = quoted("# A\n\nPayments are processed exactly once.")
    assert allowed.startswith("<!-- idempact: allow prose/exactly-once in this file because ")
    assert quoted("# A\n\nNothing to see.") == "# A\n\nNothing to see."


def test_nothing_that_is_staged_is_committed(root: Path, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    listed: Any = run(root, "git", "ls-files", "build", "site_src/project")
    if listed.returncode:
        pytest.skip("this is no git checkout")
    assert not [line for line in listed.stdout.splitlines() if line.startswith("build/")]
