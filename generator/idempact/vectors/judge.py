"""Compares what was seen of a call with what its vector asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idempact.vectors.model import Report, Seen, Vector

EARLY_MS = 100
"""What a wait may seem too short: a client's timer starts a little before its request arrives."""

LATE_MS = 2000
"""What a call may take beyond the vector's limit, for a busy machine; enough to catch a deadline that is ignored."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One expectation that was not met."""

    about: str
    wanted: str
    found: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.about}: wanted {self.wanted}, found {self.found}"


def judge(vector: Vector, key: str | None, seen: Seen, report: Report) -> tuple[Complaint, ...]:
    """Every expectation of *vector* that was not met by a call under *key*."""
    if report.fault:
        return (Complaint("report", "a report", report.fault),)
    return (
        *_requests(vector, key, seen),
        *_outcome(vector, report),
        *_log(vector, seen, report),
        *_time(vector, seen, report),
    )


def _requests(vector: Vector, key: str | None, seen: Seen) -> Iterator[Complaint]:
    count = len(seen.exchanges)
    least, greatest = vector.attempts
    if not least <= count <= greatest:
        yield Complaint("attempts", f"{least}" if least == greatest else f"{least} to {greatest}", f"{count}")
    if vector.effects is not None and seen.effects != vector.effects:
        yield Complaint("effects", f"{vector.effects}", f"{seen.effects}")
    keys = {exchange.key for exchange in seen.exchanges}
    if keys - {key}:
        yield Complaint("key on each attempt", repr(key), ", ".join(sorted(map(repr, keys))))
    bodies = {exchange.body for exchange in seen.exchanges}
    if len(bodies) > 1:
        yield Complaint("bytes on each attempt", "the same", f"{len(bodies)} different bodies")


def _outcome(vector: Vector, report: Report) -> Iterator[Complaint]:
    if report.ok is not vector.ok:
        yield Complaint("success", str(vector.ok).lower(), str(report.ok).lower())
    if report.status != vector.status:
        yield Complaint("status", f"{vector.status}", f"{report.status}")
    if vector.kinds and report.kind not in vector.kinds:
        yield Complaint("kind", " or ".join(vector.kinds), report.kind or "none")


def _log(vector: Vector, seen: Seen, report: Report) -> Iterator[Complaint]:
    wanted = vector.retries if vector.retries is not None else max(len(seen.exchanges) - 1, 0)
    if report.retries != wanted:
        yield Complaint("retries logged", f"{wanted}", f"{report.retries}")
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
