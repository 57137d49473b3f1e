"""A client written here, so that the runner's verdicts don't rest on the loops that it is made for."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import pytest

from idempact.vectors.load import read_vectors, shipped_vectors
from idempact.vectors.model import Call, Report, Vector


@dataclass(frozen=True)
class PlainClient:
    """A small client of its own, whose habits can be made worse one by one. It knows no deadline and no budget."""

    attempts: int = 4
    wait: float = 0.01
    timeout: float = 1.0
    retried: frozenset[int] = frozenset({429, 502, 503, 504})
    new_key: bool = False
    new_body: bool = False
    respects_retry_after: bool = True
    retries_keyless: bool = False
    logs: bool = True
    knows_mismatch: bool = True
    longest_key: int = 1000

    def __call__(self, call: Call) -> Report:
        start = time.monotonic()
        waits: list[tuple[int, int]] = []
        for number in range(1, self.attempts + 1):
            key = call.key and (f"{call.key}-{number}" if self.new_key else call.key)[: self.longest_key]
            body = call.body + " " * (number if self.new_body else 0)
            report, wait = self.attempt(call.url, key, body)
            if report.ok or report.status not in {None, *self.retried} or number == self.attempts:
                break
            if key is None and report.status != 429 and not self.retries_keyless:
                break
            waits.append((number, round(1000 * wait)))
            time.sleep(wait)
        elapsed = round(1000 * (time.monotonic() - start))
        return replace(
            report,
            elapsed_ms=elapsed,
            retries=len(waits) if self.logs else 0,
            waits_ms=tuple(waits) if self.logs else (),
        )

    def attempt(self, url: str, key: str | None, body: str) -> tuple[Report, float]:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self.timeout)
        try:
            headers = {"Idempotency-Key": key} if key is not None else {}
            connection.request("POST", parts.path, body.encode(), headers)
            response = connection.getresponse()
            text = response.read()
        except ConnectionRefusedError:
            return Report(kind="not-sent"), self.wait
        except (OSError, http.client.HTTPException):
            return Report(kind="unknown"), self.wait
        finally:
            connection.close()
        asked = response.getheader("Retry-After", "")
        wait = max(self.wait, float(asked) if asked.isdigit() and self.respects_retry_after else 0.0)
        kind = "refused"
        if self.knows_mismatch and response.status == 422 and b"idempotency_key_reused" in text:
            kind = "mismatch"
        ok = response.status == 201 and bool(json.loads(text))
        return Report(ok=ok, status=response.status, kind="success" if ok else kind), wait


@pytest.fixture(scope="session")
def plain_client() -> type[PlainClient]:
    return PlainClient


@pytest.fixture(scope="session")
def vectors() -> Sequence[Vector]:
    found = read_vectors(shipped_vectors())
    assert found.value is not None, found.diagnostics
    return found.value


@pytest.fixture(scope="session")
def vector(vectors: Sequence[Vector]) -> Callable[[str], Vector]:
    """The vector whose id starts so."""
    return lambda start: next(each for each in vectors if each.id.startswith(start))
