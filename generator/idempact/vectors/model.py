"""The vectors: a fault script, and what a careful client must be seen doing about it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from idempact.text.dataclass import dataclass, field


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
    DRIP_HEAD = "drip-head"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class Step:
    """What the server does to one request.

    ``answer`` sends ``status`` with ``headers`` (``date+N`` becomes the HTTP date N seconds ahead), and ``raw`` or an
    error body with ``code``; ``slow`` waits ``wait_ms``; ``drip`` sends ``size`` bytes, one each ``wait_ms``;
    ``drip-head`` as many headers.
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
    """One scripted call, or some, and its expectations; times are whole milliseconds.

    After ``steps`` the server serves normally, or goes on with the last step where ``repeat_last`` is set. ``attempts``
    is the least and the greatest number of requests. ``retries`` is how many retries must be logged (none: one less
    than the requests seen). ``kinds`` are the acceptable outcomes (none given: not looked at). ``profile`` names the
    scaled contract beside the vectors that the client must be configured with. ``key_length`` is the length of the key
    where that matters. ``calls`` are made by one process, one after the other or all ``at_once``, and only the last
    one's outcome counts; ``shares_budget`` says that they must draw on one budget. ``cancel_ms`` is when the caller
    calls it off; the status is then not looked at. Waits after attempts 1, 2, … that are logged must be spread evenly
    below ``windows_ms``, or keep to decorrelated jitter between the base and the cap of ``decorrelated_ms``.
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
    calls: int = 1
    at_once: bool = False
    shares_budget: bool = False
    cancel_ms: int | None = None
    windows_ms: tuple[int, ...] = ()
    decorrelated_ms: tuple[int, int] | None = None


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
    """What a client is asked to do: POST ``body`` to ``url`` under ``key`` (none: without one), as ``profile`` says.

    Of several ``calls``, each has a key of its own: see :attr:`keys`.
    """

    profile: str
    url: str
    key: str | None
    body: str
    warm_url: str | None
    calls: int = 1
    at_once: bool = False
    cancel_ms: int | None = None

    @property
    def keys(self) -> tuple[str | None, ...]:
        """The key of each call: the one that is given, and of several calls that and ``-1``, ``-2``, … behind it."""
        if self.calls == 1 or self.key is None:
            return (self.key,) * self.calls
        return tuple(f"{self.key}-{number}" for number in range(1, self.calls + 1))


@dataclass(frozen=True, slots=True)
class Report:
    """What a client says about one call; ``fault`` says why there is no usable report.

    Of several calls the last one's outcome counts, and ``kinds`` holds that of each.
    """

    ok: bool = False
    status: int | None = None
    kind: str = ""
    elapsed_ms: int | None = None
    retries: int = 0
    waits_ms: tuple[tuple[int, int], ...] = ()
    log: str = ""
    fault: str = ""
    kinds: tuple[str, ...] = ()
