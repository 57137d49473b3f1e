"""The sandbox in a test's hands: as an application with a clock that stands still, and on a socket in a thread."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.contract.model.contract import Contract, Settings
from idempact.contract.read import read
from idempact.sandbox.app import App, Delivery
from idempact.sandbox.clock import Clock
from idempact.sandbox.engine import Engine
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.server import SandboxServer
from idempact.sandbox.settle import settle
from idempact.sandbox.store import Store
from idempact.text.diagnostic import Severity
from idempact.text.nodes import load

CONTRACTS = Path(__file__).resolve().parents[2] / "contract"
KEY = "key-0123456789abcdef"


def contract_at(path: Path) -> Contract:
    tree = load(path).value
    assert tree is not None
    found = read(tree)
    assert found.value is not None, found.diagnostics
    assert not [d for d in found.diagnostics if d.severity is Severity.ERROR]
    return found.value.contract


@pytest.fixture(scope="session")
def as_written() -> Callable[[Path], Contract]:
    """Reads a contract of which open facts stay open."""
    return contract_at


@pytest.fixture(scope="session")
def model() -> Settings:
    return contract_at(CONTRACTS / "minimal.yaml").settings


def merged(base: object, changes: object) -> object:
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return changes
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


@pytest.fixture(scope="session")
def contract(tmp_path_factory: pytest.TempPathFactory, model: Settings) -> Callable[..., Contract]:
    """A contract of the repository, mappings merged into it; what an observer leaves open is filled in."""

    def make(source: str = "contract.yaml", changes: Mapping[str, object] | None = None) -> Contract:
        path = CONTRACTS / source
        if changes:
            data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
            path = tmp_path_factory.mktemp("changed") / "contract.json"
            path.write_text(json.dumps(merged(data, dict(changes)), default=str), encoding="utf-8")
        settled = settle(contract_at(path), model)
        assert settled.obstacles == ()
        return settled.contract

    return make


@dataclass
class Driven:
    """A sandbox without a socket, on its own loop; each call runs until it is answered."""

    app: App
    loop: asyncio.Runner = field(default_factory=asyncio.Runner)

    def run(self, work: Coroutine[object, object, Delivery]) -> Delivery:
        return self.loop.run(work)

    def request(
        self, method: str, target: str, body: bytes | Mapping[str, object] = b"", **headers: str | None
    ) -> Request:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-").lower(): value for name, value in headers.items() if value is not None}
        if not isinstance(body, bytes):
            named.setdefault("content-type", "application/json")
        return Request(method, target, tuple(named.items()), data)

    def send(self, request: Request) -> Response:
        response = self.run(self.app.handle(request)).response
        assert response is not None, "the run died"
        return response

    def post(
        self,
        body: bytes | Mapping[str, object] | None = None,
        key: str | None = KEY,
        target: str = "/payments",
        fault: Mapping[str, object] | None = None,
        **headers: str,
    ) -> Response:
        return self.send(self.keyed(body, key, target, fault, **headers))

    def keyed(
        self,
        body: bytes | Mapping[str, object] | None = None,
        key: str | None = KEY,
        target: str = "/payments",
        fault: Mapping[str, object] | None = None,
        **headers: str,
    ) -> Request:
        told = json.dumps(fault) if fault is not None else None
        content = {"amount": 100} if body is None else body
        return self.request("POST", target, content, idempotency_key=key, sandbox_fault=told, **headers)

    def begin(self, request: Request) -> asyncio.Task[Delivery]:
        """A request that goes on while others are sent."""

        async def start() -> asyncio.Task[Delivery]:
            task = asyncio.ensure_future(self.app.handle(request))
            for _ in range(5):
                await asyncio.sleep(0)
            return task

        return self.loop.run(start())

    def finish(self, task: asyncio.Task[Delivery]) -> Response:
        async def end() -> Delivery:
            return await task

        response = self.loop.run(end()).response
        assert response is not None
        return response

    def control(self, place: str, method: str = "POST", **asked: object) -> dict[str, object]:
        response = self.send(self.request(method, f"/_sandbox/{place}", asked if asked else b""))
        found: dict[str, object] = json.loads(response.body)
        assert response.status == 200, found
        return found

    def advance(self, ms: int) -> None:
        self.app.clock.advance(ms)

    def states(self) -> list[str]:
        return [state.value for _, state in self.app.states()]


@pytest.fixture
def drive() -> Iterator[Callable[..., Driven]]:
    """Makes sandboxes with a clock that stands still."""
    made: list[Driven] = []

    def make(contract: Contract, engine: type[Engine] = Engine) -> Driven:
        driven = Driven(App(contract, Store(), Clock(), engine))
        made.append(driven)
        return driven

    yield make
    for driven in made:
        driven.loop.close()
        driven.app.store.close()


@pytest.fixture
def example(drive: Callable[..., Driven], contract: Callable[..., Contract]) -> Driven:
    return drive(contract())


@contextmanager
def on_a_socket(
    contract: Contract, clock: Callable[[], Clock], engine: type[Engine] = Engine
) -> Iterator[tuple[str, App]]:
    """A sandbox that listens, served by a thread of its own."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    stop: list[asyncio.Event] = []
    told: list[tuple[str, App]] = []

    async def serve() -> None:
        store = Store()
        try:
            app = App(contract, store, clock(), engine)
            async with SandboxServer(app) as server:
                stop.append(asyncio.Event())
                told.append((server.origin, app))
                ready.set()
                await stop[0].wait()
        finally:
            store.close()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield told[0]
    finally:
        loop.call_soon_threadsafe(stop[0].set)
        thread.join()
        loop.close()


@pytest.fixture
def served(contract: Callable[..., Contract]) -> Callable[..., object]:
    """Makes sandboxes on a socket."""

    def make(
        changed: Contract | None = None, clock: Callable[[], Clock] = Clock, engine: type[Engine] = Engine
    ) -> object:
        return on_a_socket(changed if changed is not None else contract(), clock, engine)

    return make
