"""The schedule: when each attempt begins at the earliest and at the latest, and how long a call takes at worst."""

from __future__ import annotations

from idempact.contract.model.retry import Retry
from idempact.contract.waits import waits_ms, worst_case_ms
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt. The waits (milliseconds) are those before it; totals count waits alone."""

    number: int
    least_wait_ms: int
    most_wait_ms: int
    least_total_ms: int
    most_total_ms: int
    latest_start_ms: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """All attempts of one call, and its worst case.

    ``worst_case_ms`` is the time that all attempts and waits can take; ``bound_ms`` is what the deadline leaves of it.
    """

    attempts: tuple[Attempt, ...]
    worst_case_ms: int
    bound_ms: int
    deadline_ms: int
    attempt_timeout_ms: int

    @property
    def fits(self) -> bool:
        """Whether the deadline leaves room for every attempt at its worst."""
        return self.worst_case_ms <= self.deadline_ms


def schedule(retry: Retry, max_attempts: int | None = None) -> Schedule:
    """The schedule that *retry* gives, without any Retry-After (which is a floor for a wait)."""
    attempts = [Attempt(1, 0, 0, 0, 0, 0)]
    for number, (least, most) in enumerate(waits_ms(retry, max_attempts), 2):
        last = attempts[-1]
        attempts.append(
            Attempt(
                number,
                least,
                most,
                last.least_total_ms + least,
                last.most_total_ms + most,
                last.latest_start_ms + retry.attempt_timeout.ms + most,
            )
        )
    worst = worst_case_ms(retry, max_attempts)
    return Schedule(tuple(attempts), worst, min(worst, retry.deadline.ms), retry.deadline.ms, retry.attempt_timeout.ms)
