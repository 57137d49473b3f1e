"""The fault server over plain sockets: what goes over the wire for each step, and that keys are really claimed."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import parsedate_to_datetime

import pytest

from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.server import PATH, WARM_PATH, FaultServer

PLAIN = Vector(
    "t", "fast", (), False, True, False, Target.SERVER, (0, 9), None, True, 201, (), 0, 1000, None
)  # fmt: skip


def scripted(*steps: Step, repeat_last: bool = False) -> FaultServer:
    return FaultServer(replace(PLAIN, steps=steps, repeat_last=repeat_last), Wire())


def connect(server: FaultServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=5)


def post(server: FaultServer, body: bytes = b"{}", key: str | None = "k", path: str = PATH, **headers: str):  # type: ignore[no-untyped-def]
    connection = connect(server)
    try:
        sent = {**({"Idempotency-Key": key} if key is not None else {}), **headers}
        connection.request("POST", path, body, sent)
        response = connection.getresponse()
        return response.status, response.read(), response.headers
    finally:
        connection.close()


def test_a_repeat_gets_the_stored_answer_and_no_second_effect() -> None:
    with scripted() as server:
        first, second = post(server), post(server)
        assert (first[0], second[0]) == (201, 201)
        assert first[1] == second[1]
        assert second[2]["Idempotent-Replayed"] == "true"
        assert server.seen().effects == 1
        assert post(server, key="other")[0] == 201
        assert server.seen().effects == 2


def test_the_same_key_with_another_body_is_a_mismatch() -> None:
    with scripted() as server:
        post(server)
        status, body, _ = post(server, b'{"a": 1}')
        assert status == 422
        assert b"idempotency_key_reused" in body
        assert server.seen().effects == 1


def test_without_a_key_every_request_has_its_effect() -> None:
    with scripted() as server:
        for _ in range(3):
            assert post(server, key=None)[0] == 201
        assert server.seen().effects == 3


def test_concurrent_requests_under_one_key_have_one_effect() -> None:
    with scripted() as server:
        threads = [threading.Thread(target=post, args=(server,)) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.seen().effects == 1
        assert len(server.seen().exchanges) == 12


def test_an_answer_has_its_status_headers_and_code() -> None:
    steps = (
        Step(Fault.ANSWER, 429, (("Retry-After", "date+2"),), "slow_down"),
        Step(Fault.ANSWER, 503, (("Content-Type", "text/html"),), raw="<html>"),
    )
    with scripted(*steps) as server:
        status, body, headers = post(server)
        assert (status, body) == (429, b'{"code": "slow_down"}')
        assert 0 < parsedate_to_datetime(headers["Retry-After"]).timestamp() - time.time() <= 2
        status, body, headers = post(server)
        assert (status, body, headers["Content-Type"]) == (503, b"<html>", "text/html")
        assert post(server)[0] == 201
        assert server.seen().effects == 1


def test_the_last_step_is_repeated_where_asked() -> None:
    with scripted(Step(Fault.ANSWER, 502), Step(Fault.ANSWER, 504), repeat_last=True) as server:
        assert [post(server)[0] for _ in range(4)] == [502, 504, 504, 504]


@pytest.mark.parametrize(("fault", "effects"), [(Fault.RESET_BEFORE, 0), (Fault.RESET_AFTER, 1)])
def test_a_reset_is_a_reset(fault: Fault, effects: int) -> None:
    with scripted(Step(fault)) as server:
        with pytest.raises(ConnectionResetError):
            post(server)
        assert server.seen().effects == effects


def test_a_close_is_an_end_without_an_answer() -> None:
    with scripted(Step(Fault.CLOSE)) as server:
        with pytest.raises(http.client.RemoteDisconnected):
            post(server)
        assert server.seen().effects == 1


def test_a_truncated_answer_is_shorter_than_it_says() -> None:
    with scripted(Step(Fault.TRUNCATE)) as server:
        with pytest.raises(http.client.IncompleteRead):
            post(server)
        assert server.seen().effects == 1


def test_a_slow_answer_comes_late_and_a_client_that_leaves_is_noticed() -> None:
    with scripted(Step(Fault.SLOW, wait_ms=200), Step(Fault.SLOW, wait_ms=60_000)) as server:
        assert post(server)[0] == 201
        impatient = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=0.2)
        impatient.request("POST", PATH, b"{}", {"Idempotency-Key": "k"})
        with pytest.raises(TimeoutError):
            impatient.getresponse()
        impatient.close()
    patient = server.seen().exchanges[0]
    assert patient.ended - patient.arrived >= 0.19
    assert server.seen().exchanges[1].ended - server.seen().exchanges[1].arrived < 30


def test_a_dripping_body_comes_byte_by_byte() -> None:
    with scripted(Step(Fault.DRIP, wait_ms=20, size=5)) as server:
        connection = connect(server)
        connection.request("POST", PATH, b"{}")
        response = connection.getresponse()
        assert response.headers["Content-Length"] == "5"
        assert [response.read(1) for _ in range(5)] == [b" "] * 5
        connection.close()
    exchange = server.seen().exchanges[0]
    assert exchange.ended - exchange.arrived >= 0.09


def test_a_warm_up_is_not_counted_and_keeps_the_connection() -> None:
    with scripted(Step(Fault.RESET_AFTER)) as server:
        connection = connect(server)
        connection.request("GET", WARM_PATH)
        connection.getresponse().read()
        before = connection.sock
        connection.request("POST", PATH, b"{}")
        with pytest.raises(ConnectionResetError):
            connection.getresponse()
        assert before is not None
        connection.close()
        assert len(server.seen().exchanges) == 1


def test_nothing_listens_at_a_closed_target() -> None:
    with FaultServer(replace(PLAIN, target=Target.CLOSED), Wire()) as server, pytest.raises(ConnectionRefusedError):
        post(server)


def test_a_black_hole_does_not_answer() -> None:
    with FaultServer(replace(PLAIN, target=Target.BLACKHOLE), Wire()) as server:
        host, port = server.origin.removeprefix("http://").split(":")
        with pytest.raises(TimeoutError):
            socket.create_connection((host, int(port)), timeout=0.3)


@pytest.mark.parametrize(
    ("wire", "headers", "path", "body"),
    [
        (Wire(quoted=True), {"Idempotency-Key": '"k"'}, PATH, b"{}"),
        (Wire("query", "client token"), {}, PATH + "?x=1&client+token=k", b"{}"),
        (Wire("body", "", ("meta", "id")), {}, PATH, b'{"meta": {"id": "k"}}'),
    ],
)
def test_the_key_is_found_where_the_wire_says(wire: Wire, headers: dict[str, str], path: str, body: bytes) -> None:
    with FaultServer(PLAIN, wire) as server:
        assert post(server, body, None, path, **headers)[0] == 201
        assert post(server, b"[]", None)[0] == 201
        assert [exchange.key for exchange in server.seen().exchanges] == ["k", None]


def test_a_chunked_request_is_read() -> None:
    with scripted() as server:
        connection = connect(server)
        connection.request("POST", PATH, iter([b'{"a"', b": 1}"]), {"Idempotency-Key": "k"}, encode_chunked=True)
        assert connection.getresponse().status == 201
        connection.close()
        assert server.seen().exchanges[0].body == b'{"a": 1}'


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"what\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\xff" * 200_000,
    ],
)
def test_nonsense_ends_the_connection_and_nothing_else(sent: bytes) -> None:
    with scripted() as server:
        host, port = server.origin.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=5) as raw:
            try:
                raw.sendall(sent)
                while raw.recv(1000):
                    pass
            except ConnectionError:
                pass
        assert post(server)[0] == 201


def test_leaving_ends_every_thread(vector: Callable[[str], Vector]) -> None:
    before = threading.active_count()
    with scripted(Step(Fault.SLOW, wait_ms=60_000), Step(Fault.DRIP, wait_ms=1000, size=60)) as server:
        held = [connect(server) for _ in range(3)]
        for connection in held[:2]:
            connection.request("POST", PATH, b"{}")
        held[2].connect()
        while len(server.seen().exchanges) < 2:
            time.sleep(0.01)
    for connection in held:
        connection.close()
    assert threading.active_count() == before
