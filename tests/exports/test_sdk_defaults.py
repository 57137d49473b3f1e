"""What an SDK should default to, as data: against values written by hand, and against the loops' own rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idempact.contract.read import read
from idempact.exports.sdk_defaults import render
from idempact.text.nodes import load

CONTRACTS = Path(__file__).parents[2] / "contract"
ALL = [CONTRACTS / "contract.yaml", CONTRACTS / "minimal.yaml", *sorted((CONTRACTS / "vendors").glob("*.yaml"))]


def defaults(path: Path) -> dict:  # type: ignore[type-arg]
    found = read(load(path).value).value  # type: ignore[arg-type]
    assert found is not None
    return json.loads(render(found.contract))  # type: ignore[no-any-return]


def test_the_example_has_the_numbers_of_its_contract() -> None:
    told = defaults(CONTRACTS / "contract.yaml")
    assert (told["sdk_defaults"], told["api"]) == (1, "Acme Payments API")
    payments = next(each for each in told["profiles"] if "POST /payments" in each["operations"])
    assert payments["max_attempts"] == 3
    assert payments["backoff"] == {"jitter": "full", "base_ms": 1000, "cap_ms": 30000, "factor": 2}
    times = {name: payments[name] for name in payments if name.endswith("_ms")}
    assert times == {
        "deadline_ms": 75000,
        "attempt_timeout_ms": 10000,
        "connect_timeout_ms": 2000,
        "least_wait_ms": 0,
    }
    assert payments["retry"]["statuses"] == {"throttled": [429], "transient": [502, 503, 504], "cautious": [500]}
    assert payments["retry"]["cautious_retries"] == 1
    assert payments["retry"]["without_key"] == ["throttled", "not-sent"]
    assert {rule["code"]: rule["class"] for rule in payments["retry"]["codes"]}["idempotency_key_reused"] == "mismatch"
    key = payments["key"]
    assert (key["in"], key["name"], key["generated"]) == ("header", "Idempotency-Key", True)
    assert key["length"] == {"min": 16, "max": 255, "unit": "characters"}
    assert payments["budget"] == {
        "kind": "token-bucket",
        "capacity": 500,
        "cost": {"transient": 14, "throttled": 5},
        "refund": 1,
    }


def test_an_unsafe_operation_retries_only_what_had_no_effect() -> None:
    told = defaults(CONTRACTS / "contract.yaml")
    unsafe = next(each for each in told["profiles"] if each["safety"] == "unsafe")
    assert unsafe["key"] is None
    assert set(unsafe["retry"]["statuses"]) == {"throttled"}
    assert (unsafe["retry"]["not_sent"], unsafe["retry"]["no_answer"]) == (True, False)
    assert unsafe["retry"]["cautious_retries"] == 0
    assert {rule["class"] for rule in unsafe["retry"]["codes"]} <= {"throttled", "final"}


def test_a_stored_server_error_is_not_retried() -> None:
    told = defaults(CONTRACTS / "minimal.yaml")
    payments = next(each for each in told["profiles"] if "POST /payments" in each["operations"])
    assert payments["retry"]["cautious_retries"] == 0


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_operation_of_each_contract_stands_in_one_profile(path: Path) -> None:
    contract = read(load(path).value).value.contract  # type: ignore[arg-type, union-attr]
    told = defaults(path)
    names = [name for profile in told["profiles"] for name in profile["operations"]]
    assert sorted(names) == sorted(str(operation.key) for operation in contract.operations)
    for profile in told["profiles"]:
        assert profile["max_attempts"] >= 1
        assert profile["deadline_ms"] >= profile["attempt_timeout_ms"]
        assert ("factor" in profile["backoff"]) is (profile["backoff"]["jitter"] == "full")
        assert (profile["key"] is None) is (profile["safety"] != "keyed")
