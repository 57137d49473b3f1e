"""The rules of a key's life on the example, with every status and code written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

KEY = "key-0123456789abcdef"
HOUR = 3_600_000
A_DAY = 24 * HOUR
LEASE = 60_000


def code(response) -> str:  # type: ignore[no-untyped-def]
    return str(json.loads(response.body).get("code"))


def headers(response) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {name.lower(): value for name, value in response.headers}


def effects(response) -> int:  # type: ignore[no-untyped-def]
    return int(headers(response)["sandbox-effects"])


def test_a_repeat_gets_the_first_answer_without_what_is_never_stored(example) -> None:  # type: ignore[no-untyped-def]
    first, second = example.post(), example.post()
    assert (first.status, second.status) == (201, 201)
    one, other = json.loads(first.body), json.loads(second.body)
    assert one.pop("client_secret")
    assert one == other
    assert headers(second)["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in headers(first)
    assert headers(first)["location"] == headers(second)["location"] == "/v1/payments/res_1"
    assert effects(second) == 1


def test_a_known_key_with_another_body_query_path_or_header_is_a_mismatch(example) -> None:  # type: ignore[no-untyped-def]
    example.post()
    for other in (
        example.keyed({"amount": 101}),
        example.keyed(target="/payments?dry=1"),
        example.keyed(acme_version="2"),
        example.keyed(b"{}"),
    ):
        answer = example.send(other)
        assert (answer.status, code(answer), effects(answer)) == (422, "idempotency_key_reused", 1)


@pytest.mark.parametrize(
    "body",
    [
        b'{"amount": 100}',
        b'{ "amount":1e2 }',
        b'{"amount": 100.00}',
        b'{"amount": 100, "metadata": {"trace_id": "t2"}}',
    ],
)
def test_equal_values_and_members_that_dont_count_are_the_same_request(example, body: bytes) -> None:  # type: ignore[no-untyped-def]
    example.post({"amount": 100, "metadata": {"trace_id": "t1"}} if b"metadata" in body else None)
    answer = example.post(body)
    assert (answer.status, answer.outcome) == (201, "replayed")


def test_in_flight_until_the_first_request_ends_and_a_mismatch_wins_over_it(example) -> None:  # type: ignore[no-untyped-def]
    first = example.begin(example.keyed(fault={"hold": True}))
    answer = example.post()
    assert (answer.status, code(answer)) == (409, "idempotency_request_in_progress")
    assert headers(answer)["retry-after"] == "1"
    assert code(example.post({"amount": 2})) == "idempotency_key_reused"
    example.control("release")
    assert example.finish(first).status == 201
    assert example.post().outcome == "replayed"
    assert example.app.effects() == 1


def test_past_the_lease_one_retry_takes_over_and_the_first_run_has_no_effect_any_more(example) -> None:  # type: ignore[no-untyped-def]
    first = example.begin(example.keyed(fault={"hold": True}))
    example.advance(LEASE - 1)
    assert example.post().status == 409
    example.advance(1)
    assert example.states() == ["stale"]
    second = example.begin(example.keyed(fault={"hold": True}))
    assert example.states() == ["in-progress"]
    assert example.post().status == 409
    example.control("release")
    assert (example.finish(first).outcome, example.finish(second).outcome) == ("replayed", "resumed")
    assert example.post().outcome == "replayed"
    assert example.app.effects() == 1


def test_a_run_that_died_after_its_effect_goes_on_behind_it(example) -> None:  # type: ignore[no-untyped-def]
    example.run(example.app.handle(example.keyed(fault={"crash": "after"})))
    assert example.app.effects() == 1
    assert example.post().status == 409
    example.advance(LEASE)
    answer = example.post()
    assert (answer.status, answer.outcome, effects(answer)) == (201, "resumed", 1)
    assert example.post().outcome == "replayed"


def test_an_expired_key_is_a_new_request_and_so_is_one_that_was_removed(example) -> None:  # type: ignore[no-untyped-def]
    example.post()
    example.advance(A_DAY - 1)
    assert example.post().outcome == "replayed"
    example.advance(1)
    assert example.states() == ["expired"]
    answer = example.post({"amount": 7})
    assert (answer.outcome, effects(answer)) == ("done", 2)
    example.advance(3 * A_DAY)
    assert example.states() == ["removed"]
    assert example.post().outcome == "done"


def test_an_expired_key_may_be_rejected_while_its_record_lives(drive, contract) -> None:  # type: ignore[no-untyped-def]
    answers = {"expired_key": {"answer": "reject", "status": 410, "code": "idempotency_key_expired"}}
    sandbox = drive(contract("minimal.yaml", {"answers": answers}))
    sandbox.post()
    sandbox.advance(A_DAY)
    answer = sandbox.post()
    assert (answer.status, code(answer)) == (410, "idempotency_key_expired")
    assert code(sandbox.post({"amount": 9})) == "idempotency_key_expired"
    sandbox.advance(2 * A_DAY)
    assert sandbox.post().outcome == "done"


def test_windows_and_scopes_are_each_operations_own(example) -> None:  # type: ignore[no-untyped-def]
    example.post(target="/refunds")
    example.advance(7 * A_DAY - 1)
    assert example.post(target="/refunds").outcome == "replayed"
    assert example.post(target="/payments").outcome == "done"
    assert example.post(sandbox_account="other").outcome == "done"
    assert example.post(authorization="Bearer other").outcome == "done"
    assert example.post(sandbox_account="other").outcome == "replayed"


@pytest.mark.parametrize(
    ("fault", "then"),
    [
        ({"fail": 400, "during": "before-execution"}, ("done", 201, 1)),
        ({"fail": 408}, ("done", 201, 1)),
        ({"fail": 402}, ("replayed-failure", 402, 0)),
        ({"fail": 500, "during": "before-effects"}, ("resumed", 201, 1)),
        ({"fail": 500, "during": "after-effects"}, ("unknown_outcome", 409, 1)),
    ],
)
def test_what_a_repeat_gets_after_a_failure(  # type: ignore[no-untyped-def]
    example, fault: Mapping[str, object], then: tuple[str, int, int]
) -> None:
    assert example.post(fault=fault).status == fault["fail"]
    answer = example.post()
    assert (answer.outcome, answer.status, effects(answer)) == then


def test_a_spent_key_and_a_corrected_request(drive: Callable[..., object], contract) -> None:  # type: ignore[no-untyped-def]
    spent = {"previous_failure": {"status": 409, "code": "idempotency_key_spent"}}
    changes = {"stored_failures": {"business_rejection": "reject", "server_error": "release"}, "answers": spent}
    sandbox = drive(contract("minimal.yaml", changes))
    sandbox.post(fault={"fail": 402})  # type: ignore[attr-defined]
    answer = sandbox.post()  # type: ignore[attr-defined]
    assert (answer.status, code(answer)) == (409, "idempotency_key_spent")
    sandbox.post(key="another-key", fault={"fail": 503})  # type: ignore[attr-defined]
    assert sandbox.post({"amount": 5}, key="another-key").outcome == "done"  # type: ignore[attr-defined]


def test_an_unknown_outcome_stays_until_somebody_finds_it_out(example) -> None:  # type: ignore[no-untyped-def]
    fault = {"fail": 500, "during": "after-effects"}
    example.post(fault=fault)
    lookup = example.send(example.request("GET", f"/payments?idempotency_key={KEY}"))
    assert json.loads(lookup.body)["data"][0]["id"] == "res_1"
    assert example.control("recover", key=KEY, outcome="done") == {"recovered": 1}
    assert (example.post().outcome, example.app.effects()) == ("replayed", 1)
    example.post(key=f"{KEY}2", fault=fault)
    assert code(example.post(key=f"{KEY}2")) == "idempotency_outcome_unknown"
    example.control("recover", key=f"{KEY}2", outcome="not-done")
    assert example.post(key=f"{KEY}2").outcome == "done"


def test_without_its_store_the_sandbox_refuses_or_runs_as_the_contract_says(example, drive, contract) -> None:  # type: ignore[no-untyped-def]
    example.control("store", available=False)
    answer = example.post()
    assert (answer.status, code(answer), headers(answer)["retry-after"]) == (503, "idempotency_unavailable", "2")
    example.control("store", available=True)
    assert example.post().outcome == "done"
    sandbox = drive(contract("minimal.yaml", {"answers": {"store_unavailable": {"answer": "execute"}}}))
    sandbox.control("store", available=False)
    assert [sandbox.post().outcome for _ in range(2)] == ["done", "done"]
    assert sandbox.app.effects() == 2


def test_natural_unsafe_and_unknown_operations(example) -> None:  # type: ignore[no-untyped-def]
    def put(body: Mapping[str, object], target: str = "/customers/1"):  # type: ignore[no-untyped-def]
        return example.send(example.request("PUT", target, body, idempotency_key=KEY))

    assert [effects(put({"name": name})) for name in ("a", "a", "b")] == [1, 1, 2]
    delete = [example.send(example.request("DELETE", "/sessions/1")).status for _ in range(2)]
    assert delete == [200, 404]
    assert [effects(put({}, "/ledgers/1/entries")) for _ in range(2)] == [4, 5]
    assert example.send(example.request("GET", "/nowhere")).status == 404


def test_a_key_where_none_is_supported_can_be_rejected(drive, contract) -> None:  # type: ignore[no-untyped-def]
    unsupported = {"answer": "reject", "status": 501, "code": "no_keys_here"}
    sandbox = drive(contract("minimal.yaml", {"answers": {"unsupported_key": unsupported}}))
    answer = sandbox.send(sandbox.request("PUT", "/customers/1", {}, idempotency_key=KEY))
    assert (answer.status, code(answer)) == (501, "no_keys_here")
    assert sandbox.send(sandbox.request("PUT", "/customers/1", {})).status == 200


def test_two_keys_a_short_one_and_one_with_a_space_are_malformed(example) -> None:  # type: ignore[no-untyped-def]
    for key in ("short", "k" * 256, "key with spaces 1234", "schlüssel-0123456789"):
        assert code(example.post(key=key)) == "idempotency_key_invalid"
    twice = example.keyed()
    doubled = type(twice)(twice.method, twice.target, (*twice.headers, ("idempotency-key", KEY)), twice.body)
    assert code(example.send(doubled)) == "idempotency_key_invalid"
    assert code(example.post(key=None)) == "idempotency_key_missing"
    assert example.app.effects() == 0


QUERY = {"key": {"in": "query", "name": "token"}}
BODY = {"key": {"in": "body", "name": "/meta/key", "also": [{"in": "header", "name": "X-Key"}]}}
QUOTED = {"key": {"quoted": True}}
SENT = {"key": {"first_sent": {"in": "header", "name": "First-Sent", "format": "http-date"}}}


def test_keys_in_the_query_the_body_in_quotes_and_with_a_time(drive, contract) -> None:  # type: ignore[no-untyped-def]
    query = drive(contract("minimal.yaml", QUERY))
    assert [query.post(key=None, target="/payments?token=t1").outcome for _ in range(2)] == ["done", "replayed"]
    body = drive(contract("minimal.yaml", BODY))
    assert [body.post({"meta": {"key": "b1"}}, key=None).outcome for _ in range(2)] == ["done", "replayed"]
    assert body.post({"meta": {"key": "b1"}}, key=None, x_key="b1").outcome == "malformed_key"
    assert body.post({"amount": 1}, key=None, x_key="b2").outcome == "done"
    assert body.post({"meta": {"key": 7}}, key=None).outcome == "malformed_key"
    quoted = drive(contract("minimal.yaml", QUOTED))
    assert [quoted.post(key=key).outcome for key in ('"q1"', "q1", '"q\\"1"', '"q1"')] == [
        "done",
        "malformed_key",
        "done",
        "replayed",
    ]
    sent = drive(contract("minimal.yaml", SENT | {"windows": {"counted_from": "first-sent"}}))
    assert sent.post().outcome == "malformed_key"
    assert sent.post(first_sent="yesterday").outcome == "malformed_key"
    assert sent.post(first_sent="Mon, 30 Nov 2026 00:00:00 GMT").outcome == "done"
    sent.advance(12 * HOUR - 1)
    assert sent.post(first_sent="Mon, 30 Nov 2026 00:00:00 GMT").outcome == "replayed"
    sent.advance(1)
    assert sent.post(first_sent="Mon, 30 Nov 2026 00:00:00 GMT").outcome == "done"
    assert sent.post(first_sent="Mon, 30 Nov 2026 00:00:00 GMT").outcome == "replayed"


def test_a_wait_ends_with_the_first_answer_or_at_its_end(drive, contract) -> None:  # type: ignore[no-untyped-def]
    wait = {"answer": "wait", "at_most": "5s", "status": 409, "code": "busy"}
    sandbox = drive(contract("minimal.yaml", {"answers": {"in_flight": wait}}))
    first = sandbox.begin(sandbox.keyed(fault={"hold": True}))
    second = sandbox.begin(sandbox.keyed())
    sandbox.control("release")
    assert [sandbox.finish(task).outcome for task in (first, second)] == ["done", "replayed"]
    sandbox.begin(sandbox.keyed(key="k2", fault={"hold": True}))
    third = sandbox.begin(sandbox.keyed(key="k2"))
    sandbox.advance(5000)
    answer = sandbox.finish(third)
    assert (answer.status, code(answer)) == (409, "busy")


def test_an_accepted_repeat_is_told_where_to_ask(drive, contract) -> None:  # type: ignore[no-untyped-def]
    accept = {"answer": "accept", "status": 202, "code": None, "status_url": "/operations/{id}"}
    accept["code"] = "none"
    sandbox = drive(contract("minimal.yaml", {"answers": {"in_flight": accept}}))
    first = sandbox.begin(sandbox.keyed(fault={"hold": True}))
    answer = sandbox.post()
    assert (answer.status, headers(answer)["location"]) == (202, "/operations/1")
    asked = sandbox.request("GET", "/operations/1")
    assert json.loads(sandbox.send(asked).body) == {"status": "in-progress"}
    sandbox.control("release")
    assert sandbox.finish(first).status == 201
    assert json.loads(sandbox.send(asked).body)["id"] == "res_1"


def test_fidelity_current_state_error_and_a_mark_in_the_body(drive, contract) -> None:  # type: ignore[no-untyped-def]
    current = drive(contract("minimal.yaml", {"replay": {"fidelity": "current-state", "status": 200}}))
    current.post()
    current.control("resources/res_1", status="settled")
    answer = current.post()
    assert (answer.status, json.loads(answer.body)["status"]) == (200, "settled")
    exists = {"completed": {"status": 409, "code": "already_exists", "resource_at": "/conflicting/id"}}
    refusing = drive(contract("minimal.yaml", {"replay": {"fidelity": "error"}, "answers": exists}))
    refusing.post()
    answer = refusing.post()
    assert (answer.status, code(answer)) == (409, "already_exists")
    assert json.loads(answer.body)["conflicting"] == {"id": "res_1"}
    mark = {"in": "body", "name": "/replayed", "value": "true"}
    marked = drive(contract("minimal.yaml", {"replay": {"fidelity": "equivalent", "indicator": mark}}))
    first, second = json.loads(marked.post().body), json.loads(marked.post().body)
    assert second == {**first, "replayed": True}


def test_key_and_content_may_be_the_identity_together(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"answers": {"mismatch": {"answer": "execute"}}}))
    bodies = ({"amount": 1}, {"amount": 2}, {"amount": 1}, {"amount": 2})
    assert [sandbox.post(body).outcome for body in bodies] == ["done", "done", "replayed", "replayed"]
    none = drive(contract("minimal.yaml", {"fingerprint": "none"}))
    assert [none.post(body).outcome for body in bodies] == ["done", "replayed", "replayed", "replayed"]


@pytest.mark.parametrize(
    ("word", "crash", "then"), [("resume", "after", 1), ("execute", "after", 2), ("execute", "before", 1)]
)
def test_what_becomes_of_a_stale_claim(drive, contract, word: str, crash: str, then: int) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"answers": {"stale": {"answer": word}}}))
    sandbox.run(sandbox.app.handle(sandbox.keyed(fault={"crash": crash})))
    sandbox.advance(LEASE)
    assert sandbox.post().status == 201
    assert sandbox.app.effects() == then


def test_a_stale_claim_may_stay_in_flight_until_the_key_expires(drive, contract) -> None:  # type: ignore[no-untyped-def]
    sandbox = drive(contract("minimal.yaml", {"answers": {"stale": {"answer": "reject"}}}))
    sandbox.run(sandbox.app.handle(sandbox.keyed(fault={"crash": "before"})))
    sandbox.advance(A_DAY - 1)
    assert code(sandbox.post()) == "idempotency_request_in_progress"
    sandbox.advance(1)
    assert sandbox.post().outcome == "done"


def test_a_window_may_be_counted_from_completion_or_from_the_resources_end(drive, contract) -> None:  # type: ignore[no-untyped-def]
    late = drive(contract("minimal.yaml", {"windows": {"counted_from": "completion"}}))
    first = late.begin(late.keyed(fault={"hold": True}))
    late.advance(30_000)
    late.control("release")
    late.finish(first)
    late.advance(A_DAY - 1)
    assert late.post().outcome == "replayed"
    late.advance(1)
    assert late.post().outcome == "done"
    end = drive(contract("minimal.yaml", {"windows": {"counted_from": "resource-end"}}))
    end.post()
    end.advance(100 * A_DAY)
    assert end.post().outcome == "replayed"
    end.control("resources/res_1", ended=True)
    end.advance(A_DAY)
    assert end.post().outcome == "done"


def test_broken_json_is_told_as_what_it_is(example) -> None:  # type: ignore[no-untyped-def]
    answer = example.post(b"[1,2", content_type="application/json")
    assert (answer.status, effects(answer)) == (400, 0)
    assert json.loads(answer.body)["title"] == "The body is not JSON, though its Content-Type says so."
    told = json.loads(example.post(fault={"fail": 500}).body)["title"]
    assert told == "The request failed, as the sandbox was told."
