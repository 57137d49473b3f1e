"""The client under test: any command that speaks the drivers' protocol.

The command is run once for each call. It gets, as environment variables, ``VECTOR_URL`` (where to POST),
``VECTOR_BODY`` (a JSON object, to be sent as the client would send it), ``VECTOR_KEY`` (unset: a call without a key),
``VECTOR_PROFILE`` (the scaled contract to go by), and, where the connection is to be warm, ``VECTOR_WARM_URL`` (to GET
once, over the same pool of connections, before the call). It makes the one call, with retries, and

* prints as the last line of its output one JSON object: ``ok`` (true or false), ``status`` (of the last answer, or
  null), ``kind`` (``success``, ``refused``, ``mismatch``, ``unknown``, ``not-sent`` or ``cancelled``: called off, and
  nothing can have happened), and ``elapsed_ms`` (of the call alone, if it can tell);
* writes on its error stream one line for each retry that holds ``retry attempt=N`` and ``wait_ms=M``: the attempt that
  failed, counted from 1, and the wait that follows.

Some vectors ask for more: ``VECTOR_CALLS`` (make so many calls, the n-th of them under the key, a hyphen, and n; print
a line for each, of which the last counts), ``VECTOR_AT_ONCE`` (``yes``: make them at the same time) and
``VECTOR_CANCEL_MS`` (call it off so many milliseconds after it began, by the means that the client has for it).

``{profile}`` in a word of the command, or in its folder, stands for the profile.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

from idempact.resources.typed import Protocol
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain
from idempact.vectors.model import Call, Report

TIMEOUT_SECONDS = 120.0
MAX_OUTPUT = 1024 * 1024
"""How many bytes of a client's output, and as many of its log, are kept: the last ones, where the report stands."""
_CHUNK = 64 * 1024
_RETRY = re.compile(r"\bretry attempt=([0-9]+)\b(?:.*?\bwait_ms=([0-9]+)\b)?")
_PROXIES = {name: None for base in ("http_proxy", "https_proxy", "all_proxy") for name in (base, base.upper())}


class Client(Protocol):
    """Makes one call and reports on it; never raises for what the client does."""

    def __call__(self, call: Call) -> Report:
        """The client's report on *call*."""


@dataclass(frozen=True, slots=True)
class CommandClient:
    """A command as a client; one that does not end within ``timeout`` seconds is killed, with what it started."""

    command: Sequence[str]
    folder: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float = TIMEOUT_SECONDS

    def __call__(self, call: Call) -> Report:
        """See :class:`Client`."""
        words = [word.replace("{profile}", call.profile) for word in self.command]
        folder = self.folder.replace("{profile}", call.profile) if self.folder is not None else None
        try:
            process = subprocess.Popen(
                words,
                cwd=folder,
                env=self._variables(call),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Report(fault=f"the client can't be started: {error}")
        with process:
            try:
                output, log, ended = _read(process, self.timeout)
            except BaseException:
                _end(process)
                raise
        if not ended:
            return Report(log=log, fault=f"the client did not end within {self.timeout:g} s")
        return read_report(output, log, ending(process.returncode))

    def _variables(self, call: Call) -> dict[str, str]:
        mine = {
            "VECTOR_URL": call.url,
            "VECTOR_BODY": call.body,
            "VECTOR_KEY": call.key,
            "VECTOR_PROFILE": call.profile,
            "VECTOR_WARM_URL": call.warm_url,
            "VECTOR_CALLS": str(call.calls) if call.calls != 1 else None,
            "VECTOR_AT_ONCE": "yes" if call.at_once else None,
            "VECTOR_CANCEL_MS": str(call.cancel_ms) if call.cancel_ms is not None else None,
            **_PROXIES,
        }
        kept = {name: value for name, value in {**os.environ, **self.environment}.items() if name not in mine}
        return kept | {name: value for name, value in mine.items() if value is not None}


def _read(process: subprocess.Popen[bytes], timeout: float) -> tuple[str, str, bool]:
    """The last bytes of the output and the log, and whether both ended in time; past it the client is ended."""
    kept = {process.stdout: bytearray(), process.stderr: bytearray()}
    ends = time.monotonic() + timeout
    with selectors.DefaultSelector() as waiting:
        for stream in kept:
            assert stream is not None, "both are pipes"
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map() and (left := ends - time.monotonic()) > 0:
            for ready, _ in waiting.select(left):
                data = os.read(ready.fd, _CHUNK)
                tail = kept[ready.fileobj]  # type: ignore[index]
                tail += data
                del tail[:-MAX_OUTPUT]
                if not data:
                    waiting.unregister(ready.fileobj)
    output, log = (bytes(tail).decode("utf-8", "replace") for tail in kept.values())
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, ends - time.monotonic()))
        return output, log, True
    _end(process)
    return output, log, False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the client and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def ending(code: int) -> str:
    """How a process with this return code (negative: by that signal) ended, in words."""
    if code >= 0:
        return f"ended with {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def read_report(output: str, log: str, ended: str = "ended") -> Report:
    """The report in a client's output and log; a report that says what is wrong where there is none. Never raises.

    *ended* says how the client ended, for a client that told nothing.
    """
    lines = [line for line in output.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    data = _told(last)
    if data is None:
        told = f"the last line of its output is not a report: {last[:200]!r}" if last else "printed no report"
        return Report(log=log, fault=f"the client {ended}, {told}")
    status, elapsed = data.get("status"), data.get("elapsed_ms")
    retries = [(int(attempt[:9]), int(wait[:12] or 0)) for attempt, wait in _RETRY.findall(log)]
    return Report(
        ok=data["ok"] is True,
        status=status if type(status) is int else None,
        kind=str(data.get("kind") or ""),
        elapsed_ms=round(elapsed) if isinstance(elapsed, (int, float)) and 0 <= elapsed < 1e12 else None,
        retries=len(retries),
        waits_ms=tuple(retries),
        log=log,
        kinds=tuple(str(told.get("kind") or "") for told in map(_told, lines) if told is not None),
    )


def _told(line: str) -> dict[str, Plain] | None:
    """A report on one call; None where the line is none."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("ok"), bool) else None
