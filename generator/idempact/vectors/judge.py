"""Compares what was seen of a call with what its vector asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idempact.text.dataclass import dataclass
from idempact.vectors.model import Report, Seen, Vector

EARLY_MS = 100
"""What a wait may seem too short: a client's timer starts a little before its request arrives."""

LATE_MS = 2000
"""What a call may take beyond the vector's limit, for a busy machine; enough to catch a deadline that is ignored."""

LEAST_SHARE = 0.2
MEAN_SHARE = (0.33, 0.67)
"""What 60 uniform shares of a window show but for a few of a million runs: some are small, their mean is near 0.5."""

ROUNDING_MS = 3
"""What three times a wait may lose to the rounding of the logged one."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One expectation that was not met."""

    about: str
    wanted: str
    found: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.about}: wanted {self.wanted}, found {self.found}"


def judge(vector: Vector, keys: Sequence[str | None], seen: Seen, report: Report) -> tuple[Complaint, ...]:
    """Every expectation of *vector* that was not met by its calls under *keys*."""
    if report.fault:
        return (Complaint("report", "a report", report.fault),)
    return (
        *_requests(vector, keys, seen),
        *_outcome(vector, report),
        *_log(vector, seen, report),
        *_time(vector, seen, report),
        *_windows(vector, report),
        *_decorrelated(vector, report),
    )


def _requests(vector: Vector, wanted: Sequence[str | None], seen: Seen) -> Iterator[Complaint]:
    count = len(seen.exchanges)
    least, greatest = vector.attempts
    if not least <= count <= greatest:
        yield Complaint("attempts", f"{least}" if least == greatest else f"{least} to {greatest}", f"{count}")
    if vector.effects is not None and seen.effects != vector.effects:
        yield Complaint("effects", f"{vector.effects}", f"{seen.effects}")
    keys = {exchange.key for exchange in seen.exchanges}
    if keys - set(wanted):
        yield Complaint("key on each attempt", _few(wanted), _few(sorted(keys, key=repr)))
    for key in keys:
        bodies = {exchange.body for exchange in seen.exchanges if exchange.key == key}
        if len(bodies) > 1:
            yield Complaint("bytes on each attempt", "the same", f"{len(bodies)} different bodies")


def _few(keys: Sequence[str | None]) -> str:
    """The keys, or the first and the last where there are many."""
    shown = [repr(key) for key in keys]
    return ", ".join(shown if len(shown) <= 3 else [shown[0], "…", shown[-1]])


def _outcome(vector: Vector, report: Report) -> Iterator[Complaint]:
    if report.ok is not vector.ok:
        yield Complaint("success", str(vector.ok).lower(), str(report.ok).lower())
    if report.status != vector.status and vector.cancel_ms is None:
        yield Complaint("status", f"{vector.status}", f"{report.status}")
    if vector.kinds and report.kind not in vector.kinds:
        yield Complaint("kind", " or ".join(vector.kinds), report.kind or "none")


def _log(vector: Vector, seen: Seen, report: Report) -> Iterator[Complaint]:
    wanted = vector.retries if vector.retries is not None else max(len(seen.exchanges) - vector.calls, 0)
    if report.retries != wanted:
        yield Complaint("retries logged", f"{wanted}", f"{report.retries}")
    if vector.calls > 1:
        return  # the log does not tell which call a line belongs to
    arrivals = [exchange.arrived for exchange in seen.exchanges]
    for (attempt, wait_ms), before, after in zip(report.waits_ms, arrivals, arrivals[1:], strict=False):
        gap_ms = 1000 * (after - before)
        if gap_ms + EARLY_MS < wait_ms:
            yield Complaint(
                f"gap after attempt {attempt}", f"at least the {wait_ms} ms that were logged", f"{gap_ms:.0f} ms"
            )


def _time(vector: Vector, seen: Seen, report: Report) -> Iterator[Complaint]:
    """By the server's clock where requests reached it; else, and for what comes after the last one, by the client's."""
    server_ms = 0.0
    if seen.exchanges:
        last = max(max(exchange.ended, exchange.arrived) for exchange in seen.exchanges)
        server_ms = 1000 * (last - seen.exchanges[0].arrived)
    client_ms = float(report.elapsed_ms or 0)
    least = server_ms if seen.exchanges else client_ms
    if least + EARLY_MS < vector.min_ms:
        yield Complaint("time", f"at least {vector.min_ms} ms", f"{least:.0f} ms")
    greatest = max(server_ms, client_ms)
    if greatest > vector.max_ms + LATE_MS:
        yield Complaint("time", f"at most {vector.max_ms} ms (and {LATE_MS} ms grace)", f"{greatest:.0f} ms")


def window_shares(vector: Vector, report: Report) -> tuple[float, ...]:
    """Each wait that was logged, as a share of the window that the vector gives for it."""
    windows = dict(enumerate(vector.windows_ms, 1))
    return tuple(wait / windows[attempt] for attempt, wait in report.waits_ms if windows.get(attempt))


def _windows(vector: Vector, report: Report) -> Iterator[Complaint]:
    """Full jitter, as far as some dozens of waits can show it: uniform shares of the windows have a mean of 0.5."""
    if not vector.windows_ms:
        return
    shares = window_shares(vector, report)
    if not shares:
        yield Complaint("waits", "some", "none logged")
        return
    mean, least, greatest = sum(shares) / len(shares), min(shares), max(shares)
    if greatest > 1:
        yield Complaint("waits", "none above its window", f"{greatest:.2f} of a window")
    if least >= LEAST_SHARE:
        yield Complaint("waits", f"some below {LEAST_SHARE} of the window", f"{least:.2f} at least")
    if not MEAN_SHARE[0] <= mean <= MEAN_SHARE[1]:
        yield Complaint("waits", f"a mean of {MEAN_SHARE[0]} to {MEAN_SHARE[1]} of the window", f"{mean:.2f}")


def _decorrelated(vector: Vector, report: Report) -> Iterator[Complaint]:
    """``min(cap, random(base, 3 * previous))``, the base before the first wait of a call.

    Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """
    if vector.decorrelated_ms is None:
        return
    base, cap = vector.decorrelated_ms
    previous = base
    for attempt, wait in report.waits_ms:
        previous = base if attempt == 1 else previous
        greatest = min(cap, 3 * previous + ROUNDING_MS)
        if not base <= wait <= greatest:
            yield Complaint(f"wait after attempt {attempt}", f"{base} to {greatest} ms", f"{wait} ms")
        previous = wait
    waits = [wait for _, wait in report.waits_ms]
    if not waits or max(waits) <= 3 * base or 2 * len(set(waits)) <= len(waits):
        yield Complaint("waits", f"many different ones, some above {3 * base} ms", f"{sorted(set(waits))}")
