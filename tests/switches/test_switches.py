"""The figures about libraries' own retry switches are from runs: ``make switches`` makes them anew."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from idempact.build import build
from idempact.contract.check import checked
from idempact.resources import shipped
from idempact.text.nodes import compose
from idempact.text.span import Document
from idempact.vectors.model import Vector
from idempact.vectors.switches import FAULTS, Switches, read_switches, shipped_switches

WRITE = os.environ.get("RESULTS") == "write"
HEAD = """\
# What the retry switches of common libraries do on the vectors. Written by a run: `make switches`.
# `failed` says for each vector that was not met what was wrong; idempact/vectors/switches.py tells the words.
"""
MONEY = ("v15-", "v21-")
"""A call without a key whose answer is late, or whose connection is reset: repeated, it takes effect twice."""


def shipped_contract() -> Path:
    return shipped("contract") / "contract.yaml"


def text_of(found: Switches) -> str:
    lines = [f"date: {found.date}", f"vectors: {found.vectors}", f'digest: "{found.digest}"', "switches:"]
    for row in found.rows:
        fields = {name: getattr(row, name) for name in ("id", "language", "library", "version", "setting")}
        shown = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
        lines += [f"  - {shown[0]}", *(f"    {line}" for line in shown[1:])]
        lines.append("    failed:" if row.failed else "    failed: {}")
        lines += [f"      {name}: [{', '.join(faults)}]" for name, faults in row.failed.items()]
    return HEAD + "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def found() -> Switches:
    read = read_switches(shipped_switches())
    assert read.value is not None, read.diagnostics
    return read.value


@pytest.mark.skipif(not WRITE, reason="the whole run takes minutes: make switches")
def test_write_the_figures(switches: Any, play: Callable[..., Any], vectors: Sequence[Vector]) -> None:
    rows = []
    for setting in map(switches.prepared, switches.settings()):
        failed = {name: faults for name, faults in play(setting, vectors).items() if faults}
        rows.append(switches.row(setting, failed))
    today = datetime.now(UTC).date().isoformat()
    text = text_of(Switches(today, len(vectors), switches.sources_digest(), tuple(rows)))
    shipped_switches().write_text(text, encoding="utf-8")


def test_the_figures_are_of_what_lies_here(switches: Any, found: Switches, vectors: Sequence[Vector]) -> None:
    assert found.digest == switches.sources_digest(), "the drivers have changed: run `make switches`"
    assert [row.id for row in found.rows] == [setting.id for setting in switches.settings()]
    assert [row.setting for row in found.rows] == [setting.setting for setting in switches.settings()]
    known = {vector.id for vector in vectors}
    assert all(set(row.failed) <= known for row in found.rows)


def test_the_file_is_as_a_run_writes_it(found: Switches) -> None:
    assert shipped_switches().read_text(encoding="utf-8") == text_of(found)


@pytest.mark.parametrize("name", ["curl", "curl-all-errors", "faraday", "faraday-post"])
def test_the_gravest_figures_hold_again(
    name: str, switches: Any, found: Switches, play: Callable[..., Any], vectors: Sequence[Vector]
) -> None:
    """Without a key: the same vectors take effect twice as in the run that is published."""
    setting = switches.prepared(next(setting for setting in switches.settings() if setting.id == name))
    row = next(row for row in found.rows if row.id == name)
    chosen = [vector for vector in vectors if vector.id.startswith(MONEY)]
    seen: Mapping[str, tuple[str, ...]] = play(setting, chosen)
    published = {vector.id: "twice" in row.failed.get(vector.id, ()) for vector in chosen}
    assert {name: "twice" in faults for name, faults in seen.items()} == published


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "date, vectors, digest and switches"),
        ("date: x\nvectors: many\ndigest: x\nswitches: []\n", "'vectors' is a number"),
        ("date: x\nvectors: 1\ndigest: x\nswitches: [{id: x}]\n", "a switch has the fields"),
        ("date: x\ndate: y\n", "stands twice"),
    ],
)
def test_a_file_of_another_shape_is_a_finding(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "switches.yml"
    path.write_text(text, encoding="utf-8")
    read = read_switches(path)
    assert read.value is None
    assert message in read.diagnostics[0].message


@pytest.mark.parametrize("faults", ["[]", "[slow]", "twice"])
def test_an_unknown_fault_is_a_finding(tmp_path: Path, faults: str) -> None:
    path = tmp_path / "switches.yml"
    row = f"{{id: a, language: b, library: c, version: d, setting: e, failed: {{v01: {faults}}}}}"
    path.write_text(f"date: x\nvectors: 1\ndigest: x\nswitches: [{row}]\n", encoding="utf-8")
    assert read_switches(path).value is None


@pytest.mark.parametrize(("locale", "path"), [("en", "switches.md"), ("zh", "zh/switches.md")])
def test_the_page_shows_each_figure(found: Switches, locale: str, path: str) -> None:
    text = shipped_contract().read_text(encoding="utf-8").replace("locales: [en] ", "locales: [en, zh] ")
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree).value
    assert read is not None
    made = build(read, contract_name="contract.yaml").value
    assert made is not None
    page = next(artifact.text for artifact in made.artifacts if artifact.path == path)
    assert str(found.vectors) in page
    assert found.date in page
    table = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.split("\n") if line.startswith("| ")
    ]
    assert len({len(cells) for cells in table}) == 1
    for row, cells in zip(found.rows, table[1:], strict=True):
        assert row.language in cells[0]
        assert f"`{row.library}` `{row.version}`" in cells[0]
        assert html.unescape(cells[1].removeprefix("<code>").removesuffix("</code>").strip("`")) == row.setting
        counts = [sum(fault in faults for faults in row.failed.values()) for fault in FAULTS]
        assert cells[2:] == [str(found.vectors - len(row.failed)), *(str(count) if count else "–" for count in counts)]


def test_every_switch_fails_where_a_loop_must_not(found: Switches) -> None:
    """What the page is for: if a switch ever meets all vectors, its words have to change."""
    assert all(row.failed for row in found.rows)
    assert any("twice" in faults for row in found.rows for faults in row.failed.values())
