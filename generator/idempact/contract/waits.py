"""How long a retry loop waits, and how long a call takes at worst: the arithmetic under schedule, rules and pages."""

from __future__ import annotations

from idempact.contract.model.retry import Backoff, JitterKind, Retry


def window_ms(backoff: Backoff, retry: int) -> tuple[int, int]:
    """The least and the most wait before retry number *retry* (from 1), in milliseconds.

    Full jitter draws from 0 to min(cap, base x factor^n), n from 0; decorrelated jitter from base to three times the
    last wait, at most cap. Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """
    base, cap = backoff.base.ms, backoff.cap.ms
    decorrelated = backoff.jitter is JitterKind.DECORRELATED
    factor = 3.0 if decorrelated else backoff.factor
    grown = float(base)
    for _ in range(retry if decorrelated else retry - 1):
        grown *= factor
        if grown >= cap:
            break
    most = int(min(cap, grown))
    return (min(base, most) if decorrelated else 0), most


def waits_ms(retry: Retry, attempts: int | None = None) -> tuple[tuple[int, int], ...]:
    """The least and the most wait before each attempt but the first, ``least_wait`` counted in."""
    floor = retry.least_wait.ms
    windows = (window_ms(retry.backoff, number) for number in range(1, attempts or retry.max_attempts))
    return tuple((max(least, floor), max(most, floor)) for least, most in windows)


def worst_case_ms(retry: Retry, attempts: int | None = None) -> int:
    """The time that all attempts and the longest waits take together, without any deadline or Retry-After."""
    waits = waits_ms(retry, attempts)
    return (len(waits) + 1) * retry.attempt_timeout.ms + sum(most for _, most in waits)
