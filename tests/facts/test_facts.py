"""Facts: what follows from the shipped contracts, by hand, and what holds for any contract."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.contract.accepting import RANDOM_KEYS, accepts
from idempact.contract.model import ClientAction, Fidelity, Safety
from idempact.contract.units import NotDocumented
from idempact.diagrams.timeline import draw as timelines
from idempact.facts import Facts, window_phrases
from idempact.facts.codes import _slugs
from idempact.facts.keys import key_example
from idempact.facts.loop import RetryClass
from idempact.facts.outcomes import indistinguishable
from idempact.facts.verdicts import ResultKind, State, Verdict
from idempact.render.environment import template_roots
from idempact.render.words import Words

Shipped = Callable[[str], Facts]
SmallWith = Callable[..., Facts]


def _row(verdict: Verdict) -> tuple[str, str, str]:
    def cell(results: tuple[object, ...]) -> str:
        return " | ".join(r.outcome.name if r.outcome else r.kind.value for r in results)  # type: ignore[attr-defined]

    return verdict.state.value, cell(verdict.same), cell(verdict.other)


def test_the_examples_decision_table_by_hand(shipped: Shipped) -> None:
    assert [_row(verdict) for verdict in shipped("contract.yaml").base.verdicts] == [
        ("none", "execute", "execute"),
        ("in-progress", "in_flight", "mismatch"),
        ("stale", "resume", "mismatch"),
        ("completed", "replay", "mismatch"),
        ("failed-kept", "replay-failure", "mismatch"),
        ("failed-re-executed", "resume", "mismatch"),
        ("unknown-outcome", "unknown_outcome", "mismatch"),
        ("expired", "execute", "execute"),
        ("removed", "execute", "execute"),
    ]


def test_a_very_different_decision_table_by_hand(small_with: SmallWith) -> None:
    facts = small_with(
        ("fidelity: stored-response", "fidelity: error"),
        ("stored_failures: replay", "stored_failures: {business_rejection: reject, server_error: release}"),
        ("replay: 24h", "replay: 24h\n  cleanup: 30d"),
        ("expired_key: {answer: execute}", "expired_key: {status: 410, code: key_expired}"),
        (
            "mismatch: {status: 422, code: idempotency_key_reused}",
            "mismatch: {answer: execute}\n  completed: {status: 409, code: already_done}\n"
            "  previous_failure: {status: 410, code: key_spent}\n  stale: {answer: reject}",
        ),
    )
    assert [_row(verdict) for verdict in facts.base.verdicts] == [
        ("none", "execute", "execute"),
        ("in-progress", "in_flight", "execute"),
        ("stale", "in_flight", "execute"),
        ("completed", "completed", "execute"),
        ("failed-kept", "previous_failure", "execute"),
        ("failed-re-executed", "does-not-occur", "does-not-occur"),
        ("unknown-outcome", "unknown_outcome", "execute"),
        ("expired", "expired_key", "expired_key"),
        ("removed", "execute", "execute"),
    ]


@pytest.mark.parametrize("form", ["uuid", "uuid-v4", "uuid-v7"])
def test_a_key_that_is_any_uuid_is_shown_by_a_random_one(form: str, small_with: SmallWith) -> None:
    key = small_with(("\nkey: {", f"\nkey: {{format: {form}, ")).base.settings.key
    assert key_example(key) in RANDOM_KEYS.values()


def test_what_lives_forever_is_neither_expired_nor_removed(small_with: SmallWith) -> None:
    rows = {v.state: v for v in small_with(("replay: 24h", "replay: forever")).base.verdicts}
    assert not rows[State.EXPIRED].occurs
    assert not rows[State.REMOVED].occurs
    assert rows[State.COMPLETED].same[0].fidelity is Fidelity.STORED_RESPONSE


def test_an_end_without_a_beginning_promises_nothing(small_with: SmallWith) -> None:
    """Telnyx keeps keys "for up to 24 hours"."""
    observed = ("idempact: 1\n", "idempact: 1\nwritten_by: observer\n")
    facts = small_with(observed, ("replay: 24h", "replay: {at_most: 24h}\n  counted_from: first-request"))
    words = Words.load("en", template_roots())
    profile = facts.base
    assert words.say(profile.window) == "at most 24 hours"
    told = " ".join(words.say(sentence) for sentence in profile.promise)
    assert "may be forgotten at any time, and is kept for 24 hours after the first request at most" in told
    assert "Within 24 hours" not in told
    assert words.say(profile.afterwards).endswith("after 24 hours every reused key is.")
    windows = profile.settings.windows
    assert window_phrases.replay_meaning(windows).key == "windows.replay.at-most"
    chains = window_phrases.chains(windows)
    assert [window_phrases.chain_meaning((windows, chain)).key for chain in chains] == ["windows.chain.late"]
    timeline = dict(timelines(facts, words))["timeline-1"]
    # Nothing is drawn as promised: the window's bar is an outline alone.
    window_bar, chain_bar = re.findall(r"<rect [^>]*>", timeline)
    assert 'fill="none"' in window_bar
    assert 'fill="none"' not in chain_bar


def test_a_promised_window_covers_its_chains(small_with: SmallWith) -> None:
    windows = small_with().base.settings.windows
    assert window_phrases.replay_meaning(windows).key == "windows.replay.text"
    chains = window_phrases.chains(windows)
    assert [window_phrases.chain_meaning((windows, chain)).key for chain in chains] == ["windows.chain.text"]


def test_the_examples_profiles_and_operations(shipped: Shipped) -> None:
    facts = shipped("contract.yaml")
    assert [profile.operations for profile in facts.profiles] == [
        ("POST /payments", "POST /emails"),
        ("POST /refunds",),
    ]
    assert not facts.one_profile
    assert shipped("minimal.yaml").one_profile
    assert [(op.name, op.safety, op.profile) for op in facts.operations] == [
        ("POST /payments", Safety.KEYED, 1),
        ("POST /refunds", Safety.KEYED, 2),
        ("POST /emails", Safety.KEYED, 1),
        ("PUT /customers/{id}", Safety.NATURAL, None),
        ("DELETE /sessions/{id}", Safety.NATURAL, None),
        ("PUT /ledgers/{id}/entries", Safety.UNSAFE, None),
    ]
    payments = facts.operation("POST /payments")
    assert payments is not None
    assert payments.key_template == "payment-{payment_attempt_id}"
    assert payments.template_example is not None
    assert payments.template_example.startswith("payment-")
    assert payments.ranking == ("event", "random")
    longest = facts.base.longest_chain
    assert longest is not None
    assert (str(longest.name), str(longest.lasts)) == ("dead-letter queue replay", "20h")


def test_the_examples_codes(shipped: Shipped) -> None:
    found = {code.code: (code.statuses, code.actions) for code in shipped("contract.yaml").codes}
    assert found == {
        "idempotency_key_invalid": ((400,), (ClientAction.FIX_REQUEST,)),
        "idempotency_key_missing": ((400,), (ClientAction.FIX_REQUEST,)),
        "idempotency_unavailable": ((503,), (ClientAction.WAIT_SAME_KEY,)),
        "idempotency_key_reused": ((422,), (ClientAction.FIX_REQUEST,)),
        "idempotency_request_in_progress": ((409,), (ClientAction.WAIT_SAME_KEY,)),
        "idempotency_outcome_unknown": ((409,), (ClientAction.ASK,)),
    }


def test_the_examples_loop_by_hand(shipped: Shipped) -> None:
    loop = shipped("contract.yaml").base.loop
    assert loop.of_class(RetryClass.THROTTLED) == (429,)
    assert loop.of_class(RetryClass.TRANSIENT) == (502, 503, 504)
    assert loop.of_class(RetryClass.CAUTIOUS) == (500,)
    assert loop.codes_of(RetryClass.IN_FLIGHT) == ("idempotency_request_in_progress",)
    assert loop.codes_of(RetryClass.MISMATCH) == ("idempotency_key_reused",)
    assert loop.codes_of(RetryClass.UNKNOWN_OUTCOME) == ("idempotency_outcome_unknown",)
    assert loop.cautious_retries == 1
    assert loop.url == "https://api.acme.example/v1/payments"


def test_a_replayed_server_error_is_not_retried(shipped: Shipped) -> None:
    assert shipped("minimal.yaml").base.loop.cautious_retries == 0


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/payments", ["POST /payments"]),
        ("post", "/payments/", ["POST /payments"]),
        ("PUT", "/customers/{customer_id}", ["PUT /customers/{id}"]),
        ("PUT", "/customers", []),
        ("GET", "/payments", []),
    ],
)
def test_a_request_is_found_among_the_operations(method: str, path: str, expected: list[str], shipped: Shipped) -> None:
    assert [op.name for op in shipped("contract.yaml").match(method, path)] == expected


def test_the_most_specific_operation_is_found_and_names_win(small_with: SmallWith) -> None:
    facts = small_with(
        (
            "  POST /payments: keyed",
            "  POST /payments: keyed\n  POST /**: read\n  operation pay: keyed\n  tag money: read",
        )
    )
    assert [op.name for op in facts.match("POST", "/payments")] == ["POST /payments"]
    assert [op.name for op in facts.match("POST", "/payments", "pay", ("money",))] == ["operation pay"]
    assert [op.name for op in facts.match("POST", "/other", None, ("money",))] == ["POST /**"]
    assert [op.name for op in facts.match("GET", "/other", None, ("money",))] == ["tag money"]


def test_answers_that_look_alike_are_found(shipped: Shipped) -> None:
    assert indistinguishable(shipped("contract.yaml").contract.settings) == ()


@given(st.lists(st.text(max_size=6), unique=True, max_size=8))
def test_any_codes_have_page_names_of_their_own(codes: list[str]) -> None:
    """Also where a file system takes large and small letters for the same."""
    slugs = _slugs(codes)
    assert list(slugs) == codes
    assert len({slug.lower() for slug in slugs.values()}) == len(codes)
    for slug in slugs.values():
        assert slug.lower() != "index"
        assert all(c.isascii() and (c.isalnum() or c in "_-") for c in slug)
        assert slug


_ANY = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@_ANY
@given(data=st.data())
def test_any_contract_has_facts(data: st.DataObject, any_contract: ModuleType) -> None:
    contract = data.draw(any_contract.contracts())
    facts = Facts.of(contract)
    assert Facts.of(contract) == facts
    keyed = [op for op in facts.operations if op.keyed]
    assert facts.profiles
    assert sorted(name for p in facts.profiles for name in p.operations) == sorted(op.name for op in keyed)
    assert all(op.profile is not None for op in keyed)
    assert len({code.slug.lower() for code in facts.codes}) == len(facts.codes)


@_ANY
@given(data=st.data())
def test_any_decision_table_has_every_cell_filled(data: st.DataObject, any_contract: ModuleType) -> None:
    for profile in Facts.of(data.draw(any_contract.contracts())).profiles:
        assert [verdict.state for verdict in profile.verdicts] == list(State)
        assert len(State) == 9
        for verdict in profile.verdicts:
            assert verdict.same
            assert verdict.other
            for result in (*verdict.same, *verdict.other):
                assert (result.outcome is not None) or result.kind not in (ResultKind.ANSWER, ResultKind.WAIT)
                assert (result.fidelity is None) == (result.kind is not ResultKind.REPLAY)


@_ANY
@given(data=st.data())
def test_any_key_that_is_shown_or_advised_is_one_that_the_server_accepts(
    data: st.DataObject, any_contract: ModuleType
) -> None:
    facts = Facts.of(data.draw(any_contract.contracts()))
    for operation in facts.operations:
        key = operation.operation.settings.key
        assert operation.template_example is None or accepts(key, operation.template_example)
        assert not operation.template_example or operation.key_template
        if operation.keyed:
            # Where the form refuses the kind that is derived, the other kind is advised, if it is taken.
            assert ("random" in operation.ranking) == any(accepts(key, made) for made in RANDOM_KEYS.values())
            example = key_example(key)
            # There is none only where the pattern or a uuid's form rules out every key of that length.
            assert accepts(key, example) if example else not isinstance(key.format, NotDocumented)
    for profile in facts.profiles:
        key = profile.settings.key
        assert profile.random_key is None or accepts(key, RANDOM_KEYS[profile.random_key])


@pytest.mark.parametrize(
    ("written", "anchored"),
    [
        ("^[a-z]+$", "^[a-z]+$"),
        ("[a-z]+", "^(?:[a-z]+)$"),
        ("a|b", "^(?:a|b)$"),
        ("^a|b$", "^(?:^a|b$)$"),
    ],
)
def test_a_pattern_is_about_the_whole_key(written: str, anchored: str, small_with: SmallWith) -> None:
    """A validator that searches (as OpenAPI's do) must refuse what the server refuses."""
    facts = small_with(("required: true", f'required: true, format: {{pattern: "{written}"}}'))
    assert facts.base.key_pattern == anchored
    assert accepts(facts.base.settings.key, "a")
    assert not accepts(facts.base.settings.key, "a!")
