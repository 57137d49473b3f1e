"""The schedule: by hand where it is known, and its promises for any advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.model.retry import Backoff, JitterKind, Retry
from idempact.contract.units import Duration
from idempact.contract.waits import window_ms
from idempact.facts import Facts
from idempact.facts.schedule import schedule

Shipped = Callable[[str], Facts]
_MS = st.integers(0, 200_000).map(Duration)


@st.composite
def advice(draw: st.DrawFn) -> Retry:
    """Retry advice whose waits don't shrink."""
    base = draw(st.integers(1, 100_000))
    return Retry(
        backoff=Backoff(
            jitter=draw(st.sampled_from(JitterKind)),
            base=Duration(base),
            factor=draw(st.floats(1, 1000)),
            cap=Duration(draw(st.integers(base, 10_000_000))),
        ),
        max_attempts=draw(st.integers(1, 100)),
        deadline=draw(_MS),
        attempt_timeout=draw(_MS),
        least_wait=draw(_MS),
    )


def test_the_example_by_hand(shipped: Shipped) -> None:
    """5 x 10 s and waits of at most 1 + 2 + 4 + 8 s, as the example's comment says."""
    found = shipped("contract.yaml").base.schedule
    assert [a.number for a in found.attempts] == [1, 2, 3, 4, 5]
    assert [a.most_wait_ms for a in found.attempts] == [0, 1000, 2000, 4000, 8000]
    assert [a.least_wait_ms for a in found.attempts] == [0, 0, 0, 0, 0]
    assert [a.most_total_ms for a in found.attempts] == [0, 1000, 3000, 7000, 15000]
    assert [a.latest_start_ms for a in found.attempts] == [0, 11_000, 23_000, 37_000, 55_000]
    assert found.worst_case_ms == 65_000
    assert found.bound_ms == 65_000
    assert found.fits


def test_the_examples_sdk_by_hand(shipped: Shipped) -> None:
    found = shipped("contract.yaml").base.sdk_schedule
    assert found is not None
    assert [a.latest_start_ms for a in found.attempts] == [0, 11_000, 23_000]
    assert found.worst_case_ms == 33_000


@pytest.mark.parametrize(
    ("backoff", "expected"),
    [
        (Backoff(base=Duration(1000), factor=2.0, cap=Duration(5000)), [(0, 1000), (0, 2000), (0, 4000), (0, 5000)]),
        (Backoff(base=Duration(500), factor=1.0, cap=Duration(5000)), [(0, 500), (0, 500), (0, 500), (0, 500)]),
        (Backoff(base=Duration(250), factor=1.5, cap=Duration(30_000)), [(0, 250), (0, 375), (0, 562), (0, 843)]),
        (
            Backoff(jitter=JitterKind.DECORRELATED, base=Duration(1000), cap=Duration(20_000)),
            [(1000, 3000), (1000, 9000), (1000, 20_000), (1000, 20_000)],
        ),
    ],
)
def test_windows_by_hand(backoff: Backoff, expected: list[tuple[int, int]]) -> None:
    assert [window_ms(backoff, number) for number in (1, 2, 3, 4)] == expected


def test_a_deadline_cuts_the_worst_case() -> None:
    found = schedule(replace(Retry(), deadline=Duration(30_000)))
    assert (found.worst_case_ms, found.bound_ms, found.fits) == (65_000, 30_000, False)


def test_the_least_wait_is_a_floor_for_each_wait() -> None:
    found = schedule(replace(Retry(), least_wait=Duration(3000)))
    assert [(a.least_wait_ms, a.most_wait_ms) for a in found.attempts[1:]] == [
        (3000, 3000),
        (3000, 3000),
        (3000, 4000),
        (3000, 8000),
    ]


@given(advice())
def test_any_schedule_keeps_its_bounds(retry: Retry) -> None:
    found = schedule(retry)
    floor, cap = retry.least_wait.ms, retry.backoff.cap.ms
    assert len(found.attempts) == retry.max_attempts
    assert found.attempts[0].latest_start_ms == 0
    for attempt in found.attempts[1:]:
        assert floor <= attempt.least_wait_ms <= attempt.most_wait_ms <= max(floor, cap)


@given(advice())
def test_any_windows_grow_up_to_the_cap(retry: Retry) -> None:
    most = [attempt.most_wait_ms for attempt in schedule(retry).attempts[1:]]
    assert most == sorted(most)
    first = retry.backoff.base.ms * (3 if retry.backoff.jitter is JitterKind.DECORRELATED else 1)
    if most:
        assert most[0] == max(min(first, retry.backoff.cap.ms), retry.least_wait.ms)


@given(advice())
def test_any_totals_are_the_sums_of_the_waits(retry: Retry) -> None:
    found = schedule(retry)
    assert found.attempts[-1].most_total_ms == sum(a.most_wait_ms for a in found.attempts)
    assert found.attempts[-1].least_total_ms == sum(a.least_wait_ms for a in found.attempts)
    total = found.attempts[-1].most_total_ms + retry.max_attempts * retry.attempt_timeout.ms
    assert found.worst_case_ms == total
    assert found.worst_case_ms == found.attempts[-1].latest_start_ms + retry.attempt_timeout.ms
    assert found.bound_ms == min(total, retry.deadline.ms)
    assert found.fits == (total <= retry.deadline.ms)


@given(advice())
def test_fewer_attempts_are_the_first_of_them(retry: Retry) -> None:
    whole = schedule(retry)
    assert schedule(retry, 1).attempts == whole.attempts[:1]
    half = max(1, retry.max_attempts // 2)
    assert schedule(retry, half).attempts == whole.attempts[:half]


def test_the_loop_has_the_schedules_windows(shipped: Shipped, small_with: Callable[..., Facts]) -> None:
    """The loop's facts repeat the formula, since loops are rendered without a contract: the two must agree."""
    steep = small_with(more="retry: {backoff: {base: 300ms, factor: 1.7, cap: 4s}, max_attempts: 9}\n")
    for facts in (shipped("contract.yaml"), shipped("minimal.yaml"), steep):
        for profile in facts.profiles:
            assert profile.loop.windows_ms == tuple(a.most_wait_ms for a in profile.schedule.attempts[1:])
