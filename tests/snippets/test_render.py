"""What is published: every language, of every contract at hand, held to its language's own checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idempact.facts.loop import Budget, CodeRule, Jitter, LoopFacts, RetryClass, ServerHint, StatusRule
from idempact.render.environment import template_roots
from idempact.snippets.language import languages
from idempact.snippets.render import render

WIDTH = 120


def placed(pointer: str, status: int = 409) -> tuple[CodeRule, ...]:
    classes = {"reused": RetryClass.MISMATCH, "busy": RetryClass.IN_FLIGHT, "lost": RetryClass.FINAL}
    return tuple(CodeRule(code, (status,), retry_class, pointer) for code, retry_class in classes.items())


@pytest.fixture(scope="session")
def loops(
    published: Mapping[str, LoopFacts], scaled: Mapping[str, LoopFacts], hostile: LoopFacts
) -> Mapping[str, LoopFacts]:
    """The published loops, one that tries to break out, and one for each branch of the templates."""
    fast = scaled["fast"]
    hint, terminal = ServerHint("header", "Retry", ("1",), ("0",)), ServerHint("body", "/e/r", ("1", "2"), ("0",))
    ratio = Budget("ratio", share=0.1, within_ms=10000, min_per_second=3)
    return {
        **published,
        "hostile": hostile,
        "decorrelated": replace(fast, jitter=Jitter.DECORRELATED, budget=None, retry_after_carrier=None),
        "body": replace(fast, key_carrier="body", key_name="/a/b", retry_after_carrier="body", retry_after_name="/w"),
        "query": replace(fast, key_carrier="query", hint=hint, budget=ratio, factor=1.5),
        "by status": replace(fast, codes=(), hint=terminal, retry_not_sent=False),
        "list": replace(fast, codes=placed("/e/*/0/c"), retry_no_answer=False, natural=True, key_template=None),
        "two places": replace(fast, codes=(*placed("/e/type"), *placed("/code")), hint=hint),
        "two places in a 200": replace(fast, codes=(*placed("/e/*/type", 200), *placed("/code")), contact=""),
        "first sent": replace(fast, first_sent_carrier="header", first_sent_name="First-Sent", url_is_example=True),
        "first sent in body": replace(fast, first_sent_carrier="body", first_sent_name="/meta/first", codes=()),
        "first sent in query": replace(fast, first_sent_carrier="query", first_sent_name="first", key_carrier="query"),
        "gone": replace(fast, natural=True, repeat_status=404),
        "ms left": replace(fast, deadline_header="X-Left", deadline_header_format="ms-left", retry_after_unit="ms"),
        "seconds left": replace(fast, deadline_header="X-Left", deadline_header_format="seconds-left", key_quoted=True),
        "date": replace(fast, deadline_header="X-Until", deadline_header_format="http-date"),
        "date alone": replace(
            fast, deadline_header="X-Until", deadline_header_format="http-date", retry_after_carrier=None
        ),
        "runs": replace(fast, statuses=tuple(StatusRule(n, RetryClass.TRANSIENT) for n in (429, *range(500, 600)))),
        "no statuses": replace(fast, statuses=(), max_attempts=1),
    }


@pytest.fixture(scope="session")
def renderings(loop_id: str, loops: Mapping[str, LoopFacts]) -> Mapping[str, str]:
    found = {name: render(loop) for name, loop in loops.items()}
    assert not [checked.diagnostics for checked in found.values() if checked.diagnostics]
    codes = {name: [s.code for s in checked.value or () if s.id == loop_id] for name, checked in found.items()}
    return {name: code[0] for name, code in codes.items() if code}


def test_every_rendering_passes_the_checks_of_its_language(
    loop_id: str, loops: Mapping[str, LoopFacts], renderings: Mapping[str, str], workshop: Callable[[str], Any]
) -> None:
    assert len(renderings) >= 13
    made = workshop(loop_id)
    for name in renderings:
        made.render(name, loops[name])
    made.check(list(renderings))


def test_renderings_are_clean_text(renderings: Mapping[str, str]) -> None:
    for name, code in renderings.items():
        lines = code.split("\n")
        assert code.endswith("\n"), name
        assert not code.startswith("\n"), name
        assert [line for line in lines if line != line.rstrip()] == [], name
        assert "\n\n\n\n" not in code, name
        assert all(line.lstrip("\t").isprintable() for line in lines), name


def test_published_lines_fit(renderings: Mapping[str, str]) -> None:
    for name in ("contract", "minimal", "two places", "body", "first sent", "first sent in body", "gone", "list"):
        assert [line for line in renderings[name].split("\n") if len(line) > WIDTH] == []


def test_no_contract_text_leaves_its_place(renderings: Mapping[str, str]) -> None:
    assert not re.search(r"^\s*exit 9", renderings["hostile"], re.MULTILINE)


def test_hostile_texts_arrive_whole(hostile: LoopFacts) -> None:
    code = next(snippet.code for snippet in render(hostile).value or () if snippet.id == "python-tenacity")
    assigned = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert assigned["ENDPOINT"] == hostile.url
    assert assigned["CONTACT"] == hostile.contact


NUMBERS = (
    {"base_ms": 170, "cap_ms": 811, "deadline_ms": 5003, "attempt_timeout_ms": 1009, "connect_timeout_ms": 487},
    {"base_ms": 190, "cap_ms": 907, "deadline_ms": 5101, "attempt_timeout_ms": 1103, "connect_timeout_ms": 509},
)
BUDGETS = (Budget("token-bucket", 607, 19, 8, 3), Budget("token-bucket", 613, 17, 6, 2))


def test_numbers_come_from_the_contract(loop_id: str, scaled: Mapping[str, LoopFacts]) -> None:
    """Of two contracts that differ in every number, no line that holds one of the numbers is the same."""
    found = []
    for numbers, budget, attempts in zip(NUMBERS, BUDGETS, (6, 7), strict=True):
        loop = replace(scaled["fast"], **numbers, budget=budget, max_attempts=attempts, statuses=())
        code = next(snippet.code for snippet in render(loop).value or () if snippet.id == loop_id)
        typed = {str(number) for number in numbers.values()} | {str(number / 1000) for number in numbers.values()}
        typed |= {str(budget.capacity), str(budget.cost_transient)}
        assert len(typed & set(re.findall(r"[0-9.]*[0-9]", code))) >= 6
        found.append((set(code.split("\n")), typed))
    same, typed = found[0][0] & found[1][0], found[0][1] | found[1][1]
    assert [line for line in same if typed & set(re.findall(r"[0-9.]*[0-9]", line))] == []


def test_nothing_is_rendered_where_the_key_cannot_travel(scaled: Mapping[str, LoopFacts]) -> None:
    for loop in (replace(scaled["fast"], key_carrier="directive"), replace(scaled["fast"], key_name="")):
        assert render(loop).value == ()


def test_nobody_is_asked_where_no_contact_is_known(loop_id: str, scaled: Mapping[str, LoopFacts]) -> None:
    for contact, asks in (("https://acme.example/support", True), ("", False)):
        found = render(replace(scaled["fast"], contact=contact))
        code = next(snippet.code for snippet in found.value or () if snippet.id == loop_id)
        assert bool(re.search(r"\bcontact\b", code, re.IGNORECASE)) is asks
        assert bool(re.search(r"\bask\b", code)) is asks


def test_an_invented_address_is_called_an_example(
    loop_id: str, changed: Callable[[str, Mapping[str, object]], LoopFacts]
) -> None:
    base_url, paths = "https://acme.example/v1", ("/payments", "/payments/{id}", "/**", "/*/pay")
    cases = [(base_url, f"POST {path}", path != "/payments") for path in paths]
    cases += [("none", "POST /payments", True), ("https://{region}.acme.example", "POST /payments", True)]
    cases += [(base_url, "operation createPayment", True)]
    for url, operation, example in cases:
        loop = changed("vectors/fast.yaml", {"api": {"base_url": url}, "operations": {operation: "keyed"}})
        code = next(snippet.code for snippet in render(loop).value or () if snippet.id == loop_id)
        assert ("an example: put in the address that you call" in code) is example, (url, operation)
        assert (loop.url in re.split("(?i)endpoint", code)[0]) is not example, (url, operation)


def test_rendering_is_pure(scaled: Mapping[str, LoopFacts]) -> None:
    assert render(scaled["fast"]) == render(scaled["fast"])


def test_a_user_template_replaces_and_extends_the_shipped_one(tmp_path: Path, scaled: Mapping[str, LoopFacts]) -> None:
    folder = tmp_path / "snippets" / "python"
    folder.mkdir(parents=True)
    (folder / "tenacity.py.jinja").write_text(
        '# ours\n{% include "shipped/snippets/python/tenacity.py.jinja" %}', encoding="utf-8"
    )
    mine = {snippet.id: snippet.code for snippet in render(scaled["fast"], [tmp_path]).value or ()}
    shipped = {snippet.id: snippet.code for snippet in render(scaled["fast"]).value or ()}
    assert mine.pop("python-tenacity") == "# ours\n" + shipped.pop("python-tenacity")
    assert mine == shipped


def test_a_new_language_is_a_new_folder(tmp_path: Path, scaled: Mapping[str, LoopFacts]) -> None:
    folder = tmp_path / "snippets" / "awk"
    folder.mkdir(parents=True)
    (folder / "language.yml").write_text(
        "title: Awk\nfence: awk\nliterals: json\ntools: [{name: awk, command: [awk, --version]}]\nloops:\n"
        "  - {id: plain, title: awk alone, file: x.awk, budget: call, driver: d.awk, run: [awk, -f, d.awk]}\n",
        encoding="utf-8",
    )
    (folder / "d.awk").write_text("BEGIN {}", encoding="utf-8")
    (folder / "plain.awk.jinja").write_text("BEGIN { n = {{ loop.max_attempts }} }", encoding="utf-8")
    found = render(scaled["fast"], [tmp_path])
    assert found.diagnostics == ()
    snippet = next(snippet for snippet in found.value or () if snippet.language == "awk")
    assert (snippet.title, snippet.fence, snippet.file_name) == ("Awk", "awk", "x.awk")
    assert (snippet.id, snippet.variant_title) == ("awk-plain", "awk alone")
    assert snippet.code == "BEGIN { n = 4 }\n"


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("one\n{{ loop.nothing }}", 2),
        ("{% if %}", 1),
        ("one\ntwo\n{{ facts }}", 3),
        ("{{ 1 / 0 }}", 1),
        ("{{ (loop.windows_ms, 1) | shell }}", 1),
        ('\n{% include "nowhere" %}', 2),
    ],
)
def test_a_broken_template_is_a_finding_with_its_line(
    tmp_path: Path, scaled: Mapping[str, LoopFacts], template: str, line: int
) -> None:
    folder = tmp_path / "snippets" / "python"
    folder.mkdir(parents=True)
    (folder / "tenacity.py.jinja").write_text(template, encoding="utf-8")
    found = render(scaled["fast"], [tmp_path])
    assert [d.rule for d in found.diagnostics] == ["snippets/template-fault"]
    span = found.diagnostics[0].span
    assert span is not None
    assert (Path(span.path), span.line) == (folder / "tenacity.py.jinja", line)
    left = {snippet.id for snippet in found.value or ()}
    assert left == {snippet.id for snippet in render(scaled["fast"]).value or ()} - {"python-tenacity"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "a mapping of fields"),
        ("title: X", "'fence' is missing"),
        ("title: [X]\nliterals: c\n", "unknown literal family"),
        ("title: [X]\nliterals: json\n", "'title' must be a text"),
        ("title: X\nlibs: 1\n", "unknown field 'libs'"),
        ("tools: [go]\n", "'tools' must be a list of"),
        ("tools: [{name: Go, command: go}]\n", "'tools' must be a list of"),
        ("prepare: [npm, install]\n", "'prepare' must be a list of commands"),
        ("workshop: shop\n", "the folder shop is missing"),
        ("title: X\nloops: []\n", "'loops' must be a list of mappings"),
        ("title: X\nloops: [x]\n", "'loops' must be a list of mappings"),
        ("loops: [{id: x, budget: all}]\n", "loop 'x': unknown budget 'all'"),
        ("loops: [{id: x, driver: d}]\n", "loop 'x': the driver d is missing"),
        ("loops: [{id: x, file: a.x}]\n", "loop 'x': the template snippets/mine/x.x.jinja is missing"),
        ("loops: [{id: X y}]\n", "an id is made of small letters"),
        ("loops: [{id: x}, {id: x}]\n", "loop 'x' stands twice"),
        ("loops: [{title: x}]\n", "loop 1: the field 'id' is missing"),
        ("loops: [{id: x, run: y}]\n", "'run' must be a list of words"),
        ("loops: [{id: x, libraries: [httpx]}]\n", "list of {name, versions"),
        ("loops: [{id: x, libraries: [{name: httpx}]}]\n", "list of {name, versions"),
        ("loops: [{id: x, check: [mypy]}]\n", "'check' must be a list of commands"),
        ("loops: [{id: x, build: [{all: [mypy]}]}]\n", "'build' must be a list of commands"),
        ("title: X\ntitle: Y\n", "stands twice"),
    ],
)
def test_a_language_described_badly_is_left_out(tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "snippets" / "mine"
    folder.mkdir(parents=True)
    (folder / "language.yml").write_text(text, encoding="utf-8")
    found = languages([tmp_path])
    assert found.value == ()
    assert any(message in diagnostic.message for diagnostic in found.diagnostics), found.diagnostics
    assert all(diagnostic.span is not None for diagnostic in found.diagnostics)


def test_shipped_languages_describe_themselves() -> None:
    found = languages(template_roots())
    assert found.diagnostics == ()
    assert {"python", "typescript", "shell"} <= {language.id for language in found.value or ()}
    assert all(loop.check for language in found.value or () for loop in language.loops)
    titles = [(language.title, loop.title) for language in found.value or () for loop in language.loops]
    assert len(titles) == len(set(titles))
