"""The simulated fleet: the same figures from the same seed, and what jitter and a budget must do to the load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.check import checked
from idempact.contract.model.retry import Backoff, JitterKind
from idempact.contract.units import Duration
from idempact.facts import Facts
from idempact.facts.fleet import CLIENTS, Fleet, Rules, fleets, simulated
from idempact.facts.loop import Budget
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
VENDORS = sorted(path.stem for path in (ROOT / "contract" / "vendors").glob("*.yaml"))
Shipped = Callable[[str], Facts]
TOKENS = Budget("token-bucket", capacity=500, cost_transient=14, cost_throttled=5, refund=1)
SHARE = Budget("ratio", share=0.1, within_ms=10_000, min_per_second=3)


def rules(**changes: object) -> Rules:
    full = Backoff(jitter=JitterKind.FULL, base=Duration(1000), factor=2.0, cap=Duration(30_000))
    return replace(Rules(full, 0, 5, 75_000, TOKENS), **changes)


def made(given_rules: Rules) -> Fleet:
    found = simulated.__wrapped__(given_rules)
    assert found is not None
    return found


def told(name: str, shipped: Shipped) -> tuple[Fleet, ...]:
    return tuple(group.fleet for group in fleets(shipped(name)))


DOCUMENTED = [
    name
    for name in VENDORS
    if "backoff:" in (ROOT / "contract" / "vendors" / f"{name}.yaml").read_text(encoding="utf-8")
]


def test_the_same_seed_gives_the_same_figures() -> None:
    assert made(rules()) == made(rules())
    # Recorded once, so that no version of Python and no change of the arithmetic gives other figures unseen.
    fleet = made(rules())
    assert fleet.herd.plain.load == (100, 0, 90, 0, 80, 0, 0, 0, 0, 70)
    assert fleet.herd.jittered.load == (30, 8, 1, 0, 0, 0, 0, 0, 0, 0)
    assert fleet.outage is not None
    assert fleet.outage.without.load == (409, 932, 1560, 1857, 1917, 1958, 1314, 776, 443, 429, 384, 401)
    assert fleet.outage.budgeted.load == (409, 882, 588, 437, 386, 385, 423, 404, 382, 419, 384, 401)


def test_vendors_with_a_documented_schedule_are_known() -> None:
    assert len(DOCUMENTED) >= 5


@pytest.mark.parametrize("name", ["contract.yaml", "minimal.yaml", *(f"vendors/{name}.yaml" for name in DOCUMENTED)])
def test_jitter_lowers_the_peak_and_a_budget_the_load(name: str, shipped: Shipped) -> None:
    found = told(name, shipped)
    assert found
    for fleet in found:
        herd, outage = fleet.herd, fleet.outage
        assert herd.plain.peak == herd.clients
        assert herd.jittered.peak < herd.plain.peak
        assert herd.jittered.added < herd.plain.added
        assert herd.jittered.answered > herd.plain.answered
        assert outage is not None
        assert outage.budgeted.added < outage.without.added
        assert outage.budgeted.peak < outage.without.peak
        # What the budget costs is told, too: the calls that it ends have no result.
        assert outage.budgeted.given_up >= outage.without.given_up


@pytest.mark.parametrize("name", sorted(set(VENDORS) - set(DOCUMENTED)))
def test_a_schedule_that_is_only_our_advice_is_not_simulated(name: str, shipped: Shipped) -> None:
    assert told(f"vendors/{name}.yaml", shipped) == ()


def test_of_an_observers_operations_those_with_a_written_backoff_are_simulated(
    small_with: Callable[..., Facts],
) -> None:
    def observed(more: str) -> Facts:
        text = (
            "idempact: 1\nwritten_by: observer\napi: {name: A, base_url: none, contact: not-documented}\n"
            "key: {name: Idempotency-Key, required: not-documented}\nscope: not-documented\n"
            "fingerprint: not-documented\nwindows: not-documented\nreplay: not-documented\n"
            "stored_failures: not-documented\nanswers: not-documented\n"
        )
        tree = compose(Document("contract.yaml", text + more)).value
        assert tree is not None
        read = checked(tree)
        assert read.value is not None
        return Facts.of(read.value.contract)

    own = "{safety: keyed, retry: {backoff: {base: 2s}}}"
    assert fleets(observed("operations: {POST /a: keyed, POST /b: keyed}\n")) == ()
    assert [g.operations for g in fleets(observed(f"operations: {{POST /a: keyed, POST /b: {own}}}\n"))] == [
        ("POST /b",)
    ]
    both = fleets(observed("retry: {backoff: {base: 2s}}\noperations: {POST /a: keyed, POST /b: keyed}\n"))
    assert [group.operations for group in both] == [()]
    assert fleets(small_with())


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    base = draw(st.integers(1, 20_000))
    backoff = Backoff(
        jitter=draw(st.sampled_from(JitterKind)),
        base=Duration(base),
        factor=draw(st.floats(1, 5)),
        cap=Duration(draw(st.integers(base, 100_000))),
    )
    budget = st.one_of(
        st.none(),
        st.builds(
            Budget,
            st.just("token-bucket"),
            capacity=st.integers(1, 2000),
            cost_transient=st.integers(0, 50),
            refund=st.integers(0, 20),
        ),
        st.builds(
            Budget,
            st.just("ratio"),
            share=st.floats(0, 1),
            within_ms=st.integers(1, 100_000),
            min_per_second=st.integers(0, 20),
        ),
    )
    return Rules(
        backoff,
        draw(st.sampled_from((0, 0, 500, 60_000))),
        draw(st.integers(1, 6)),
        draw(st.integers(1, 200_000)),
        draw(budget),
    )


@given(any_rules())
def test_any_rules_hold_every_bound(given_rules: Rules) -> None:
    fleet = simulated.__wrapped__(given_rules)
    if fleet is None:
        first = max((w[1] for w in given_rules.windows()[:1]), default=0)
        first = max(first, given_rules.least_wait_ms * 1000) if given_rules.max_attempts > 1 else 0
        assert not 0 < first < given_rules.deadline_ms * 1000
        return
    retries = given_rules.max_attempts - 1
    herd = fleet.herd
    # Without jitter all callers come back together. With it, one of them may come several times within a short step.
    assert herd.plain.peak == CLIENTS
    for run in (herd.plain, herd.jittered):
        assert run.peak <= CLIENTS * retries
        assert run.answered + run.given_up == CLIENTS
        assert run.added <= CLIENTS * retries
        assert run.last_ms <= given_rules.deadline_ms
    assert (fleet.outage is None) == (given_rules.budget is None)
    if fleet.outage is not None and given_rules.budget is not None:
        _bounded(fleet, given_rules.budget, retries)


def _bounded(fleet: Fleet, budget: Budget, retries: int) -> None:
    outage = fleet.outage
    assert outage is not None
    calls = round(outage.usual * len(outage.rows))
    for run in (outage.without, outage.budgeted):
        assert run.answered + run.given_up == outage.calls
        assert run.added <= calls * retries
    if budget.kind == "token-bucket":
        refunds = budget.refund * calls
        assert outage.budgeted.added * budget.cost_transient <= outage.processes * budget.capacity + refunds
    else:
        # Each window of the budget holds at most its share of the calls in it, and what is always allowed.
        lasts = (outage.stretch_ms * len(outage.rows) + 200_000) / 1000
        windows = lasts * 1000 // budget.within_ms + 2
        always = budget.min_per_second * budget.within_ms / 1000 * windows
        assert outage.budgeted.added <= 2 * budget.share * calls + outage.processes * always


def test_a_ratio_budget_bounds_the_load_at_its_peak() -> None:
    outage = made(rules(budget=SHARE)).outage
    assert outage is not None
    assert outage.budgeted.peak < outage.without.peak
    most = outage.usual + outage.processes * (SHARE.min_per_second * 10 + 0.1 * 100)
    assert outage.budgeted.peak <= most


def test_a_least_wait_above_the_cap_leaves_no_jitter_and_says_so() -> None:
    herd = made(rules(least_wait_ms=40_000, deadline_ms=300_000)).herd
    assert herd.jittered == herd.plain


def test_no_retry_is_no_simulation() -> None:
    assert simulated(rules(max_attempts=1)) is None
    assert simulated(rules(deadline_ms=900)) is None
    assert made(rules(budget=None)).outage is None
