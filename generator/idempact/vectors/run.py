"""Runs vectors against a client, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from uuid import NAMESPACE_URL, uuid5

from idempact.text.dataclass import dataclass
from idempact.vectors.client import Client
from idempact.vectors.judge import Complaint, judge
from idempact.vectors.model import Call, Report, Seen, Vector, Wire
from idempact.vectors.server import PATH, WARM_PATH, FaultServer

BODY = '{"amount": 100, "currency": "EUR", "note": "caf\\u00e9"}'


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one vector; no complaints means that it passed."""

    vector: Vector
    seen: Seen
    report: Report
    complaints: tuple[Complaint, ...]

    @property
    def passed(self) -> bool:
        """Whether every expectation was met."""
        return not self.complaints


def run_vector(vector: Vector, client: Client, wire: Wire | None = None) -> Result:
    """Plays *vector* to *client* on a server of its own."""
    wire = wire or Wire()
    key = _key(vector, wire) if vector.keyed else None
    with FaultServer(vector, wire) as server:
        warm_url = server.origin + WARM_PATH if vector.warm else None
        call = Call(
            vector.profile,
            server.origin + PATH,
            key,
            BODY,
            warm_url,
            calls=vector.calls,
            at_once=vector.at_once,
            cancel_ms=vector.cancel_ms,
        )
        report = client(call)
    seen = server.seen()
    return Result(vector, seen, report, judge(vector, call.keys, seen, report))


def _key(vector: Vector, wire: Wire) -> str:
    key = f"key-{vector.id}-0123456789"
    if wire.uuid:
        # The version's digit stands in for that of a name's hash, so that any version has a key for any vector.
        name = str(uuid5(NAMESPACE_URL, key))
        return f"{name[:14]}{wire.uuid}{name[15:]}"
    return key if vector.key_length is None else key.ljust(vector.key_length, "0")[: vector.key_length]


def run_vectors(
    vectors: Sequence[Vector],
    client: Client,
    *,
    at_once: int = 4,
    wires: Mapping[str, Wire] | None = None,
    told: Callable[[Result], None] | None = None,
) -> tuple[Result, ...]:
    """The results in the order of *vectors*, with up to *at_once* of them running; the longest ones start first.

    *wires* are those of the profiles, from :func:`idempact.vectors.profiles.wires`; the usual one where left out.
    *told* is called with each result as it comes, in the caller's thread.
    """

    def wire(vector: Vector) -> Wire | None:
        return (wires or {}).get(vector.profile)

    order = sorted(range(len(vectors)), key=lambda index: -vectors[index].max_ms)
    with ThreadPoolExecutor(max_workers=max(at_once, 1)) as pool:
        running = {index: pool.submit(run_vector, vectors[index], client, wire(vectors[index])) for index in order}
        if told is not None:
            for done in as_completed(running.values()):
                told(done.result())
        return tuple(running[index].result() for index in range(len(vectors)))
