"""A server at an address, as a target: over HTTP, with the standard library."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from idempact.scenarios.requests import Call
from idempact.scenarios.run import Answer
from idempact.text.nodes import Plain

CONTROL = "/_sandbox"
_TICK_SECONDS = 0.01


class Remote:
    """The server at *url*, whose path comes before every target. Raises OSError where it can't be reached at all."""

    def __init__(self, url: str, timeout: float = 30.0) -> None:
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self._class = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._host, self._path, self._timeout = parts.netloc, parts.path.rstrip("/"), timeout
        self.controls = self._log() is not None

    def send(self, call: Call) -> Answer:
        """See :class:`idempact.scenarios.run.Target`."""
        return self._request(call.method, self._path + call.target, call.headers, call.body)

    def begin(self, call: Call) -> Callable[[], Answer]:
        """See :class:`idempact.scenarios.run.Target`; returns once the request's run is held."""
        found: list[Answer] = []
        thread = threading.Thread(target=lambda: found.append(self.send(call)), daemon=True)
        thread.start()
        ends = time.monotonic() + self._timeout
        while thread.is_alive() and b'"in-progress"' not in (self._log() or b"") and time.monotonic() < ends:
            thread.join(_TICK_SECONDS)

        def wait() -> Answer:
            thread.join(self._timeout)
            return found[0] if found else Answer(0)

        return wait

    def control(self, place: str, asked: Mapping[str, Plain]) -> None:
        """See :class:`idempact.scenarios.run.Target`. Raises OSError where the server does not do it."""
        body = json.dumps(asked).encode()
        answer = self._request("POST", f"{CONTROL}/{place}", (("Content-Type", "application/json"),), body)
        if answer.status != 200:
            raise OSError(f"the sandbox did not do {place}: {answer.status} {answer.body.decode('utf-8', 'replace')}")

    def _log(self) -> bytes | None:
        """The sandbox's log; None where the server is no sandbox."""
        connection = self._class(self._host, timeout=self._timeout)
        try:
            connection.request("GET", f"{CONTROL}/log")
            answer = connection.getresponse()
            body = answer.read()
        except http.client.HTTPException:
            return None
        finally:
            connection.close()
        return body if answer.status == 200 and b'"faults_waiting"' in body else None

    def _request(self, method: str, target: str, headers: tuple[tuple[str, str], ...], body: bytes) -> Answer:
        connection = self._class(self._host, timeout=self._timeout)
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read())
        except (OSError, http.client.HTTPException):
            return Answer(0)
        finally:
            connection.close()
