"""Each field of the contract, changed alone: the new value stands in every output that shows it, the old one nowhere.

The table says by hand which outputs show a field, so that it doesn't share a mistake with the renderer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path

import pytest

from idempact.build import build
from idempact.contract.check import checked
from idempact.contract.model.contract import SECTIONS
from idempact.contract.records import Kind, specs
from idempact.facts import Facts
from idempact.openapi.extension import plan_of
from idempact.openapi.inject import inject
from idempact.render.environment import template_roots
from idempact.render.words import Words
from idempact.text.nodes import compose
from idempact.text.span import Document

CONTRACT = (Path(__file__).parent / "told_apart.yaml").read_text(encoding="utf-8")
OPENAPI = """\
openapi: 3.1.0
info: {title: Quokkas, version: "1"}
paths:
  /quokkas:
    post:
      responses:
        "201": {description: made}
  /wombats/{id}:
    put:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        "200": {description: replaced}
  /dingos:
    post:
      responses:
        "201": {description: made}
components: {}
"""
PAGES, LOOPS, OPENAPI_FILE = "pages", "loops", "openapi"
PL, PO, PLO = {PAGES, LOOPS}, {PAGES, OPENAPI_FILE}, {PAGES, LOOPS, OPENAPI_FILE}


WORD = r"(?<![\w.-]){}(?![\w-])"


@dataclass(frozen=True)
class Row:
    """``old`` becomes ``new`` where ``line`` stands. ``forms`` are patterns in which {} is the value."""

    line: str
    old: str
    new: str
    shown: frozenset[str]
    forms: tuple[str, ...]


def row(line: str, old: str, new: str, shown: set[str], *forms: str) -> Row:
    assert line.count(old) == 1, (line, old)
    return Row(line, old, new, frozenset(shown), forms or (WORD,))


def duration(line: str, old: str, new: str, shown: set[str]) -> Row:
    return Row(line, old, new, frozenset(shown), ("duration",))


ROWS = [
    row("name: Quokka Ledger API", "Quokka Ledger API", "Numbat Ledger API", PL),
    row("base_url: https://api.quokka.example/v7", "api.quokka.example", "api.numbat.example", PL),
    row("contact: https://quokka.example/outcome-desk", "outcome-desk", "lost-desk", PL),
    row("version: quokka-edition", "quokka-edition", "numbat-edition", {PAGES}),
    row("name: X-Quokka-Key", "X-Quokka-Key", "X-Numbat-Key", PLO),
    row("{when: the quokka is awake}", "the quokka is awake", "the numbat sleeps", PO),
    row('{pattern: "^[a-z0-9-]+$"}', "[a-z0-9-]+", "[a-z0-9.-]+", {OPENAPI_FILE, PAGES}, "{}"),
    row("length: {min: 19, max: 223}", "19", "23", PO, r"(?<![\w.]){} to ", r"minLength: {}\b"),
    row("length: {min: 19, max: 223}", "223", "227", PO),
    row("{in: query, name: quokka_key}", "quokka_key", "numbat_key", PO),
    row("{in: header, name: X-Quokka-First}", "X-Quokka-First", "X-Numbat-First", PLO),
    row('request: "walk-{quokka_walk}"', "walk-{quokka_walk}", "swim-{numbat_swim}", {PAGES}),
    row("{session: one quokka walk}", "one quokka walk", "one numbat swim", PO),
    row("headers: [X-Quokka-Version]", "X-Quokka-Version", "X-Numbat-Version", PO),
    row("ignores: [/quokka/trace]", "/quokka/trace", "/numbat/trace", PO),
    duration("at_least: 37h", "37h", "41h", PO),
    duration("at_most: 61h", "61h", "67h", PO),
    row("advertised: GET /quokka-window", "/quokka-window", "/numbat-window", PO),
    row("name: quokka outbox", "quokka outbox", "numbat outbox", {PAGES}),
    duration("lasts: 29h", "29h", "31h", {PAGES}),
    duration("cleanup: 131h", "131h", "137h", {PAGES}),
    row("status: 208", "208", "206", PO),
    row("headers: [X-Quokka-Location]", "X-Quokka-Location", "X-Numbat-Location", PO),
    row("omits: [/quokka_secret]", "/quokka_secret", "/numbat_secret", PO),
    row("name: X-Quokka-Replayed, value", "X-Quokka-Replayed", "X-Numbat-Replayed", PO),
    row(
        "X-Quokka-Replayed, value: again",
        "again",
        "anew-numbat",
        PO,
        r"value `?{}`?\b",
        r"value: {}\b",
        r"`{}`",
        r"const: {}\b",
        r"- {}\b",
    ),
    row("statuses: {418: release}", "418", "417", PO),
    row("status: 431, code: quokka_malformed", "431", "414", PO),
    row("status: 431, code: quokka_malformed", "quokka_malformed", "numbat_malformed", PLO),
    row("status: 428, code: quokka_missing", "428", "412", PO),
    row("code: quokka_missing", "quokka_missing", "numbat_missing", PLO),
    row("status: 507, code: quokka_store_down", "507", "508", PO),
    row("code: quokka_store_down", "quokka_store_down", "numbat_store_down", PLO),
    duration("retry_after: 53s", "53s", "57s", PO),
    row("status: 451, code: quokka_expired", "451", "413", PO),
    row("code: quokka_expired", "quokka_expired", "numbat_expired", PLO),
    row("status: 422, code: quokka_mismatch", "422", "420", PO),
    row("code: quokka_mismatch", "quokka_mismatch", "numbat_mismatch", PLO),
    row("resource_at: /quokka_first_id", "/quokka_first_id", "/numbat_first_id", PO),
    row("status: 423, code: quokka_running", "423", "425", PO),
    row("code: quokka_running", "quokka_running", "numbat_running", PLO),
    duration("retry_after: 59s", "59s", "71s", PO),
    row("status: 424, code: quokka_unknown", "424", "421", PO),
    row("code: quokka_unknown", "quokka_unknown", "numbat_unknown", PLO),
    row("status: 409, code: quokka_spent", "409", "411", PO),
    row("code: quokka_spent", "quokka_spent", "numbat_spent", PLO),
    row("media_type: application/vnd.quokka+json", "vnd.quokka+json", "vnd.numbat+json", PO),
    row("type: https://errors.quokka.example/{code}", "errors.quokka.example", "errors.numbat.example", PO),
    row("sign: quokka-sign", "quokka-sign", "numbat-sign", PO),
    row("statuses: [599]", "599", "598", PL),
    row("codes: [QUOKKA_SLOW]", "QUOKKA_SLOW", "NUMBAT_SLOW", PL),
    row("statuses: [520, 521]", "520", "523", PL),
    row("codes: [QUOKKA_BLIP]", "QUOKKA_BLIP", "NUMBAT_BLIP", PL),
    row("statuses: [555]", "555", "556", PL),
    row("codes: [QUOKKA_ODD]", "QUOKKA_ODD", "NUMBAT_ODD", PL),
    row("retries: 3}", "3", "2", PL, r"Retries at most: {}\b", r"(?i)CAUTIOUS_RETRIES ?= ?{}\b"),
    row("codes: [QUOKKA_STOP]", "QUOKKA_STOP", "NUMBAT_STOP", PL),
    duration("base: 1700ms", "1700ms", "1900ms", PL),
    row("factor: 1.6", "1.6", "1.8", PL, r"factor of {}\b", r"exp_base={}\b", r"FACTOR = {}\b"),
    duration("cap: 23s", "23s", "29s", PL),
    row("max_attempts: 13\n", "13", "14", PL, r"\b{} attempts", r"MAX_ATTEMPTS ?= ?{}\b"),
    duration("deadline: 991s", "991s", "997s", PL),
    duration("attempt_timeout: 19s", "19s", "27s", PL),
    duration("connect_timeout: 3300ms", "3300ms", "3700ms", PL),
    duration("least_wait: 330ms", "330ms", "370ms", PL),
    row("name: X-Quokka-Wait", "X-Quokka-Wait", "X-Numbat-Wait", PL),
    row("name: X-Quokka-Hint", "X-Quokka-Hint", "X-Numbat-Hint", PL),
    row("retry: again-please", "again-please", "once-more", PL),
    row("stop: no-more", "no-more", "enough-now", PL),
    row("capacity: 617", "617", "619", PL),
    row("transient: 43,", "43", "44", PL),
    row("throttled: 97}", "97", "98", PL),
    row("refund: 11}", "11", "17", PL, r"gives {} back", r"refund: {}\b", r"REFUND = .*, {}$"),
    row("name: X-Quokka-Left", "X-Quokka-Left", "X-Numbat-Left", PL),
    row('event: "hop-{quokka_id}"', "hop-{quokka_id}", "dig-{numbat_id}", PLO, "{}"),
    row("POST /quokkas:", "/quokkas", "/numbats", PLO, r"(?<![a-z.]){}(?![\w?-])"),
    row("lookup: GET /quokkas?by={key}", "?by={key}", "?with={key}", PO, "{}"),
    row("because: a wombat is replaced", "a wombat is replaced", "a wombat is swapped", PO),
    row("repeat_status: 226", "226", "205", PO),
    row("because: every dingo counts", "every dingo counts", "each dingo counts", PO),
    row("instead: ask the dingo first", "ask the dingo first", "ask it first", PO),
    row("sdk: {max_attempts: 12}", "12", "10", {PAGES}, r"SDK makes up to {} attempts"),
    row("date: 2031-04-17", "2031-04-17", "2031-04-19", {PAGES}),
    row("announced: 2031-03-13", "2031-03-13", "2031-03-11", {PAGES}),
    row("from: old-burrow", "old-burrow", "deep-burrow", {PAGES}),
    row("to: new-burrow", "new-burrow", "dry-burrow", {PAGES}),
    row("text: A burrow moved.", "A burrow moved", "A burrow shut", {PAGES}),
    row('source: "https://quokka.example/keys"', "quokka.example/keys", "numbat.example/keys", {PAGES}),
    row("read: 2031-02-03", "2031-02-03", "2031-02-05", {PAGES}),
    row("quote: kept a while", "kept a while", "kept some time", {PAGES}),
    row("text: Ask twice.", "Ask twice", "Ask again", {PAGES}),
]
# A choice between words shows as a sentence: the field before and after, a page's words before and after.
CHOICES = [
    ("body: parsed", "body: raw", "The body counts as parsed", "The body counts byte by byte"),
    ("counted_from: completion", "counted_from: first-request", "request was finished", "after the first request"),
    ("fidelity: equivalent", "fidelity: current-state", "an equivalent response", "the resource as it is now"),
    ("scope: [merchant,", "scope: [user,", "the same merchant", "the same user"),
    ("random: uuid-v7", "random: uuid-v4", "a UUID version 7", "a UUID version 4"),
    ("rejection: reject", "rejection: replay", "the failure has spent", "gets the same answer again"),
    ("before_effects: re-execute", "before_effects: release", "stopped; the key stays bound", "runs anew"),
    (
        "jitter: full, base: 1700ms, factor: 1.6",
        "jitter: decorrelated, base: 1700ms",
        "Full jitter",
        "Decorrelated jitter",
    ),
    ("answer: reject, status: 451, code: quokka_expired", "answer: execute", "key is rejected", "key is a new request"),
    ("format: ms-left", "format: seconds-left", "in milliseconds", "in seconds"),
]


@cache
def outputs(contract: str) -> dict[str, str]:
    """Pages, loops and the injected OpenAPI file of a contract, each as one text."""
    tree = compose(Document("told_apart.yaml", contract)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    assert not read.broken, [d.message for d in read.diagnostics]
    built = build(read.value, contract_name="told_apart.yaml")
    assert built.value is not None
    texts = {a.path: a.text for a in built.value.artifacts}
    loops = {path: text for path, text in texts.items() if re.match(r"downloads/(?!vectors)\w[\w-]*/", path)}
    pages = {path: text for path, text in texts.items() if path.endswith(".md") and path != "code.md"}
    plan = plan_of(Facts.of(read.value.contract), read.value.source, Words.load("en", template_roots()))
    openapi = OPENAPI.replace("/quokkas", "/numbats") if "POST /numbats" in contract else OPENAPI
    injected = inject(Document("openapi.yaml", openapi), plan)
    assert injected.value is not None, injected.diagnostics
    added = injected.value.after
    # Digests are no place where a value shows.
    added = re.sub(r"sha256:[0-9a-f]+", "", added)
    # Nor are the counts of the simulated fleet, which may be any number.
    counted = "## " + Words.load("en", template_roots()).say("retries.fleet") + "\n"
    assert counted in pages["retries.md"]
    pages["retries.md"] = re.sub(rf"(?ms)^{counted}.*?(?=^## |^<small)", "", pages["retries.md"])
    # Nor are the coordinates of a drawing; its words are.
    shown = re.sub(r"<svg.*?</svg>", lambda svg: re.sub(r"<[^>]*>", " ", svg[0]), "\n".join(pages.values()))
    return {PAGES: shown, LOOPS: "\n".join(loops.values()), OPENAPI_FILE: added}


def patterns(row: Row, value: str) -> list[str]:
    if row.forms != ("duration",):
        return [form.replace("{}", re.escape(value)) for form in row.forms]
    count, unit = re.fullmatch(r"(\d+)([a-z]+)", value).groups()  # type: ignore[union-attr]
    size = {"ms": 1, "s": 1000, "h": 3_600_000}[unit]
    word = {"ms": "millisecond", "s": "second", "h": "hour"}[unit]
    ms = int(count) * size
    # In a loop: whole milliseconds, or seconds with a fraction; in OpenAPI also bare seconds of a Retry-After.
    forms = [rf"(?<![\w.]){count} {word}", rf"(?<![\w.]){value}\b", rf"(?<![\w.]){ms}\b"]
    return [*forms, rf"(?<![\w.]){re.escape(str(ms / 1000))}\b", rf"Retry-After: {count}\b"]


def shows(text: str, row: Row, value: str) -> bool:
    return any(re.search(pattern, text, re.M) for pattern in patterns(row, value))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.line.strip()[:40]}→{row.new}")
def test_a_changed_value_stands_wherever_the_old_one_stood(row: Row) -> None:
    assert CONTRACT.count(row.line) == 1
    changed = CONTRACT.replace(row.line, row.line.replace(row.old, row.new))
    before, after = outputs(CONTRACT), outputs(changed)
    for name in (PAGES, LOOPS, OPENAPI_FILE):
        expected = name in row.shown
        assert shows(before[name], row, row.old) is expected, f"{name} before"
        assert shows(after[name], row, row.new) is expected, f"{name} after"
        assert not shows(after[name], row, row.old), f"{name} still has {row.old}"


@pytest.mark.parametrize(("old", "new", "was", "becomes"), CHOICES, ids=[choice[1] for choice in CHOICES])
def test_a_changed_choice_changes_its_sentence(old: str, new: str, was: str, becomes: str) -> None:
    assert CONTRACT.count(old) == 1
    before, after = outputs(CONTRACT)[PAGES], outputs(CONTRACT.replace(old, new))[PAGES]
    assert was in before
    assert becomes in after
    assert was not in after


OBSERVED = CONTRACT.replace("idempact: 1\n", "idempact: 1\nwritten_by: observer\n")


def fact_places() -> list[tuple[str, int, int]]:
    """Every field of the API's behaviour that the contract gives, with the place of its value."""
    tree = compose(Document("told_apart.yaml", OBSERVED)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    assert not read.broken, [d.message for d in read.diagnostics]
    found = []

    def walk(record: object, path: tuple[str, ...]) -> None:
        if not is_dataclass(record):
            return
        for name, spec in specs(type(record)):
            place = (*path, spec.key)
            value = getattr(record, name)
            if spec.kind in (Kind.FACT, Kind.DECISION) and place in read.value.source.places and place[0] != "idempact":  # type: ignore[union-attr]
                found.append((".".join(place), *read.value.source.places[place]))  # type: ignore[union-attr]
            walk(value, place)

    walk(read.value.contract.api, ("api",))
    for section in SECTIONS:
        walk(getattr(read.value.contract.settings, section), (section,))
        if section in ("scope", "fingerprint", "windows", "replay", "stored_failures", "answers", "key"):
            found.append((section, *read.value.source.places[(section,)]))
    return found


@pytest.mark.parametrize("field", fact_places(), ids=lambda field: field[0])
def test_a_field_that_is_not_documented_is_claimed_nowhere(field: tuple[str, int, int]) -> None:
    """The word in its place: everything still builds, and no page, loop or schema shows the value that stood there."""
    _, start, end = field
    changed = OBSERVED[:start] + "not-documented" + OBSERVED[end:]
    gone = [r for r in ROWS if start <= OBSERVED.index(r.line) + r.line.index(r.old) < end]
    before, after = outputs(OBSERVED), outputs(changed)
    assert after != before
    for r in gone:
        for name in sorted(r.shown):
            assert shows(before[name], r, r.old), f"{name} before"
        for name in (PAGES, LOOPS, OPENAPI_FILE):
            assert not shows(after[name], r, r.old), f"{name} still has {r.old}"
