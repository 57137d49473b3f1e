"""The sandbox on a socket: every fault on the wire, a thousand requests with one key, and what it shows of itself."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import urlsplit

import httpx
import pytest

from idempact.sandbox.clock import Clock
from idempact.sandbox.server import MAX_BODY, MAX_CONNECTIONS
from idempact.sandbox.store import Claim, Identity, Phase, Store

KEY = "key-0123456789abcdef"


def post(
    origin: str, fault: object = None, key: str | None = KEY, body: bytes = b'{"amount": 100}', timeout: float = 10
):  # type: ignore[no-untyped-def]
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=timeout)
    headers = {"Idempotency-Key": key} if key else {}
    if fault is not None:
        headers["Sandbox-Fault"] = json.dumps(fault)
    try:
        connection.request("POST", "/v1/payments", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


def control(origin: str, place: str, **asked: object) -> dict[str, object]:
    answer = httpx.post(f"{origin}/_sandbox/{place}", json=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def log(origin: str) -> dict[str, object]:
    found: dict[str, object] = httpx.get(f"{origin}/_sandbox/log").json()
    return found


@pytest.mark.parametrize(
    ("fault", "broken", "effects"),
    [
        ({"reset": "before"}, ConnectionResetError, 0),
        ({"reset": "after"}, ConnectionResetError, 1),
        ({"close": True}, http.client.RemoteDisconnected, 1),
        ({"truncate": True}, http.client.IncompleteRead, 1),
        ({"crash": "before"}, http.client.RemoteDisconnected, 0),
        ({"crash": "after"}, http.client.RemoteDisconnected, 1),
    ],
)
def test_an_answer_that_is_lost_before_or_after_the_effect(served, fault, broken, effects) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, app):
        with pytest.raises(broken):
            post(origin, fault)
        assert log(origin)["effects"] == effects
        if "crash" in fault:
            app.clock.advance(60_000)
        status, _, headers = post(origin)
        assert (status, headers["Sandbox-Effects"]) == (201, "1")


def test_statuses_with_headers_and_bodies_that_are_no_json(served) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        status, body, headers = post(origin, {"status": 429, "headers": {"Retry-After": "3"}, "code": "slow_down"})
        assert (status, headers["Retry-After"], json.loads(body)["code"]) == (429, "3", "slow_down")
        html = {"status": 503, "headers": {"Content-Type": "text/html"}, "raw": "<html>"}
        assert post(origin, html)[1] == b"<html>"
        assert log(origin)["effects"] == 0


def test_slow_answers_and_bodies_that_drip_go_by_the_clock(served) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        for fault, far in (
            ({"slow_ms": 5000}, 5000),
            ({"drip_ms": 700, "bytes": 3}, 700),
            ({"drip_head_ms": 900, "bytes": 2}, 900),
        ):
            found: list[object] = []
            key = f"{KEY}-{far}"

            def call(found: list[object] = found, fault: object = fault, key: str = key) -> None:
                found.append(post(origin, fault, key))

            thread = threading.Thread(target=call)
            thread.start()
            while thread.is_alive():
                control(origin, "clock", advance=f"{far}ms")
                thread.join(0.02)
            status, body, _ = found[0]  # type: ignore[misc]
            assert (status, json.loads(body)["status"]) == (201, "created")
        with pytest.raises(TimeoutError):
            post(origin, {"slow_ms": 5000}, f"{KEY}-late", timeout=0.2)


@pytest.mark.parametrize(
    "fault",
    [{}, {"drip_ms": 0}, {"drip_head_ms": 0}, {"truncate": True}, {"slow_ms": 0}, {"close": True}, {"reset": "after"}],
    ids=str,
)
@pytest.mark.parametrize("no_content", [False, True])
def test_answers_without_a_body_are_spoilt_without_a_fault_of_our_own(
    served, contract, caplog, fault, no_content
) -> None:  # type: ignore[no-untyped-def]
    """A HEAD, and a replay that the contract gives the status 204."""
    changes = {"replay": {"status": 204}} if no_content else {}
    with served(contract(changes=changes)) as (origin, _):
        assert post(origin)[0] == 201
        method = "POST" if no_content else "HEAD"
        head = f"{method} /payments HTTP/1.1\r\nHost: s\r\nIdempotency-Key: {KEY}\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: 15\r\nConnection: close\r\nSandbox-Fault: {json.dumps(fault)}\r\n\r\n"
        with socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port), timeout=10) as plain:
            plain.sendall(head.encode() + b'{"amount": 100}')
            try:
                answer = b"".join(iter(lambda: plain.recv(65536), b""))
            except ConnectionResetError:
                answer = b""
        told, _, body = answer.partition(b"\r\n\r\n")
        assert body == b""
        if "close" in fault or "reset" in fault:
            assert answer == b""
        elif no_content:
            assert told.startswith(b"HTTP/1.1 204 ")
            assert b"content-length" not in told.lower()
        assert post(origin)[0] == (204 if no_content else 201)
    assert [record.getMessage() for record in caplog.records] == []


def test_a_script_goes_request_by_request_and_the_last_step_may_stay(served) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        control(origin, "faults", steps=[{"status": 503}, {"status": 502}])
        assert [post(origin)[0] for _ in range(3)] == [503, 502, 201]
        control(origin, "faults", steps=[{"status": 503}], repeat_last=True)
        assert [post(origin)[0] for _ in range(3)] == [503] * 3
        httpx.delete(f"{origin}/_sandbox/faults")
        assert post(origin)[0] == 201
        assert control(origin, "reset") == {"reset": True}
        assert log(origin)["requests"] == []
        assert post(origin)[2]["Sandbox-Outcome"] == "done"


@pytest.mark.parametrize(
    "step",
    [
        "no object",
        {"staus": 503},
        {"status": 99},
        {"status": True},
        {"reset": "during"},
        {"status": 503, "close": True},
        {"fail": 500, "crash": "after"},
        {"fail": 200},
        {"during": "now"},
        {"headers": {"Content-Length": "0"}, "status": 200},
        {"headers": {"A b": "c"}, "status": 200},
        {"headers": {"A": "b\r\nC: d"}, "status": 200},
        {"hold": "yes"},
    ],
)
def test_a_fault_that_cant_be_read_is_told_and_does_nothing(served, step) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        status, body, headers = post(origin, step)
        assert (status, headers["Sandbox-Outcome"]) == (400, None)
        assert json.loads(body)["title"].startswith("Sandbox-Fault: ")
        answer = httpx.post(f"{origin}/_sandbox/faults", json={"steps": [step]})
        assert answer.status_code == 400
        assert log(origin)["effects"] == 0


@pytest.mark.parametrize(
    ("place", "asked"),
    [
        ("clock", {}),
        ("clock", {"advance": "1 day"}),
        ("faults", {"steps": {}}),
        ("store", {"available": "no"}),
        ("recover", {"key": "k"}),
        ("resources/res_9", {}),
        ("nothing", {}),
    ],
)
def test_a_control_that_cant_be_done_is_told(served, place: str, asked: dict[str, object]) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        answer = httpx.post(f"{origin}/_sandbox/{place}", json=asked)
        assert answer.status_code == 400
        assert answer.json()["title"]
        assert httpx.post(f"{origin}/_sandbox/{place}", content=b"{").status_code == 400


def test_a_thousand_requests_at_once_with_one_key_have_one_effect(served) -> None:  # type: ignore[no-untyped-def]
    many = 1000
    assert many < MAX_CONNECTIONS

    async def one(origin: str, payload: bytes) -> tuple[int, str]:
        host, port = urlsplit(origin).hostname, urlsplit(origin).port
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(payload)
        head = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        lines = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
        return int(head.split()[1]), lines["sandbox-outcome"]

    async def storm(origin: str, hold: bool) -> list[tuple[int, str]]:
        fault = b'Sandbox-Fault: {"hold": true}\r\n' if hold else b""
        key = b"storm-0123456789-" + (b"1" if hold else b"2")
        payload = b"POST /payments HTTP/1.1\r\nHost: s\r\nIdempotency-Key: %s\r\n%sContent-Length: 2\r\n\r\n{}"
        sent = [asyncio.ensure_future(one(origin, payload % (key, fault))) for _ in range(many)]
        if hold:
            # All but the one whose run is held have their answers before it goes on.
            while sum(task.done() for task in sent) < many - 1:
                await asyncio.wait([task for task in sent if not task.done()], return_when=asyncio.FIRST_COMPLETED)
            async with httpx.AsyncClient() as client:
                await client.post(f"{origin}/_sandbox/release")
        return await asyncio.gather(*sent)

    with served() as (origin, app):
        found = asyncio.run(storm(origin, hold=True))
        assert Counter(found) == {(201, "done"): 1, (409, "in_flight"): many - 1}
        assert app.journal.entries()
        assert log(origin)["effects"] == 1
        assert Counter(asyncio.run(storm(origin, hold=False))) == {(201, "done"): 1, (201, "replayed"): many - 1}
        assert log(origin)["effects"] == 2


def test_of_many_threads_on_one_file_one_claims_and_one_takes_over(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = str(tmp_path / "records.sqlite")
    Store(path).close()
    claim = Claim(Identity("s", "k"), "POST /x", "print", 100, 0)
    barrier, won, taken = threading.Barrier(8), [], []

    def race() -> None:
        store = Store(path)
        barrier.wait()
        won.append(store.claim(claim) is not None)
        barrier.wait()
        record = store.find(claim.identity)
        barrier.wait()
        mine = store.take_over(record, 200)  # type: ignore[arg-type]
        taken.append(mine is not None)
        assert store.effect(record, "POST /x", "effect", "/x") is None
        if mine is not None:
            assert store.effect(mine, "POST /x", "effect", "/x") is not None
            assert not store.end(record, Phase.COMPLETED, 0)  # type: ignore[arg-type]
        store.close()

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == sorted(taken) == [False] * 7 + [True]
    store = Store(path)
    assert store.effects() == (("POST /x", "effect", 1),)
    store.close()


def test_what_isnt_http_or_is_too_big_is_refused_and_the_server_goes_on(served) -> None:  # type: ignore[no-untyped-def]
    def raw(origin: str, data: bytes) -> bytes:
        with socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port), timeout=10) as plain:
            plain.sendall(data)
            plain.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: plain.recv(65536), b""))

    with served() as (origin, _):
        assert raw(origin, b"\x16\x03\x01 hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")
        assert raw(origin, b"GET / HTTP/1.1\r\nHost: s\r\nX: " + b"a" * 70000).startswith(b"HTTP/1.1 431 ")
        assert raw(origin, b"POST /payments HTTP/1.1\r\nHost: s\r\nContent-Length: 9\r\n\r\nshort").startswith(
            b"HTTP/1.1 400 "
        )
        big = b"POST /payments HTTP/1.1\r\nHost: s\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1)
        assert b" 413 " in raw(origin, big + b"x" * (MAX_BODY + 1))
        continued = b"POST /payments HTTP/1.1\r\nHost: s\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        assert b"HTTP/1.1 100" in raw(origin, continued)
        chunked = b"POST /payments HTTP/1.1\r\nHost: s\r\nIdempotency-Key: %s\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunked = chunked % KEY.encode() + b"2\r\n{}\r\n0\r\n\r\n"
        assert raw(origin, chunked).count(b"HTTP/1.1 201") == 1
        assert raw(origin, chunked * 2).count(b"Idempotent-Replayed") == 2


class Page(HTMLParser):
    """Collects what a page holds: its texts, its elements, and every address in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.elements: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]


HOSTILE = "<script>alert(1)</script>&\"'\u202e"


def test_the_page_shows_the_log_escaped_and_loads_nothing(served) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        post(origin)
        post(origin, key="<b>0123456789abcdef", body=HOSTILE.encode())
        httpx.get(origin + "/%3Cscript%3E?<script>")
        answer = httpx.get(f"{origin}/_sandbox")
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        page = Page(answer.text)
        assert "script" not in page.elements
        assert set(page.addresses) == {"", "/_sandbox/log"}
        assert HOSTILE in page.texts
        assert "<b>0123456789abcdef" in page.texts
        assert "color-scheme: light dark" in answer.text
        entries = log(origin)["requests"]
        assert [entry["outcome"] for entry in entries] == ["done", "done", "unknown"]  # type: ignore[attr-defined, index]


def test_the_log_keeps_no_credentials(served) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        headers = {"Idempotency-Key": KEY, "Authorization": "Bearer very-secret"}
        httpx.post(f"{origin}/payments", json={}, headers=headers)
        assert "very-secret" not in httpx.get(f"{origin}/_sandbox/log").text
        assert "very-secret" not in httpx.get(f"{origin}/_sandbox").text


def test_a_clock_goes_ahead_only_and_wakes_who_sleeps() -> None:
    now = [0]
    clock = Clock(lambda: now[0])
    with pytest.raises(ValueError, match="ahead"):
        clock.advance(-1)

    async def nap() -> int:
        sleeping = asyncio.ensure_future(clock.sleep(60_000))
        await asyncio.sleep(0)
        clock.advance(59_999)
        await asyncio.sleep(0)
        assert not sleeping.done()
        now[0] += 1
        clock.advance(0)
        await sleeping
        return clock.now()

    assert asyncio.run(nap()) == 60_000


def test_a_fault_of_our_own_is_an_answer(served, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, app):
        monkeypatch.setattr(app.engine, "arrive", lambda arrival: 1 / 0)
        status, body, _ = post(origin)
        assert status == 500
        assert "ZeroDivisionError" in json.loads(body)["title"]
        monkeypatch.undo()
        assert post(origin)[0] == 201


@pytest.mark.parametrize("asked", ["9999999d", "999999999999d", "2600000d"])
def test_a_clock_that_cant_go_so_far_stays_and_goes_on(served, asked: str) -> None:  # type: ignore[no-untyped-def]
    with served() as (origin, _):
        before = httpx.get(f"{origin}/_sandbox/clock").json()
        answer = httpx.post(f"{origin}/_sandbox/clock", json={"advance": asked})
        assert answer.status_code == 400
        assert "year 9000" in answer.json()["title"]
        assert httpx.get(f"{origin}/_sandbox/clock").json() == before
        assert post(origin)[0] == 201
        control(origin, "clock", advance="2000000d")
        assert post(origin, key=f"{KEY}-2")[0] == 201
        assert httpx.get(f"{origin}/_sandbox").status_code == 200
