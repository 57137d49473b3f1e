"""The reader: what the example says, how overrides come about, and how files may be written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.contract.model import (
    VARIES,
    AtLeast,
    AtMost,
    Between,
    BudgetKind,
    ClientAction,
    Exactly,
    Fidelity,
    KeyFormat,
    Length,
    Operation,
    Safety,
    ScopeWord,
    StoredFailure,
    Verb,
)
from idempact.contract.model.retry import Ratio, TokenBucket
from idempact.contract.read import Read
from idempact.contract.units import NOT_DOCUMENTED, Duration, Text
from idempact.text.diagnostic import Checked

HERE = Path(__file__).parent
Check = Callable[..., Checked[Read]]


def _ms(text: str) -> int:
    return Duration.parse(text).ms


@pytest.fixture
def overrides(check_text: Check) -> dict[str, Operation]:
    found = check_text((HERE / "valid" / "overrides.yaml").read_bytes()).value
    assert found is not None
    return {op.key.name: op for op in found.contract.operations}


def test_the_example_says_what_stands_in_it(example: str, check_text: Check) -> None:
    found = check_text(example)
    assert found.diagnostics == ()
    assert found.value is not None
    contract = found.value.contract
    settings = contract.settings
    assert str(contract.api.name) == "Acme Payments API"
    assert settings.key.name == "Idempotency-Key"
    assert settings.key.required is True
    assert settings.key.length == Length(min=16, max=255)
    assert settings.scope == (ScopeWord.ACCOUNT, ScopeWord.OPERATION)
    assert settings.windows.replay == Exactly(Duration(24 * 3_600_000))
    assert [chain.lasts.ms for chain in settings.windows.retry_chains] == [6 * 3_600_000, 20 * 3_600_000]  # type: ignore[union-attr]
    assert settings.windows.cleanup == Duration(72 * 3_600_000)
    assert settings.replay.fidelity is Fidelity.STORED_RESPONSE
    assert settings.stored_failures.business_rejection is StoredFailure.REPLAY
    assert settings.stored_failures.server_error.after_effects is StoredFailure.RECOVER
    assert settings.stored_failures.statuses == ((408, StoredFailure.RELEASE),)
    assert settings.answers.in_flight.status == (409,)  # type: ignore[union-attr]
    assert settings.answers.mismatch.code == "idempotency_key_reused"  # type: ignore[union-attr]
    assert settings.retry.max_attempts == 5
    assert settings.retry.deadline.ms == 75_000
    assert [str(op.key) for op in contract.operations] == [
        "POST /payments",
        "POST /refunds",
        "POST /emails",
        "PUT /customers/{id}",
        "DELETE /sessions/{id}",
        "PUT /ledgers/{id}/entries",
    ]
    assert contract.operations[1].settings.windows.replay == Exactly(Duration(7 * 86_400_000))
    assert contract.operations[1].overrides == ("key", "windows")
    assert contract.operations[4].repeat_status == 404
    assert contract.changes[0].announced == "2026-11-01"
    assert contract.notes[1].confirmed is False


def test_the_minimal_contract_gets_the_defaults(minimal: str, check_text: Check) -> None:
    found = check_text(minimal)
    assert found.diagnostics == ()
    assert found.value is not None
    settings = found.value.contract.settings
    assert settings.key.format is KeyFormat.VISIBLE_ASCII
    assert settings.key.length == Length(min=1, max=255)
    assert settings.windows.lease == Duration(60_000)
    assert settings.windows.cleanup == Duration(72 * 3_600_000)
    assert settings.stored_failures.before_execution is StoredFailure.RELEASE
    assert settings.answers.missing_key.code == "idempotency_key_missing"  # type: ignore[union-attr]
    assert settings.answers.stale.answer is Verb.RESUME  # type: ignore[union-attr]
    assert settings.errors.media_type == "application/problem+json"
    assert settings.errors.code_at == "/code"


def test_mappings_merge_into_the_section_above(overrides: dict[str, Operation]) -> None:
    settings = overrides["/mappings-merge"].settings
    assert settings.key.length == Length(min=16, max=128)
    assert settings.windows.lease == Duration(90_000)
    assert settings.windows.replay == Between(
        Duration(_ms("24h")), Duration(_ms("48h")), Text.of("the header Key-Expires")
    )
    assert overrides["/mappings-merge"].overrides == ("key", "windows")


def test_lists_replace(overrides: dict[str, Operation]) -> None:
    settings = overrides["/lists-replace"].settings
    assert settings.fingerprint is not None
    assert settings.fingerprint.headers == ()
    assert settings.fingerprint.ignores == ("/trace",)
    assert [str(chain.name) for chain in settings.windows.retry_chains] == ["people"]  # type: ignore[union-attr]


def test_words_replace(overrides: dict[str, Operation]) -> None:
    settings = overrides["/words-replace"].settings
    assert settings.scope == (ScopeWord.ACCOUNT,)
    assert settings.replay.fidelity is Fidelity.ERROR
    assert settings.replay.indicator is not None
    over = overrides["/word-over-mapping"].settings
    assert over.windows.replay == Exactly(Duration(_ms("30h")))
    assert over.replay.indicator is None
    assert over.stored_failures.business_rejection is StoredFailure.RELEASE
    assert over.stored_failures.statuses == ()


def test_a_mapping_replaces_a_word(overrides: dict[str, Operation]) -> None:
    failures = overrides["/mapping-over-word"].settings.stored_failures
    assert failures.business_rejection is StoredFailure.REPLAY
    assert failures.server_error.before_effects is StoredFailure.RELEASE
    assert overrides["/statuses-merge"].settings.stored_failures.statuses == (
        (408, StoredFailure.RELEASE),
        (404, StoredFailure.RELEASE),
    )


def test_another_kind_or_answer_replaces_and_the_same_one_merges(overrides: dict[str, Operation]) -> None:
    merged = overrides["/same-kind-merges"].settings.retry.budget
    assert merged == TokenBucket(kind=BudgetKind.TOKEN_BUCKET, capacity=100, refund=2)
    replaced = overrides["/other-kind-replaces"].settings.retry.budget
    assert isinstance(replaced, Ratio)
    assert (replaced.share.percent, replaced.min_per_second) == (20.0, 3)
    waiting = overrides["/other-answer-replaces"].settings.answers.in_flight
    assert waiting is not NOT_DOCUMENTED
    assert (waiting.answer, waiting.retry_after, waiting.code) == (Verb.WAIT, None, "still_running")
    mismatch = overrides["/same-answer-merges"].settings.answers.mismatch
    assert mismatch is not None
    assert mismatch is not NOT_DOCUMENTED
    assert (mismatch.status, mismatch.code, mismatch.client) == ((400,), "key_reused", ClientAction.FIX_REQUEST)


def test_an_example_body_is_one_value(overrides: dict[str, Operation]) -> None:
    example = overrides["/example-replaces"].settings.errors.example
    assert example is not None
    assert example.value == {"code": "{code}"}


def test_none_takes_an_upper_bound_back(overrides: dict[str, Operation]) -> None:
    assert overrides["/open-end"].settings.windows.replay == AtLeast(Duration(_ms("7d")))


@pytest.mark.parametrize(
    ("written", "window", "cleanup"),
    [
        ("{at_most: 24h}", AtMost(Duration(_ms("24h"))), "24h"),
        (
            "{at_least: none, at_most: 24h, advertised: a header}",
            AtMost(Duration(_ms("24h")), Text.of("a header")),
            "24h",
        ),
        ("{at_least: 24h, at_most: none}", AtLeast(Duration(_ms("24h"))), "72h"),
        ("{at_least: 24h, at_most: 24h}", Exactly(Duration(_ms("24h"))), "72h"),
    ],
)
def test_a_window_has_one_bound_or_two(
    written: str, window: object, cleanup: str, base: str, check_text: Check
) -> None:
    found = check_text(base.replace("replay: 24h", f"replay: {written}"))
    assert found.value is not None
    assert found.value.contract.settings.windows.replay == window
    assert found.value.contract.settings.windows.cleanup == Duration(_ms(cleanup))


def test_a_bound_of_no_length_is_told_at_the_bound(base: str, check_text: Check) -> None:
    found = check_text(base.replace("replay: 24h", "replay: {at_most: 0s}"))
    (told,) = [d for d in found.diagnostics if d.rule == "contract/wrong-type"]
    assert (told.subject, told.span and told.span.column) == ("windows.replay.at_most", 21)


def test_an_operation_takes_a_promise_back(base: str, check_text: Check) -> None:
    text = base.replace("replay: 24h", "replay: {at_least: 24h, at_most: 48h}")
    own = "  POST /refunds: {safety: keyed, windows: {replay: {at_least: none}}}\n"
    found = check_text(text + own)
    assert found.value is not None
    assert found.value.contract.operations[1].settings.windows.replay == AtMost(Duration(_ms("48h")))


def test_a_json_contract_says_the_same_as_its_yaml(check_text: Check) -> None:
    path = HERE / "valid" / "words_in_quotes.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    in_json = check_text(path.read_bytes(), path.name).value
    lines = [f"{key}: {json.dumps(value)}" for key, value in data.items() if key != "notes"]
    in_yaml = check_text("\n".join(lines).replace('"', "") + "\n")
    assert in_yaml.diagnostics == () or in_yaml.value is not None
    quoted = check_text(json.dumps(data), "without_an_extension")
    assert in_json is not None
    assert quoted.value is not None
    assert in_json.contract == quoted.value.contract
    assert in_json.contract.operations[1].settings.windows.replay == Exactly(Duration(_ms("7d")))
    assert in_json.contract.operations[0].safety is Safety.KEYED


def test_a_word_in_quotes_is_the_word_where_no_free_text_can_stand(base: str, check_text: Check) -> None:
    found = check_text(base.replace("required: true", 'required: "true"'))
    plain = check_text(base)
    assert found.diagnostics == ()
    assert found.value is not None
    assert plain.value is not None
    assert found.value.contract == plain.value.contract


def test_a_word_in_quotes_is_no_other_word(base: str, check_text: Check) -> None:
    found = check_text(base.replace("required: true", 'required: "yes indeed"'))
    assert [(d.rule, d.subject) for d in found.diagnostics] == [("contract/wrong-type", "key.required")]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_line_ends_give_the_same_contract_and_places(ending: str, example: str, check_text: Check) -> None:
    broken = example.replace("replay: 24h ", "replay: 12h ", 1)
    one, other = check_text(broken), check_text(broken.replace("\n", ending))
    assert one.value is not None
    assert other.value is not None
    assert one.value.contract == other.value.contract
    assert one.diagnostics == other.diagnostics
    assert {d.rule for d in one.diagnostics} == {"contract/window-shorter-than-chain", "contract/contradicted-change"}


def test_a_byte_order_mark_moves_nothing_but_the_first_column(base: str, check_text: Check) -> None:
    body = base.replace("replay: 24h", "replay: 2h")
    one, other = check_text(body), check_text("\ufeff" + body)
    assert [d.message for d in one.diagnostics] == [d.message for d in other.diagnostics]
    assert [d.span for d in one.diagnostics] == [d.span for d in other.diagnostics]
    assert len(one.diagnostics) == 1


def test_an_observer_has_no_default_facts(check_text: Check) -> None:
    found = check_text((HERE / "valid" / "observer_knows_nothing.yaml").read_bytes()).value
    assert found is not None
    settings = found.contract.settings
    assert settings.key.name is NOT_DOCUMENTED
    assert settings.windows.lease is NOT_DOCUMENTED
    assert settings.stored_failures.server_error.before_effects is NOT_DOCUMENTED
    assert settings.errors.code_at is NOT_DOCUMENTED
    assert settings.answers.stale is NOT_DOCUMENTED
    assert settings.retry.max_attempts == 5
    assert found.contract.operations[1].safety is NOT_DOCUMENTED
    assert found.contract.operations[1].unsafe


def test_an_observer_who_leaves_errors_out_says_nothing_of_them(check_text: Check) -> None:
    text = (HERE / "valid" / "observer_knows_nothing.yaml").read_text(encoding="utf-8")
    found = check_text(text.replace("errors: not-documented\n", "")).value
    assert found is not None
    assert found.contract.settings.errors.media_type is NOT_DOCUMENTED


def test_a_broken_part_leaves_the_rest_to_be_checked(base: str, check_text: Check) -> None:
    """An unreadable field counts as not documented: its rules are skipped, all the others run."""
    text = base.replace("replay: 24h", "replay: 1 day").replace(
        "stored_failures: replay", "stored_failures: {business_rejection: reject, server_error: undecided}"
    )
    found = check_text(text + "retry: {deadline: 5s}\n")
    assert found.broken
    assert found.value is not None
    assert {d.rule for d in found.diagnostics} == {
        "contract/wrong-unit",
        "contract/undecided-decision",
        "contract/rejected-failure-without-answer",
        "contract/deadline-shorter-than-attempt",
    }


def test_own_fields_are_kept_with_their_paths(check_text: Check) -> None:
    found = check_text((HERE / "valid" / "own_fields.yaml").read_bytes()).value
    assert found is not None
    assert dict(found.contract.extensions) == {
        "x-owner": {"team": "payments", "since": "2026-11-01", "open": True, "pages": [1, 2.5, None]},
        "x-note": "kept",
        "windows.x-reviewed": False,
        'operations["POST /payments"].x-table': "payments",
        'operations["POST /payments"].windows.x-why': "slow bank",
        "operations.x-comment": "nobody reads me",
    }


def test_a_fault_behind_an_alias_is_told_at_its_anchor(check_text: Check) -> None:
    text = (HERE / "valid" / "anchors.yaml").read_text(encoding="utf-8").replace("replay: 7d,", "replay: 7,")
    found = check_text(text)
    assert {d.rule for d in found.diagnostics} == {"contract/wrong-unit"}
    line = next(i for i, line in enumerate(text.splitlines(), 1) if "&week" in line)
    assert {d.span.line for d in found.diagnostics if d.span} == {line}


def test_a_duration_equals_another_spelling_and_keeps_its_own(check_text: Check, base: str) -> None:
    found = check_text(base.replace("replay: 24h", "replay: 1440m")).value
    assert found is not None
    window = found.contract.settings.windows.replay
    assert window == Exactly(Duration.parse("24h"))
    assert str(window.value) == "1440m"  # type: ignore[union-attr]


def test_varies_is_a_wait(check_text: Check) -> None:
    found = check_text((HERE / "valid" / "kinds.yaml").read_bytes()).value
    assert found is not None
    answer = found.contract.settings.answers.store_unavailable
    assert answer is not NOT_DOCUMENTED
    assert answer.retry_after is VARIES
