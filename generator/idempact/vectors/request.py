"""One connection of the fault server: reads requests (RFC 9112), within bounds, and ends as rudely as it is told to."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
import time

from idempact.text.dataclass import dataclass

MAX_HEAD = 64 * 1024
MAX_BODY = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """A request: header names in lower case, the body decoded from its transfer coding."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class Connection:
    """A socket with a buffer. Reading raises ValueError for what is not HTTP or too big, OSError as sockets do."""

    def __init__(self, accepted: socket.socket, idle_seconds: float) -> None:
        self._socket = accepted
        self._socket.settimeout(idle_seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def request(self) -> Request | None:
        """The next request; none where the client has closed the connection."""
        head = self._until(b"\r\n\r\n", MAX_HEAD)
        if head is None:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if headers.get("expect", "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return Request(method, target, headers, self._body(headers))

    def send(self, data: bytes) -> None:
        """Sends all of *data*."""
        self._socket.sendall(data)

    def hung_up_within(self, seconds: float, closing: threading.Event) -> bool:
        """Waits; says at once when the client goes away or the server is closing."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if closing.is_set():
                return True
            readable, _, _ = select.select([self._socket], [], [], min(left, 0.5))
            if readable:
                try:
                    if not self._socket.recv(1, socket.MSG_PEEK):
                        return True
                except OSError:
                    return True
                time.sleep(min(left, 0.01))  # a pipelined request: it stays readable
        return False

    def reset(self) -> None:
        """Ends with RST, as a crashed peer does: linger on, for no time."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def wake(self) -> None:
        """Makes another thread's read return."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes; once more does no harm."""
        self._socket.close()

    def _until(self, mark: bytes, limit: int) -> bytes | None:
        while mark not in self._buffer:
            if len(self._buffer) > limit:
                raise ValueError("too big")
            data = self._socket.recv(65536)
            if not data:
                return None
            self._buffer += data
        found, self._buffer = self._buffer.split(mark, 1)
        return found

    def _exactly(self, size: int) -> bytes:
        if not 0 <= size <= MAX_BODY:
            raise ValueError("too big, or negative")
        while len(self._buffer) < size:
            data = self._socket.recv(65536)
            if not data:
                raise ValueError("cut off")
            self._buffer += data
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def _body(self, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding", "").lower() != "chunked":
            return self._exactly(int(headers.get("content-length") or 0))
        body = b""
        while True:
            line = self._until(b"\r\n", MAX_HEAD)
            if line is None:
                raise ValueError("cut off")
            size = int(line.split(b";")[0], 16)
            if size == 0:
                while self._until(b"\r\n", MAX_HEAD):
                    pass  # trailers, up to the empty line
                return body
            body += self._exactly(size)
            self._exactly(2)
            if len(body) > MAX_BODY:
                raise ValueError("too big")
