"""A server on loopback that misbehaves on request, and really claims keys: an effect once for each key and body."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import formatdate
from functools import partial
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from idempact.vectors.model import Exchange, Fault, Seen, Step, Target, Vector, Wire
from idempact.vectors.request import Connection, Request

PATH = "/payments"
WARM_PATH = "/warm"
IDLE_SECONDS = 30.0
MAX_CONNECTIONS = 64
_REASONS = {
    200: "OK",
    201: "Created",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    503: "Service Unavailable",
}


class FaultServer:
    """Serves one vector's script; a context manager. Loopback only, at most ``MAX_CONNECTIONS`` at a time."""

    def __init__(self, vector: Vector, wire: Wire) -> None:
        self._vector, self._wire = vector, wire
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []
        self._effects = 0
        self._stored: dict[str, tuple[bytes, bytes]] = {}
        self._closing = threading.Event()
        self._connections: set[Connection] = set()
        self._threads: list[threading.Thread] = []
        self._fillers: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind(("127.0.0.1", 0))

    def __enter__(self) -> FaultServer:
        """Starts to listen, as the vector's target says."""
        if self._vector.target is Target.SERVER:
            self._listener.listen(MAX_CONNECTIONS)
            self._spawn(self._accept)
        elif self._vector.target is Target.BLACKHOLE:
            self._fill()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops, closes every connection and waits for every thread."""
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            open_now = tuple(self._connections)
        for connection in open_now:
            connection.wake()
        for filler in self._fillers:
            filler.close()
        for thread in tuple(self._threads):
            thread.join()

    @property
    def origin(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def seen(self) -> Seen:
        """What was seen so far."""
        with self._lock:
            return Seen(tuple(self._exchanges), self._effects)

    def _fill(self) -> None:
        """Fills the backlog, so that the next connections get no answer at all (as Linux does it)."""
        self._listener.listen(0)
        for _ in range(8):
            filler = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            filler.setblocking(False)
            filler.connect_ex(self._listener.getsockname())
            self._fillers.append(filler)

    def _spawn(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                accepted, _ = self._listener.accept()
            except OSError:
                return
            connection = Connection(accepted, IDLE_SECONDS)
            with self._lock:
                full = len(self._connections) >= MAX_CONNECTIONS
                if not full:
                    self._connections.add(connection)
            if full:
                connection.close()
            else:
                self._spawn(partial(self._converse, connection))

    def _converse(self, connection: Connection) -> None:
        try:
            with contextlib.suppress(OSError, ValueError):
                while (request := connection.request()) is not None:
                    if not self._answer(connection, request):
                        break
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.close()

    def _answer(self, connection: Connection, request: Request) -> bool:
        """Treats one request; says whether the connection goes on."""
        if urlsplit(request.target).path == WARM_PATH:
            connection.send(_message(200, {}, b"{}"))
            return True
        exchange = Exchange(
            time.monotonic(), self._key(request), request.body, target=request.target, headers=request.headers
        )
        with self._lock:
            step = self._step(len(self._exchanges))
            self._exchanges.append(exchange)
        try:
            return self._play(connection, exchange, step)
        finally:
            exchange.ended = time.monotonic()

    def _step(self, number: int) -> Step:
        steps = self._vector.steps
        if number < len(steps):
            return steps[number]
        return steps[-1] if self._vector.repeat_last and steps else Step(Fault.SERVE)

    def _play(self, connection: Connection, exchange: Exchange, step: Step) -> bool:
        if step.fault is Fault.RESET_BEFORE:
            connection.reset()
            return False
        if step.fault is Fault.ANSWER:
            exchange.status = step.status
            connection.send(_message(step.status, self._headers(step), self._error_body(step)))
            return True
        status, message = self._process(exchange)
        exchange.status = status
        return self._deliver(connection, step, message)

    def _deliver(self, connection: Connection, step: Step, message: bytes) -> bool:
        """Sends what was processed, or fails to."""
        if step.fault is Fault.RESET_AFTER:
            connection.reset()
            return False
        if step.fault is Fault.CLOSE:
            return False
        if step.fault is Fault.SLOW and connection.hung_up_within(step.wait_ms / 1000, self._closing):
            return False
        if step.fault is Fault.TRUNCATE:
            connection.send(message[:-5])
            return False
        if step.fault is Fault.DRIP:
            return self._drip(connection, step)
        if step.fault is Fault.DRIP_HEAD:
            return self._drip_head(connection, step)
        connection.send(message)
        return True

    def _drip(self, connection: Connection, step: Step) -> bool:
        connection.send(_head(201, {"Content-Type": "application/json"}, step.size))
        for _ in range(step.size):
            if connection.hung_up_within(step.wait_ms / 1000, self._closing):
                return False
            connection.send(b" ")
        return True

    def _drip_head(self, connection: Connection, step: Step) -> bool:
        connection.send(b"HTTP/1.1 201 Created\r\n")
        for number in range(step.size):
            if connection.hung_up_within(step.wait_ms / 1000, self._closing):
                return False
            connection.send(f"X-{number}: 1\r\n".encode())
        connection.send(b"Content-Length: 0\r\n\r\n")
        return True

    def _process(self, exchange: Exchange) -> tuple[int, bytes]:
        """Claims the key and makes the effect, both under one lock; a repeat gets the stored answer."""
        with self._lock:
            stored = self._stored.get(exchange.key) if exchange.key is not None else None
            if stored is None:
                self._effects += 1
                body = json.dumps({"id": f"pay_{self._effects}", "status": "created"}).encode()
                message = _message(201, {}, body)
                if exchange.key is not None:
                    self._stored[exchange.key] = (exchange.body, _message(201, {"Idempotent-Replayed": "true"}, body))
                return 201, message
            if stored[0] == exchange.body:
                return 201, stored[1]
        status, code = self._wire.mismatch
        return status, _message(status, {}, self._error_body(Step(Fault.ANSWER, status, code=code)))

    def _key(self, request: Request) -> str | None:
        found = request.headers.get(self._wire.key_name.lower())
        if self._wire.key_in == "query":
            found = next(iter(parse_qs(urlsplit(request.target).query).get(self._wire.key_name, [])), None)
        elif self._wire.key_in == "body":
            found = _at(request.body, self._wire.key_path)
        if found is not None and self._wire.quoted:
            return found[1:-1] if len(found) >= 2 and found[0] == found[-1] == '"' else None
        return found

    def _headers(self, step: Step) -> dict[str, str]:
        headers = dict(step.headers)
        for name, value in headers.items():
            if value.startswith("date+"):
                headers[name] = formatdate(time.time() + int(value[5:]), usegmt=True)
        return headers

    def _error_body(self, step: Step) -> bytes:
        if step.raw is not None:
            return step.raw.encode()
        body: object = step.code
        for name in reversed(self._wire.code_path):
            body = [body] if name == "*" else {name: body}
        return json.dumps(body if step.code and self._wire.code_path else {"title": "a scripted fault"}).encode()


def _at(body: bytes, path: tuple[str, ...]) -> str | None:
    try:
        found: object = json.loads(body)
    except ValueError:
        return None
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None


def _head(status: int, headers: Mapping[str, str], length: int) -> bytes:
    fields = {"Content-Type": "application/json", **headers, "Content-Length": str(length)}
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Scripted')}",
        *(f"{name}: {value}" for name, value in fields.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _message(status: int, headers: Mapping[str, str], body: bytes) -> bytes:
    return _head(status, headers, len(body)) + body
