"""What the vectors don't show of a call: what its errors hold, and that a later call repeats the first one's time."""

from __future__ import annotations

import importlib.util
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import httpx
import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.run import run_vector
from idempact.vectors.server import PATH, FaultServer

BUSY = Step(Fault.ANSWER, 503, (("Retry-After", "4"),))
THROTTLED = Step(Fault.ANSWER, 429, (("Retry-After", "4"),))
ANY = Vector("call", "fast", (), True, True, False, Target.SERVER, (0, 9), None, False, None, (), 0, 9000, None)


def serving(*steps: Step) -> FaultServer:
    return FaultServer(replace(ANY, steps=steps), Wire())


@pytest.fixture
def python_loop(workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> ModuleType:
    """The rendered Python loop as a module of its own."""
    made = workshop("python-tenacity")
    folder = made.render("call", scaled["fast"])
    spec = importlib.util.spec_from_file_location("retry_loop_under_test", folder / made.variant.file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Setter(logging.Handler):
    """Sets an event on the first record: the call is then about to wait."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__()
        self.event = event

    def emit(self, record: logging.LogRecord) -> None:
        self.event.set()


@pytest.mark.parametrize(("step", "error"), [(BUSY, "OutcomeUnknown"), (THROTTLED, "Cancelled")])
def test_python_is_called_off_during_a_wait(python_loop: ModuleType, step: Step, error: str) -> None:
    loop = python_loop
    cancelled = threading.Event()
    loop.log.addHandler(Setter(cancelled))
    with serving(step) as server, httpx.Client(trust_env=False) as client:
        with pytest.raises(getattr(loop, error)) as raised:
            loop.send(client, server.origin + PATH, {}, key="k-1", cancelled=cancelled)
        assert len(server.seen().exchanges) == 1
    if error == "OutcomeUnknown":
        assert raised.value.key == "k-1"
        assert "http://127.0.0.1/support" in str(raised.value)


def test_a_wrong_url_is_no_reason_to_retry(python_loop: ModuleType) -> None:
    with httpx.Client(trust_env=False) as client, pytest.raises(httpx.UnsupportedProtocol):
        python_loop.send(client, "ftp://127.0.0.1/x", {}, key="k")


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("form", ["%a, %d %b %Y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"])
def test_a_date_to_wait_for_is_of_utc(
    python_loop: ModuleType, monkeypatch: pytest.MonkeyPatch, zone: str, form: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        date = time.strftime(form, time.gmtime(time.time() + 3000))
        wait = python_loop._retry_after(httpx.Response(503, headers={"Retry-After": date}))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert 2000 < wait <= 3000


def test_a_refusing_proxy_leaves_nothing_sent(python_loop: ModuleType) -> None:
    assert issubclass(httpx.ProxyError, python_loop.NOT_SENT)


FIRST_SENT = "Sun, 29 Nov 2026 23:30:00 GMT"


def test_a_later_call_repeats_the_time_of_the_first_attempt(
    loop_id: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    made = workshop(loop_id)
    made.render("call", replace(scaled["fast"], first_sent_carrier="header", first_sent_name="First-Sent"))
    made.build(["call"])
    vector = replace(ANY, steps=(Step(Fault.ANSWER, 503), Step(Fault.SERVE)), ok=True, status=201, attempts=(2, 2))
    result = run_vector(vector, made.client("call", {"VECTOR_FIRST_SENT": FIRST_SENT}))
    assert result.passed, (list(map(str, result.complaints)), result.report)
    assert [exchange.headers["first-sent"] for exchange in result.seen.exchanges] == [FIRST_SENT] * 2
