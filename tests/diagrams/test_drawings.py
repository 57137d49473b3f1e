"""Drawings: well-formed, named for who doesn't see them, true to the contract, and safe with any text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.check import checked
from idempact.contract.model.contract import Contract
from idempact.diagrams import drawings
from idempact.diagrams.svg import text
from idempact.facts import Facts
from idempact.facts.fleet import fleets
from idempact.render.environment import template_roots
from idempact.render.words import Words
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
MINIMAL = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def contract_of(text: str) -> Contract:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    return read.value.contract


def drawn(contract: str) -> dict[str, ET.Element]:
    words = Words.load("en", template_roots())
    return {d.name: ET.fromstring(d.svg)[0] for d in drawings(Facts.of(contract_of(contract)), words)}


def words_of(svg: ET.Element) -> str:
    return " | ".join(node.text or "" for node in svg.iter(f"{SVG}text"))


@pytest.fixture(scope="module")
def example() -> dict[str, ET.Element]:
    return drawn((ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8"))


def test_every_drawing_has_a_title_a_description_and_its_facts_as_text(example: dict[str, ET.Element]) -> None:
    assert set(example) == {
        "fleet-budget-1",
        "fleet-jitter-1",
        "schedule-1",
        "sequence-in-flight",
        "sequence-lost-response",
        "sequence-mismatch",
        "sequence-unknown-outcome",
        "states-1",
        "timeline-1",
        "timeline-2",
    }
    for name, svg in example.items():
        title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert (title.text or "").strip()
        assert len((description.text or "").split()) >= 6, name
        assert svg.get("role") == "img"
        assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_bars_are_as_long_as_what_they_stand_for(example: dict[str, ET.Element]) -> None:
    widths = [float(rect.get("width", "0")) for rect in example["timeline-1"].iter(f"{SVG}rect")]
    replay, record, chain = widths
    assert record / replay == pytest.approx(72 / 24, rel=0.01)
    assert chain / replay == pytest.approx(20 / 24, rel=0.01)
    bands = [float(rect.get("width", "0")) for rect in example["schedule-1"].iter(f"{SVG}rect")]
    assert [round(band / bands[0]) for band in bands] == [1, 2, 4, 8]


def test_the_fleets_bars_are_as_high_as_its_figures(example: dict[str, ET.Element]) -> None:
    fleet = fleets(Facts.of(contract_of((ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8"))))[0].fleet
    assert fleet.outage is not None
    for name, rows in (("fleet-jitter-1", fleet.herd.rows), ("fleet-budget-1", fleet.outage.rows)):
        figures = [n for n in (*(row.first for row in rows), *(row.second for row in rows)) if n]
        bars = [
            float(rect.get("height", "0"))
            for rect in example[name].iter(f"{SVG}rect")
            if rect.get("fill-opacity") == "1"
        ]
        assert len(bars) == len(figures)
        scale = max(bars) / max(figures)
        assert bars == pytest.approx([figure * scale for figure in figures], abs=0.1)
        told = example[name].find(f"{SVG}desc")
        assert told is not None
        assert [int(n) for n in re.findall(r"(\d+) with", told.text or "")] == [
            n for row in rows for n in (row.first, row.second)
        ]


def test_conversations_give_the_contracts_answers(example: dict[str, ET.Element]) -> None:
    assert "409 idempotency_request_in_progress" in words_of(example["sequence-in-flight"])
    assert "422 idempotency_key_reused" in words_of(example["sequence-mismatch"])
    assert "409 idempotency_outcome_unknown" in words_of(example["sequence-unknown-outcome"])


def test_a_state_that_does_not_occur_is_not_drawn() -> None:
    forever = words_of(drawn(MINIMAL.replace("replay: 24h", "replay: forever"))["states-1"])
    assert "past its" not in forever
    assert "failed, carried" not in forever
    assert "completed" in forever


def test_nothing_is_drawn_of_what_is_not_documented() -> None:
    silent = drawn(
        "idempact: 1\nwritten_by: observer\napi: {name: A, base_url: none, contact: not-documented}\n"
        "key: not-documented\nscope: not-documented\nfingerprint: not-documented\nwindows: not-documented\n"
        "replay: not-documented\nstored_failures: not-documented\nanswers: not-documented\n"
        "operations: {operation x: keyed}\n"
    )
    assert {name.split("-")[0] for name in silent} == {"schedule"}


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=40))
def test_any_text_stays_text(value: str) -> None:
    assert ET.fromstring(text(0, 0, value)).text == value


@given(st.text(max_size=40))
def test_what_does_not_print_breaks_no_drawing(value: str) -> None:
    assert ET.fromstring(text(0, 0, value)).tag == "text"


def test_neither_html_nor_markdown_finds_markup_in_a_drawing() -> None:
    hostile = "*a* __b__ [c](javascript:1) <img src=x> `d` </div>"
    contract = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
    contract = contract.replace("name: mobile offline queue", "name: q").replace("dead-letter queue replay", hostile)
    tree = compose(Document("contract.yaml", contract.replace(f"name: {hostile}", f"name: '{hostile}'"))).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    made = drawings(Facts.of(read.value.contract), Words.load("en", template_roots()))
    page = markdown.markdown("# A\n\n" + "\n\n".join(d.svg for d in made))
    assert not re.search(r"<(em|strong|a|img|code)\b", page)
    assert page.count("<svg") == page.count("</svg>") == len(made)
