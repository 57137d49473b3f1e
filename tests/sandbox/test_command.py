"""``idempact sandbox`` as its user starts it, and what it refuses to act out."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

CONTRACTS = Path(__file__).resolve().parents[2] / "contract"
VENDORS = sorted((CONTRACTS / "vendors").glob("*.yaml"))
COMMAND = [sys.executable, "-m", "idempact", "sandbox"]


@contextmanager
def started(*words: str, name: signal.Signals = signal.SIGINT) -> Iterator[tuple[str, list[str]]]:
    with subprocess.Popen([*COMMAND, *words, "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        told = []
        assert process.stderr is not None
        for line in process.stderr:
            told.append(line)
            if match := re.search(r"(http://\S+?) \(log", line):
                break
        try:
            assert match is not None, told
            yield match[1], told
        finally:
            process.send_signal(name)
            process.communicate(timeout=20)
        assert process.returncode == 0


def test_it_says_where_it_listens_and_ends_when_it_is_told(tmp_path: Path) -> None:
    file = str(tmp_path / "records.sqlite")
    request = {"url": "/v1/payments", "headers": {"Idempotency-Key": "key-0123456789abcdef"}, "json": {"amount": 1}}
    for outcome, name in (("done", signal.SIGINT), ("replayed", signal.SIGTERM)):
        with started(str(CONTRACTS / "contract.yaml"), "--store", file, name=name) as (origin, _):
            assert origin.startswith("http://127.0.0.1:")
            answer = httpx.request("POST", origin + request["url"], headers=request["headers"], json=request["json"])  # type: ignore[operator, arg-type]
            assert answer.headers["sandbox-outcome"] == outcome


def refused(*words: str) -> str:
    command = [*COMMAND, *words, "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    return done.stderr


def test_a_file_of_another_contract_is_refused_and_left_alone(tmp_path: Path) -> None:
    file, changed = tmp_path / "records.sqlite", tmp_path / "changed.yaml"
    own = (CONTRACTS / "contract.yaml").read_text(encoding="utf-8")
    with started(str(CONTRACTS / "contract.yaml"), "--store", str(file)) as (origin, _):
        unknown = {
            "Idempotency-Key": "key-0123456789abcdef",
            "Sandbox-Fault": '{"fail": 500, "during": "after-effects"}',
        }
        assert httpx.post(f"{origin}/payments", headers=unknown, json={}).headers["sandbox-outcome"] == "failed"
    before = file.read_bytes()
    changed.write_text(own.replace("replay: 24h ", "replay: 48h ").replace("to: 24h", "to: 48h"), encoding="utf-8")
    for other in (changed, CONTRACTS / "minimal.yaml"):
        told = refused(str(other), "--store", str(file))
        assert f"{file}: its records were made under another contract" in told
        assert "--store" in told
    assert file.read_bytes() == before
    with started(str(CONTRACTS / "contract.yaml"), "--store", str(file)) as (origin, _):
        recovered = httpx.post(f"{origin}/_sandbox/recover", json={"key": "key-0123456789abcdef", "outcome": "done"})
        assert recovered.json() == {"recovered": 1}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE TABLE records (id INTEGER, amount INTEGER)", "no sandbox made it"),
        ("CREATE TABLE mine (x TEXT); PRAGMA application_id=7", "no sandbox made it"),
    ],
)
def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path, statement: str, said: str) -> None:
    file = tmp_path / "mine.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as mine:
        mine.executescript(statement)
    before = file.read_bytes()
    assert said in refused(str(CONTRACTS / "contract.yaml"), "--store", str(file))
    assert file.read_bytes() == before


def test_a_file_with_other_tables_is_refused(tmp_path: Path) -> None:
    from idempact.sandbox.store import OtherStore, Store

    file = str(tmp_path / "old.sqlite")
    Store(file, "one").close()
    Store(file, "one").close()
    with pytest.raises(OtherStore, match="another contract"):
        Store(file, "two")
    with contextlib.closing(sqlite3.connect(file)) as later:
        later.execute("PRAGMA user_version=99")
    with pytest.raises(OtherStore, match="another version"):
        Store(file, "one")


def test_what_an_observer_leaves_open_is_named_and_filled_in_when_asked() -> None:
    path = str(CONTRACTS / "vendors" / "stripe-v1.yaml")
    refused = subprocess.run([*COMMAND, path], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "answers.stale" in refused.stderr
    assert "fingerprint.body" in refused.stderr
    assert "retry_chains" not in refused.stderr
    with started(path, "--assume") as (origin, told):
        assert "fingerprint.body" in told[0]
        assert httpx.post(f"{origin}/v1/charges", headers={"Idempotency-Key": "k"}).json()["id"] == "res_1"


def test_wrong_use_is_told_in_a_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("idempact: 1\n", encoding="utf-8")
    for words, code, said in (
        (["missing.yaml"], 2, "missing.yaml"),
        ([str(broken)], 1, "error"),
        ([str(CONTRACTS / "contract.yaml"), "--port", "70000"], 2, "a port is"),
        ([str(CONTRACTS / "contract.yaml"), "--store", str(tmp_path / "no" / "file")], 2, "SQLite"),
        ([str(CONTRACTS / "vendors" / "shopify-graphql.yaml"), "--assume"], 2, "directive"),
    ):
        done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (code, True, False), done.stderr


def test_an_address_that_cant_be_had_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for words, said in (
            (["--port", port], (f"host 127.0.0.1, port {port}", "in use", "--port 0")),
            (["--port", "0", "--host", "192.0.2.1"], ("host 192.0.2.1, port 0", "--host")),
            (["--port", "0", "--host", "no-such-host.invalid"], ("host no-such-host.invalid, port 0", "--host")),
        ):
            command = [*COMMAND, str(CONTRACTS / "contract.yaml"), *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 2
            assert all(word in done.stderr for word in said), done.stderr


@pytest.mark.parametrize("path", VENDORS, ids=lambda path: path.stem)
def test_every_vendor_is_acted_out_or_refused_with_a_reason(path: Path, model, drive) -> None:  # type: ignore[no-untyped-def]
    from idempact.contract.model.key import Carrier
    from idempact.contract.model.operations import Safety
    from idempact.contract.read import read
    from idempact.sandbox.routes import example_method, example_path
    from idempact.sandbox.settle import settle
    from idempact.text.nodes import load

    found = read(load(path).value)  # type: ignore[arg-type]
    settled = settle(found.value.contract, model)  # type: ignore[union-attr]
    if settled.obstacles:
        assert path.stem == "shopify-graphql"
        return
    sandbox = drive(settled.contract)
    operation = next(op for op in settled.contract.operations if op.safety is Safety.KEYED and example_path(op))
    key = operation.settings.key
    value = "0123456789abcdef01234567"
    value = (
        value
        if not str(key.format).startswith("uuid")
        else f"6f9619ff-8b86-{str(key.format)[-1:].replace('d', '4')}011-b42d-00c04fc964ff"
    )
    value = f'"{value}"' if str(key.quoted) == "true" else value
    headers = (
        {"first-sent": "now"} if key.first_sent is None else {key.first_sent.name: "Mon, 30 Nov 2026 12:00:00 GMT"}
    )  # type: ignore[union-attr]
    target, body = str(example_path(operation)), {}
    if key.carrier is Carrier.HEADER:
        headers[str(key.name)] = value
    elif key.carrier is Carrier.QUERY:
        target += f"?{key.name}={value}"
    else:
        body = {str(key.name): value}
    request = sandbox.request(example_method(operation), target, body, **headers)
    first, second = sandbox.send(request), sandbox.send(request)
    assert first.outcome == "done", first
    assert second.outcome in ("replayed", "completed"), second
    assert sandbox.app.effects() == 1
    assert json.loads(first.body)
