"""The vectors: a fault script, and what a careful client must be seen doing about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Target(StrEnum):
    """What the client is pointed at."""

    SERVER = "server"
    CLOSED = "closed"
    BLACKHOLE = "blackhole"


class Fault(StrEnum):
    """How one request is treated. All but ``answer``, ``reset-before`` and ``serve`` come after the effect was made."""

    SERVE = "serve"
    ANSWER = "answer"
    RESET_BEFORE = "reset-before"
    RESET_AFTER = "reset-after"
    CLOSE = "close"
    SLOW = "slow"
    DRIP = "drip"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class Step:
    """What the server does to one request.

    ``answer`` sends ``status`` with ``headers`` (``date+N`` becomes the HTTP date N seconds ahead), and ``raw`` or an
    error body with ``code``; ``slow`` waits ``wait_ms``; ``drip`` sends ``size`` bytes, one each ``wait_ms``.
    """

    fault: Fault
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    code: str = ""
    raw: str | None = None
    wait_ms: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Vector:
    """One scripted call and its expectations; times are whole milliseconds.

    After ``steps`` the server serves normally, or goes on with the last step where ``repeat_last`` is set. ``attempts``
    is the least and the greatest number of requests. ``retries`` is how many retries must be logged (none: one less
    than the requests seen). ``kinds`` are the acceptable outcomes (none given: not looked at). ``profile`` names the
    scaled contract beside the vectors that the client must be configured with. ``key_length`` is the length of the key
    where that matters.
    """

    id: str
    profile: str
    steps: tuple[Step, ...]
    repeat_last: bool
    keyed: bool
    warm: bool
    target: Target
    attempts: tuple[int, int]
    effects: int | None
    ok: bool
    status: int | None
    kinds: tuple[str, ...]
    min_ms: int
    max_ms: int
    retries: int | None
    key_length: int | None = None


@dataclass(frozen=True, slots=True)
class Wire:
    """How the scaled contracts carry keys and codes: where the server looks for a key, and where it writes a code.

    ``uuid`` is the version that keys must have as UUIDs; 0 where they are any text.
    """

    key_in: str = "header"
    key_name: str = "Idempotency-Key"
    key_path: tuple[str, ...] = ()
    quoted: bool = False
    code_path: tuple[str, ...] = ("code",)
    mismatch: tuple[int, str] = (422, "idempotency_key_reused")
    uuid: int = 0


@dataclass(slots=True)
class Exchange:
    """One request as the server saw it. Times are seconds of its own monotonic clock; header names are lower-case."""

    arrived: float
    key: str | None
    body: bytes
    ended: float = field(default=0.0)
    status: int | None = None
    target: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the server saw of one call: the requests in order of arrival, and how many effects were made."""

    exchanges: tuple[Exchange, ...]
    effects: int


@dataclass(frozen=True, slots=True)
class Call:
    """What a client is asked to do: POST ``body`` to ``url`` under ``key`` (none: without one), as ``profile`` says."""

    profile: str
    url: str
    key: str | None
    body: str
    warm_url: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a client says about one call; ``fault`` says why there is no usable report."""

    ok: bool = False
    status: int | None = None
    kind: str = ""
    elapsed_ms: int | None = None
    retries: int = 0
    waits_ms: tuple[tuple[int, int], ...] = ()
    log: str = ""
    fault: str = ""
