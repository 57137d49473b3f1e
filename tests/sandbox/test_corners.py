"""Rules that one contract in ten has: reads, conditions, bounded windows, several effects, forms, waits in a body."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.sandbox.app import described
from idempact.sandbox.exchange import Request
from idempact.sandbox.faults import During, Script, Step, read_step
from idempact.sandbox.pointers import found, parts, put, without

HOUR = 3_600_000
FORM = "application/x-www-form-urlencoded"


def test_a_post_that_only_reads_has_no_effect(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"operations": {"POST /search": "read"}}))
    answers = [sandbox.send(sandbox.request("POST", "/search", {"q": "x"})) for _ in range(2)]
    assert [answer.outcome for answer in answers] == ["read", "read"]
    assert sandbox.app.effects() == 0


def test_a_condition_under_which_a_key_is_required(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"key": {"required": {"when": "money moves"}}}))
    assert sandbox.post(key=None).outcome == "done"
    assert sandbox.post(key=None, fault={"key_required": True}).outcome == "missing_key"


@pytest.mark.parametrize(
    ("window", "last"),
    [
        ({"at_least": "2h", "at_most": "4h"}, 2 * HOUR),
        ({"at_least": "3h"}, 3 * HOUR),
        ({"at_most": "4h"}, 4 * HOUR),
    ],
)
def test_a_bounded_window_is_no_longer_than_promised(drive, contract, window, last: int) -> None:  # type: ignore[no-untyped-def]
    chains = [{"name": "quick", "lasts": "1h"}]
    sandbox = drive(contract("minimal.yaml", {"windows": {"replay": window, "retry_chains": chains}}))
    sandbox.post()
    sandbox.advance(last - 1)
    assert sandbox.post().outcome == "replayed"
    sandbox.advance(1)
    assert sandbox.post().outcome == "done"


def test_a_run_with_several_effects_goes_on_behind_the_last_one_that_was_made(drive, contract) -> None:  # type: ignore[no-untyped-def]
    effects = [
        {"name": name, "recovery_point": name, "downstream_key": "d-{record_id}", "query": "by-downstream-key"}
        for name in ("charge", "letter", "points")
    ]
    operations = {"POST /payments": {"safety": "keyed", "external_effects": effects}}
    changes = {"operations": operations, "stored_failures": "re-execute"}
    sandbox = drive(contract("minimal.yaml", changes))
    sandbox.post(fault={"fail": 500, "during": "after-effects"})
    assert sandbox.app.store.effects() == (("POST /payments", "charge", 1),)
    assert sandbox.post().outcome == "resumed"
    assert [count for _, _, count in sandbox.app.store.effects()] == [1, 1, 1]
    assert sandbox.app.effects() == 1


def test_a_key_in_a_form(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"key": {"in": "body", "name": "ClientToken"}}))

    def post(body: bytes):  # type: ignore[no-untyped-def]
        return sandbox.post(body, key=None, content_type=FORM)

    assert [post(b"ClientToken=t1&Count=1").outcome for _ in range(2)] == ["done", "replayed"]
    assert post(b"Count=1&ClientToken=t1").outcome == "replayed"
    assert post(b"ClientToken=t1&Count=2").outcome == "mismatch"
    assert post(b"Count=1").outcome == "missing_key"


def test_a_wait_that_stands_in_the_body(drive, contract) -> None:  # type: ignore[no-untyped-def]
    place = {"in": "body", "name": "/error/retry_after", "unit": "ms"}
    answers = {"in_flight": {"status": 409, "code": "busy", "retry_after": "2s"}}
    sandbox = drive(contract("minimal.yaml", {"retry": {"retry_after": place}, "answers": answers}))
    sandbox.begin(sandbox.keyed(fault={"hold": True}))
    answer = sandbox.post()
    assert json.loads(answer.body)["error"]["retry_after"] == 2000
    assert "retry-after" not in {name.lower() for name, _ in answer.headers}


def test_parts_of_a_scope_are_told_outright(drive, contract) -> None:  # type: ignore[no-untyped-def]
    scope = ["api-key", "environment", "path", {"session": "one visit"}]
    operations = {"POST /orders/{id}/capture": "keyed"}
    sandbox = drive(contract("minimal.yaml", {"scope": scope, "operations": operations}))

    def post(order: int, **more: str) -> str:
        outcome: str = sandbox.post(target=f"/orders/{order}/capture", **more).outcome
        return outcome

    assert [post(1), post(1)] == ["done", "replayed"]
    for more in ({"sandbox_environment": "test"}, {"sandbox_session": "2"}, {"sandbox_api_key": "k2"}):
        assert [post(1, **more), post(1, **more)] == ["done", "replayed"]
    assert post(2) == "done"


def test_without_the_path_in_its_scope_a_key_on_another_path_is_a_mismatch(drive, contract) -> None:  # type: ignore[no-untyped-def]
    changes = {"scope": ["account"], "operations": {"POST /orders/{id}/capture": "keyed"}}
    sandbox = drive(contract("minimal.yaml", changes))
    assert sandbox.post(target="/orders/1/capture").outcome == "done"
    assert sandbox.post(target="/orders/2/capture").outcome == "mismatch"
    assert sandbox.post(target="/payments").outcome == "mismatch"


def test_an_old_first_attempt_is_rejected_though_its_record_is_gone(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("vendors/oasis-azure.yaml"))
    target, key = "/emails:send", "5f9619ff-8b86-4011-b42d-00c04fc964ff"
    headers = {"repeatability_request_id": key, "repeatability_first_sent": "Mon, 30 Nov 2026 11:54:59 GMT"}
    assert sandbox.post(key=None, target=target, **headers).status == 412
    headers["repeatability_first_sent"] = "Mon, 30 Nov 2026 11:55:01 GMT"
    assert sandbox.post(key=None, target=target, **headers).outcome == "done"
    assert sandbox.post(key=None, target=target, repeatability_request_id=key).status == 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
WAYS = st.lists(st.text(min_size=1, max_size=3).filter(lambda text: text != "*"), min_size=1, max_size=3)


@settings(deadline=None)
@given(JSON, WAYS, JSON.filter(lambda value: value is not None))
def test_what_is_put_is_found_and_what_is_taken_out_is_gone(body: object, way: list[str], value: object) -> None:
    changed = put(body, way, value)  # type: ignore[arg-type]
    assert found(changed, way) == value
    assert found(without(changed, way), way) is None
    pointer = "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in way)
    assert parts(pointer) == tuple(way)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(Step.__dataclass_fields__)), JSON, max_size=4))
def test_any_step_is_read_or_refused(value: dict[str, object]) -> None:
    script = Script()
    try:
        step = read_step(value)  # type: ignore[arg-type]
    except ValueError:
        return
    script.replace((step,))
    assert script.next() == step


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["POST", "PUT", "DELETE", "GET", "PATCH", "OPTIONS"]),
    st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), max_size=20).map("/payments{}".format)
    | st.sampled_from(
        ["/payments", "/refunds", "/_sandbox", "/_sandbox/log", "/_sandbox/recover", "//", "/v1/payments"]
    ),
    st.lists(
        st.tuples(
            st.sampled_from(["idempotency-key", "content-type", "authorization", "sandbox-fault"]), st.text(max_size=30)
        ),
        max_size=3,
    ),
    st.binary(max_size=40),
)
def test_any_request_has_an_answer(method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> None:
    import asyncio
    from pathlib import Path

    from idempact.contract.read import read
    from idempact.sandbox.app import App
    from idempact.sandbox.clock import Clock
    from idempact.sandbox.store import Store
    from idempact.text.nodes import load

    tree = load(Path(__file__).parents[2] / "contract" / "contract.yaml").value
    assert tree is not None
    contract = read(tree).value
    assert contract is not None
    store = Store()
    app = App(contract.contract, store, Clock())
    try:
        delivery = asyncio.run(app.handle(Request(method, target, tuple(headers), body)))
        assert delivery.response is not None
        assert 200 <= delivery.response.status < 600
        assert json.loads(asyncio.run(app.handle(Request("GET", "/_sandbox/log"))).response.body)  # type: ignore[union-attr]
    finally:
        store.close()


IDLE = (
    {"during": "execution"},
    {"bytes": 3},
    {"code": "x"},
    {"raw": "x"},
    {"headers": {"X-A": "b"}},
    {"status": 503, "raw": "x", "code": "y"},
    {"status": 503, "hold": True},
    {"reset": "before", "fail": 500},
    {"crash": "after", "truncate": True},
)


@pytest.mark.parametrize("step", IDLE, ids=str)
def test_a_field_that_would_do_nothing_is_refused_with_what_to_do(example, step) -> None:  # type: ignore[no-untyped-def]
    by_header = example.post(fault=step)
    by_script = example.send(example.request("POST", "/_sandbox/faults", {"steps": [step]}))
    assert (by_header.status, by_script.status) == (400, 400)
    assert any(word in by_header.body.decode() for word in ("add '", "does nothing", "a body is"))
    assert (example.app.effects(), len(example.app.script)) == (0, 0)


@pytest.mark.parametrize("name", tuple(Step.__dataclass_fields__))
def test_a_half_of_a_character_in_any_field_is_refused_both_ways(example, name) -> None:  # type: ignore[no-untyped-def]
    for step in ({name: "\ud800"}, {"status": 200, name: "\ud800"}, {"status": 200, "headers": {"X-A": "\ud800"}}):
        by_header = example.post(fault=step)
        by_script = example.send(example.request("POST", "/_sandbox/faults", {"steps": [step]}))
        assert (by_header.status, by_script.status) == (400, 400), step


CONTROLS = ("clock", "faults", "store", "release", "recover", "reset")


@pytest.mark.parametrize("place", CONTROLS)
def test_a_control_names_a_field_that_it_does_not_know(example, place: str) -> None:  # type: ignore[no-untyped-def]
    """Whatever else is asked for: nothing of it is done."""
    wanted: dict[str, object] = {
        "clock": {"advance": "1h"},
        "faults": {"steps": [{"status": 503}]},
        "store": {"available": False},
        "recover": {"key": "k", "outcome": "done"},
    }.get(place, {})  # type: ignore[assignment]
    before = example.control("log", "GET")
    for name in ("availble", "", "outcomes", "Steps", "ßß"):
        answer = example.send(example.request("POST", f"/_sandbox/{place}", {**wanted, name: 1}))
        assert answer.status == 400
        assert f"unknown field {name!r}" in json.loads(answer.body)["title"]
    assert example.control("log", "GET") == before
    assert example.send(example.request("POST", f"/_sandbox/{place}", wanted)).status == 200


def test_a_fault_in_a_list_of_steps_says_in_which(example) -> None:  # type: ignore[no-untyped-def]
    steps = [{"status": 503}, {"stauts": 503}]
    answer = example.send(example.request("POST", "/_sandbox/faults", {"steps": steps}))
    assert answer.status == 400
    assert json.loads(answer.body)["title"] == "step 2: unknown field 'stauts', did you mean `status`?"
    assert example.control("log", "GET")["faults_waiting"] == 0


def test_an_unknown_address_is_answered_with_those_that_there_are(example) -> None:  # type: ignore[no-untyped-def]
    answer = example.send(example.request("POST", "/payment", {}))
    assert answer.status == 404
    assert str(example.app.contract.operations[0].key) in json.loads(answer.body)["title"]


@given(
    st.fixed_dictionaries(
        {"status": st.integers(200, 599)},
        optional={"headers": st.just({"Retry-After": "2"}), "raw": st.text(st.characters(codec="utf-8"), max_size=9)},
    )
    | st.fixed_dictionaries({"fail": st.integers(400, 599)}, optional={"during": st.sampled_from(list(During))})
    | st.sampled_from([{"hold": True}, {"drip_ms": 3, "bytes": 2}, {"crash": "after"}, {"reset": "before"}])
)
def test_the_log_shows_a_fault_as_it_is_asked_for(fault: dict[str, object]) -> None:
    assert read_step(json.loads(described(read_step(fault)))) == read_step(fault)  # type: ignore[arg-type]
