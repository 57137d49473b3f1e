"""The sandbox on a socket: h11 reads and writes the protocol, asyncio keeps the connections."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Iterable
from http import HTTPStatus
from types import TracebackType

import h11

from idempact.sandbox.answers import plain
from idempact.sandbox.app import App, Delivery
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.faults import Step
from idempact.text.nodes import Plain

MAX_HEAD = 64 * 1024
MAX_BODY = 1024 * 1024
IDLE_SECONDS = 30.0
MAX_CONNECTIONS = 4096
_BACKLOG = 1024
_CUT = 5
_DRIPPED = 60
_NO_CONTENT = 204
_BODILESS = (_NO_CONTENT, 304)


class SandboxServer:
    """Serves an app; an asynchronous context manager. A *port* of 0 takes a free one."""

    def __init__(self, app: App, host: str = "127.0.0.1", port: int = 0) -> None:
        self._app, self._host, self._port = app, host, port
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> SandboxServer:
        """Starts to listen. Raises OSError where the address can't be had."""
        self._server = await asyncio.start_server(self._accepted, self._host, self._port, backlog=_BACKLOG)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops, and ends every connection."""
        assert self._server is not None
        self._server.close()
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def origin(self) -> str:
        """The address without a path."""
        assert self._server is not None
        host, port, *_ = self._server.sockets[0].getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._running) >= MAX_CONNECTIONS:
            writer.close()
            return
        self._running.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await _Conversation(self._app, reader, writer).hold()
        finally:
            self._running.discard(task)
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()


class _Conversation:
    """One connection: requests in turn, until either side ends it."""

    def __init__(self, app: App, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._app, self._reader, self._writer = app, reader, writer
        self._protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)

    async def hold(self) -> None:
        try:
            while (request := await self._request()) is not None:
                if not await self._deliver(await self._handled(request), request.method):
                    return
                if self._protocol.our_state is h11.MUST_CLOSE:
                    return
                self._protocol.start_next_cycle()
        except h11.RemoteProtocolError as error:
            await self._refuse(error.error_status_hint)
        except TimeoutError:
            return

    async def _handled(self, request: Request) -> Delivery:
        try:
            return await self._app.handle(request)
        except Exception as error:
            problem: dict[str, Plain] = {"title": f"A fault of the sandbox itself: {error!r}", "status": 500}
            return Delivery(plain(500, problem, "fault"))

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while (event := self._protocol.next_event()) is h11.NEED_DATA:
            if self._protocol.they_are_waiting_for_100_continue:
                await self._send(h11.InformationalResponse(status_code=100, headers=[]))
            async with asyncio.timeout(IDLE_SECONDS):
                self._protocol.receive_data(await self._reader.read(65536))
        return event

    async def _request(self) -> Request | None:
        head = await self._event()
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        while isinstance(event := await self._event(), h11.Data):
            body += event.data
            if len(body) > MAX_BODY:
                await self._refuse(413)
                return None
        if not isinstance(event, h11.EndOfMessage):
            return None
        headers = tuple((name.decode("latin-1"), _text(value)) for name, value in head.headers)
        return Request(head.method.decode("ascii"), head.target.decode("ascii"), headers, bytes(body))

    async def _refuse(self, status: int) -> None:
        if self._protocol.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [("Content-Length", "0"), ("Connection", "close")]
            await self._send(h11.Response(status_code=status, headers=headers, reason=_reason(status)))
            await self._send(h11.EndOfMessage())

    async def _send(self, event: h11.Event) -> None:
        data = self._protocol.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()

    async def _deliver(self, delivery: Delivery, method: str) -> bool:
        """Sends an answer, or fails to as the step says; whether the connection goes on."""
        step, response = delivery.step, delivery.response
        if step.reset is not None:
            self._reset()
            return False
        if response is None or step.close:
            return False
        if step.slow_ms is not None:
            await self._app.clock.sleep(step.slow_ms)
        bodiless = method == "HEAD" or response.status in _BODILESS
        spaces = (step.bytes or _DRIPPED) if step.drip_ms is not None and not bodiless else 0
        head = self._protocol.send(_head(response, spaces + len(response.body), step)) or b""
        await self._drip(step.drip_head_ms, head.splitlines(keepends=True) if step.drip_head_ms is not None else [head])
        if step.truncate:
            await self._send(h11.Data(data=b"" if bodiless else response.body[:-_CUT]))
            return False
        # A body of spaces, one at a time, and then the answer's own: JSON all the same.
        await self._drip(step.drip_ms, (self._protocol.send(h11.Data(data=b" ")) or b"" for _ in range(spaces)))
        if not bodiless:
            await self._send(h11.Data(data=response.body))
        await self._send(h11.EndOfMessage())
        return True

    async def _drip(self, wait_ms: int | None, pieces: Iterable[bytes]) -> None:
        """Sends pieces of a message, each after a wait where there is one."""
        for piece in pieces:
            if wait_ms is not None:
                await self._app.clock.sleep(wait_ms)
            self._writer.write(piece)
            await self._writer.drain()

    def _reset(self) -> None:
        """Ends with RST, as a crashed peer does: linger on, for no time."""
        own = self._writer.get_extra_info("socket")
        if own is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


def _text(value: bytes) -> str:
    """A header's value: UTF-8 where it is that, else byte by byte, so that nothing is lost."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _head(response: Response, length: int, step: Step) -> h11.Response:
    """Status and headers; more of them, of no meaning, where they are to drip."""
    headers = [(name.encode("ascii"), value.encode("utf-8")) for name, value in response.headers]
    if response.status != _NO_CONTENT:  # RFC 9110, section 8.6
        headers.append((b"Content-Length", str(length).encode()))
    more = (step.bytes or _DRIPPED) if step.drip_head_ms is not None else 0
    headers += [(f"Sandbox-Drip-{number}".encode(), b"1") for number in range(1, more + 1)]
    return h11.Response(status_code=response.status, headers=headers, reason=_reason(response.status))


def _reason(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b""
