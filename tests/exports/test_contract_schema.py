"""The schema of the contract language: current, true to what the reader accepts, and described throughout."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from idempact.contract import scalar_forms, shapes
from idempact.contract.form import Choice, Fields, Form, Items, Keyed, Member, Scalar
from idempact.contract.model.contract import SECTIONS, Head
from idempact.contract.model.operations import OPERATION_KEY, OperationKey, OwnFields
from idempact.contract.read import read
from idempact.contract.records import Kind, Record, specs
from idempact.contract.write import resolved, write
from idempact.exports.contract_schema import anywhere, render
from idempact.text.diagnostic import Severity
from idempact.text.emit import emit
from idempact.text.nodes import Tree, compose, decode, plain

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "contract" / "contract.schema.json"
SHIPPED = sorted((ROOT / "contract").rglob("*.yaml"))
FIXTURES = sorted((ROOT / "tests" / "contracts").glob("*valid/**/*.yaml"))
CONTRACTS = [path for path in SHIPPED if not {"vectors", "scenarios"} & set(path.parts)]
SOUND = CONTRACTS + [path for path in FIXTURES if "valid" in path.parts]
BEYOND_A_SCHEMA = {
    # Rules of single fields that compare two of them, know the calendar or a regular expression, or name a word that
    # the domain refuses (no schema has it) or that nobody but an observer may use.
    "contract/contradictory-length",
    "contract/contradictory-window",
    "contract/contradictory-backoff",
    "contract/factor-with-decorrelated",
    "contract/not-documented-by-provider",
    "contract/undecided-decision",
    "contract/new-key-per-attempt",
    # What a schema's reader no longer sees.
    "contract/tagged-value",
}
# What an operation lacks once its section is merged with the one above; a window of no length; a word where any text
# may stand.
BEYOND_IN_FIXTURES = {"within_an_override", "window_of_no_length", "note_about_nothing"}


def test_the_committed_schema_is_the_one_that_the_model_gives() -> None:
    command = "idempact export contract-schema --out contract/contract.schema.json"
    assert COMMITTED.read_text(encoding="utf-8") == render(), f"write it with: {command}"


def test_it_is_a_schema(schema: dict[str, Any]) -> None:
    jsonschema_rs.meta.validate(schema)


def test_the_examples_point_an_editor_at_it() -> None:
    for name in ("contract.yaml", "minimal.yaml"):
        first = (ROOT / "contract" / name).read_text(encoding="utf-8").splitlines()[0]
        assert first == f"# yaml-language-server: $schema={COMMITTED.name}"


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_every_sound_contract_is_valid(path: Path, validator: Any, tree_of: Callable[[str], Tree]) -> None:
    instance = plain(tree_of(path.read_text(encoding="utf-8")).root)
    assert [f"{e.instance_path}: {e.message}" for e in validator.iter_errors(instance)] == []


def refusals(tree: Tree) -> set[str]:
    """The rules by which the reader refuses single fields."""
    return {d.rule for d in read(tree).diagnostics if d.severity is Severity.ERROR}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_schema_and_reader_agree_on_every_fixture(path: Path, validator: Any) -> None:
    document = decode(path.name, path.read_bytes()).value
    tree = compose(document).value if document else None
    if tree is None or tree.root is None:
        pytest.skip("this file is no YAML with a value in it")
    rules = refusals(tree)
    if not rules:
        assert validator.is_valid(plain(tree.root))
    elif not rules & BEYOND_A_SCHEMA and path.stem not in BEYOND_IN_FIXTURES:
        assert not validator.is_valid(plain(tree.root)), rules


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_every_contract_that_the_model_holds_is_valid_when_written(
    data: st.DataObject, any_contract: ModuleType, validator: Any, tree_of: Callable[[str], Tree]
) -> None:
    contract = data.draw(any_contract.contracts())
    assert validator.is_valid(plain(tree_of(write(contract)).root))
    assert validator.is_valid(json.loads(json.dumps(resolved(contract))))


def test_every_property_is_described(schema: dict[str, Any]) -> None:
    silent = []

    def walk(node: Any, path: str) -> None:
        if isinstance(node, dict):
            for key, value in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
                narrowing = "/allOf/" in path
                member = node.get("required") == [key] and len(node["properties"]) == 1
                condition = path.endswith(("/if", "/else"))
                if not (narrowing or member or condition or re.search(r"\w{3}", value.get("description", ""))):
                    silent.append(f"{path}/{key}")
        for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            walk(value, f"{path}/{key}")

    walk(schema, "")
    assert silent == []


def test_every_default_and_example_is_valid_where_it_stands(schema: dict[str, Any]) -> None:
    wrong, seen = [], 0

    def walk(node: Any, path: str) -> None:
        nonlocal seen
        if isinstance(node, dict) and not path.endswith("/properties"):
            examples = node["examples"] if isinstance(node.get("examples"), list) else []
            values = [*examples, *([node["default"]] if "default" in node else [])]
            own = {key: value for key, value in node.items() if key not in ("default", "examples")}
            for value in values:
                seen += 1
                if not jsonschema_rs.is_valid({**own, "$defs": schema["$defs"]}, value):
                    wrong.append((path, value))
        for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            walk(value, f"{path}/{key}")

    walk(schema, "")
    assert wrong == []
    assert seen > 100


# What each record's fields take, found by walking sound contracts along the forms.


def places(form: Form, data: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each declared field that stands in *data*, as ``Record.key``, and where."""
    match form:
        case Fields() if isinstance(data, dict):
            for _, spec in specs(form.record):
                if spec.key in data:
                    yield f"{form.record.__name__}.{spec.key}", (*path, spec.key)
                    yield from places(spec.shape.form, data[spec.key], (*path, spec.key))
        case Items():
            for index, item in enumerate(data) if isinstance(data, list) else [(None, data)] if form.bare else []:
                yield from places(form.item, item, (*path, index) if index is not None else path)
        case Choice():
            fields = [f for f in form.forms if isinstance(f, Fields) and isinstance(data, dict)]
            told = [f for f in fields if all(data.get(k) in w.words for k, w in f.words)]
            told = [f for f in told if all(s.key in data for _, s in specs(f.record) if s.kind is Kind.PART)]
            for each in (*told[:1], *(f for f in form.forms if not isinstance(f, Fields))):
                yield from places(each, data, path)
        case _:
            return


def declared(form: Form, seen: set[str]) -> Iterator[str]:
    """Every field that can stand below *form*."""
    match form:
        case Fields():
            for _, spec in specs(form.record):
                name = f"{form.record.__name__}.{spec.key}"
                if name not in seen:
                    seen.add(name)
                    yield name
                    yield from declared(spec.shape.form, seen)
        case Items():
            yield from declared(form.item, seen)
        case Choice():
            for each in form.forms:
                yield from declared(each, seen)
        case Keyed() | Member():
            yield from declared(form.value, seen)
        case _:
            return


ALL_KINDS = """
idempact: 1
written_by: provider
api:
  {name: A, base_url: "https://a.example", contact: "https://a.example/help", version: v1, protocols: [http, grpc],
   guidelines: []}
key:
  in: header
  name: K
  format: visible-ascii
  quoted: false
  required: {when: it matters}
  length: {min: 2, max: 99, unit: bytes}
  also: [{in: query, name: k}]
  first_sent: {in: header, name: First-Sent, format: http-date}
  derivation: {event: "a-{b}", request: "c-{d}", random: uuid-v7}
scope: [account, {session: the till}]
fingerprint: {body: raw, headers: [X-A], ignores: [/a], version: 2}
windows:
  replay: {at_least: 24h, at_most: 48h, advertised: in a header}
  counted_from: completion
  retry_chains: [{name: queue, lasts: 2h}]
  lease: 20s
  slowest_handler: 10s
  cleanup: 72h
replay:
  {fidelity: equivalent, status: 200, headers: [X-A], omits: [/a], indicator: {in: header, name: R, value: "yes"}}
stored_failures:
  before_execution: release
  business_rejection: replay
  server_error: {before_effects: release, after_effects: recover}
  statuses: {409: release}
answers:
  unsupported_key: {answer: ignore}
  malformed_key: {status: 400, code: a}
  missing_key: {status: 400, code: b}
  store_unavailable: {status: 503, code: c}
  expired_key: {answer: execute}
  mismatch: {status: 422, code: d, code_at: /e, retry_after: none, grpc: ABORTED, resource_at: /f, client: stop}
  in_flight: {answer: wait, at_most: 5s, status: 409, code: g, retry_after: 1s, status_url: /later}
  stale: {answer: resume}
  unknown_outcome: {status: 409, code: h}
  previous_failure: {status: 409, code: i}
  completed: {status: 409, code: j}
errors: {media_type: application/json, code_at: /c, type: "https://a.example/{code}", example: {c: "{code}"}}
retry:
  throttled: {statuses: 429, codes: [x]}
  transient: {statuses: [503], codes: [y], transport: [not-sent]}
  cautious: {statuses: [500], codes: [z], retries: 1}
  final: {codes: [w]}
  backoff: {jitter: full, base: 1s, factor: 2.5, cap: 9s}
  max_attempts: 4
  deadline: 60s
  attempt_timeout: 9s
  connect_timeout: 1s
  p99: 4s
  least_wait: 1s
  retry_after: {in: body, name: /wait, unit: ms}
  server_hint: {in: header, name: H, retry: "yes", stop: ["no", never]}
  budget: {kind: token-bucket, capacity: 9, cost: {transient: 2, throttled: 1}, refund: 1}
  deadline_header: {name: D, format: ms-left}
  grpc: {codes: [UNAVAILABLE], max_tokens: 10, token_ratio: 0.5}
operations: {POST /a: keyed}
unlisted_operations: warning
sdk: {max_attempts: 3, generates_keys: false}
server: {store: sqlite, claim: by-store, regions: one, completer_after: 5m, reaper_batch: 10}
publish: {provider: true, locales: [en], languages: [python]}
changes: [{date: 2026-11-01, announced: 2026-10-01, at: windows.replay, from: 12h, to: 24h, text: more}]
notes:
  - {at: windows, source: "https://a.example", read: 2026-11-01, quote: q, text: t, confirmed: false}
"""
RATIO = "budget: {kind: ratio, share: 10%, within: 10s, min_per_second: 3}"
UPPER = "{at_most: 48h, advertised: in a header}"
OWN = """
POST /a:
  safety: keyed
  because: b
  instead: c
  repeat_status: 404
  lookup: GET /a
  external_effects: [{name: n, recovery_point: r, downstream_key: d, query: by-reference}]
"""
# No scalar is wrong where any text may stand, so each field gets values of several kinds.
WRONG: tuple[Any, ...] = (
    [],
    {},
    99,
    600,
    [["x"]],
    [{"no such key": "x"}],
    {"no such key": ["x"]},
    "? of no kind ?",
    -7,
    0.5,
    True,
)


def cases() -> list[tuple[str, str, tuple[Any, ...]]]:
    """One place in a sound contract for each field that the model declares."""
    bucket = re.search(r"budget: .*", ALL_KINDS)
    assert bucket
    upper = ALL_KINDS.replace("{at_least: 24h, at_most: 48h, advertised: in a header}", UPPER)
    texts = (ALL_KINDS, ALL_KINDS.replace(bucket.group(), RATIO), upper)
    found: dict[str, tuple[str, str, tuple[Any, ...]]] = {}
    for text in texts:
        data = cast("dict[str, Any]", plain(compose(decode("a.yaml", text.encode()).value).value.root))  # type: ignore[arg-type, union-attr]
        for name, path in places(Record(Head).form, data, ()):
            found.setdefault(name, (name, text, path))
    text = ALL_KINDS.replace("operations: {POST /a: keyed}", "operations:" + OWN.replace("\n", "\n  ").rstrip())
    own = cast("dict[str, Any]", plain(compose(decode("a.yaml", text.encode()).value).value.root))  # type: ignore[arg-type, union-attr]
    for name, path in places(Record(OwnFields).form, own["operations"]["POST /a"], ("operations", "POST /a")):
        found.setdefault(name, (name, text, path))
    return list(found.values())


CASES = cases()


def test_the_cases_hold_every_field_that_the_model_declares() -> None:
    every = set(declared(Record(Head).form, set())) | set(declared(Record(OwnFields).form, set()))
    # With at_least, too, such a window is one of two bounds, which is another record.
    assert {name for name, _, _ in CASES} == every - {"_Upper.at_least"}


@pytest.mark.parametrize(("name", "text", "path"), CASES, ids=[name for name, _, _ in CASES])
def test_a_wrong_value_is_refused_by_the_schema_as_by_the_reader(
    name: str, text: str, path: tuple[Any, ...], validator: Any, tree_of: Callable[[str], Tree]
) -> None:
    tree = tree_of(text)
    assert refusals(tree) == set()
    sound = cast("dict[str, Any]", plain(tree.root))
    assert validator.is_valid(sound)
    refused = 0
    for value in WRONG:
        if value == {} and name.startswith("Answers."):
            continue  # what an answer needs depends on its verb, and on who writes: left to `check`
        changed = copy.deepcopy(sound)
        place: Any = changed
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value
        rules = refusals(tree_of(emit(changed)))
        if rules & BEYOND_A_SCHEMA:
            continue
        refused += bool(rules)
        assert validator.is_valid(changed) == (not rules), (value, rules)
    free = name in ("Errors.example", "Change.from", "Change.to")
    assert refused or free


@pytest.mark.parametrize("observer", [False, True])
@pytest.mark.parametrize(("name", "text", "path"), CASES, ids=[name for name, _, _ in CASES])
def test_what_may_be_left_out_is_what_the_schema_does_not_require(
    name: str, text: str, path: tuple[Any, ...], observer: bool, validator: Any, tree_of: Callable[[str], Tree]
) -> None:
    if observer:
        text = text.replace("written_by: provider", "written_by: observer")
    sound = cast("dict[str, Any]", plain(tree_of(text).root))
    place: Any = sound
    for part in path[:-1]:
        place = place[part]
    del place[path[-1]]
    if not place and path[:-1] == ("operations",):
        return
    rules = refusals(tree_of(emit(sound)))
    if path[0] == "answers" and len(path) == 3:
        return  # what an answer needs depends on its verb, and on who writes: left to `check`
    assert validator.is_valid(sound) == (not rules), rules


def test_the_words_that_stand_anywhere_are_the_readers(tree_of: Callable[[str], Tree], validator: Any) -> None:
    observer = ALL_KINDS.replace("written_by: provider", "written_by: observer")
    every = {f"{r.__name__}.{s.key}": s for r in (Head, OwnFields) for _, s in specs(r)}
    for _, _, path in CASES:
        name = f"Head.{path[0]}"
        if len(path) != 1 or name in ("Head.idempact", "Head.operations", "Head.written_by"):
            continue
        data = cast("dict[str, Any]", plain(tree_of(observer).root))
        data[path[0]] = "not-documented"
        accepted = not refusals(tree_of(emit(data)))
        assert accepted == ("not-documented" in anywhere(every[name])) == validator.is_valid(data), path


# The patterns against the functions that read.

PARSED = {
    "DURATION": shapes.DURATION,
    "SHARE": shapes.SHARE,
    "STATUS": shapes.STATUS,
    "LINE": shapes.LINE,
    "CHARACTERS": shapes.CHARACTERS,
    "POINTER": shapes.POINTER,
    "HEADER": shapes.HEADER,
    "HEADER_VALUE": shapes.HEADER_VALUE,
    "LOCALE": shapes.LOCALE,
    "URL": shapes.URL,
    "DATE": shapes.DATE,
    "PATTERN": shapes.PATTERN,
}
PARSES: dict[str, tuple[Scalar, Callable[[str], object]]] = {
    name: (getattr(scalar_forms, name), cast("shapes.Parsed[Any]", shape).parse) for name, shape in PARSED.items()
} | {"OPERATION": (OPERATION_KEY, OperationKey.parse)}
NEAR = st.text(st.sampled_from("aA0.9%smhd4xX/~*-:{} \n\t\x01?#=POSTtag"), max_size=9)


def accepted(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return bool(text)


@pytest.mark.parametrize("name", sorted(PARSES))
@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_what_a_scalar_reads_its_pattern_matches_and_the_other_way_round(name: str, data: st.DataObject) -> None:
    form, parse = PARSES[name]
    valid = st.from_regex(rf"(?:{form.pattern})\Z", fullmatch=True)
    text = data.draw(valid | NEAR | st.text(max_size=6))
    matches = bool(re.fullmatch(form.pattern, text))
    if name in ("DATE", "PATTERN"):
        # A pattern doesn't know the calendar, nor which regular expressions there are.
        assume(accepted(parse, text))
        assert matches
    elif name == "OPERATION":
        assume("\n" not in text)
        assert not accepted(parse, text) or matches
    else:
        assert matches == accepted(parse, text)


def test_overrides_are_open_for_every_section_and_ask_for_nothing(schema: dict[str, Any]) -> None:
    operation = schema["$defs"]["Operation"]
    assert set(SECTIONS) <= set(operation["properties"])
    assert operation["required"] == ["safety"]
    assert all("required" not in schema["$defs"][name] for name in schema["$defs"] if name.endswith("Override"))


def test_decisions_say_that_they_are_never_defaulted(schema: dict[str, Any]) -> None:
    for _, spec in specs(Head):
        told = schema["properties"][spec.key]
        assert ("Never defaulted." in told["description"]) == (spec.kind is Kind.DECISION)
        assert "default" not in told or spec.kind is not Kind.DECISION
