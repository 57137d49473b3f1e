"""The runner's verdicts: a plain client passes what it can, and each bad habit is named."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.vectors.client import MAX_OUTPUT, CommandClient, read_report
from idempact.vectors.judge import judge
from idempact.vectors.model import Call, Report, Seen, Vector
from idempact.vectors.run import run_vector, run_vectors

PASSES = ("v01", "v02", "v03", "v04", "v08", "v10", "v11", "v12", "v21", "v25", "v28", "v31", "v32", "v34")


def test_a_plain_client_passes_what_it_was_written_for(
    plain_client: Callable[..., Any], vector: Callable[[str], Vector]
) -> None:
    chosen = [vector(start) for start in PASSES]
    results = run_vectors(chosen, plain_client())
    assert [result.vector for result in results] == chosen
    assert {result.vector.id: list(map(str, result.complaints)) for result in results if not result.passed} == {}


@pytest.mark.parametrize(
    ("habit", "start", "about"),
    [
        ({"new_key": True}, "v02", "key on each attempt"),
        ({"new_key": True}, "v08", "effects"),
        ({"new_body": True}, "v02", "bytes on each attempt"),
        ({"respects_retry_after": False}, "v04", "time"),
        ({"retries_keyless": True}, "v21", "effects"),
        ({"retries_keyless": True}, "v25", "attempts"),
        ({"logs": False}, "v02", "retries logged"),
        ({"knows_mismatch": False}, "v11", "kind"),
        ({"retried": frozenset({422, 503})}, "v11", "attempts"),
        ({"retried": frozenset()}, "v02", "success"),
        ({"attempts": 6}, "v16", "attempts"),
        ({"attempts": 1}, "v02", "status"),
        ({"timeout": 9.0}, "v14", "attempts"),
        ({"longest_key": 255}, "v34", "key on each attempt"),
        ({}, "v35", "attempts"),
    ],
)
def test_a_bad_habit_is_named(
    habit: dict[str, Any], start: str, about: str, plain_client: Callable[..., Any], vector: Callable[[str], Vector]
) -> None:
    result = run_vector(vector(start), plain_client(**habit))
    assert about in {complaint.about for complaint in result.complaints}


def test_a_client_that_waits_less_than_it_logs_is_named(
    plain_client: Callable[..., Any], vector: Callable[[str], Vector]
) -> None:
    def boastful(call: Call) -> Report:
        return replace(plain_client()(call), waits_ms=((1, 5000),))

    result = run_vector(vector("v02"), boastful)
    assert {complaint.about for complaint in result.complaints} == {"gap after attempt 1"}


def test_a_call_that_ends_late_is_named(plain_client: Callable[..., Any], vector: Callable[[str], Vector]) -> None:
    def slow(call: Call) -> Report:
        return replace(plain_client()(call), elapsed_ms=60_000)

    result = run_vector(vector("v01"), slow)
    assert [complaint.about for complaint in result.complaints] == ["time"]


def complaints(vector: Vector, waits: Sequence[tuple[int, int]] = (), **report: Any) -> list[str]:
    """What is said of a client that made no request and logged these waits."""
    found = judge(vector, ("k",), Seen((), 0), Report(waits_ms=tuple(waits), **report))
    return [f"{complaint.about}: {complaint.wanted}" for complaint in found]


def drawn(draw: Callable[[int, int], float], calls: int, windows: Sequence[int]) -> list[tuple[int, int]]:
    """The waits of some calls: *draw* gives one from the number of the call and its window."""
    return [(attempt, round(draw(call, window))) for call in range(calls) for attempt, window in enumerate(windows, 1)]


def test_waits_that_are_not_full_jitter_are_named(vector: Callable[[str], Vector]) -> None:
    full = vector("v43")
    chance = random.Random(7)

    def about(draw: Callable[[int, int], float]) -> set[str]:
        found = complaints(full, drawn(draw, 20, full.windows_ms))
        return {complaint for complaint in found if complaint.startswith("waits")}

    assert about(lambda _, window: chance.uniform(0, window)) == set()
    assert about(lambda _, window: window) == {
        "waits: some below 0.2 of the window",
        "waits: a mean of 0.33 to 0.67 of the window",
    }
    assert about(lambda call, window: window * (call % 2) * 1.01) == {"waits: none above its window"}
    assert about(lambda _, window: window / 2 + chance.uniform(0, window / 2)) >= {
        "waits: some below 0.2 of the window"
    }
    assert about(lambda _, window: chance.uniform(0, window / 2)) == {"waits: a mean of 0.33 to 0.67 of the window"}
    assert "waits: some" in complaints(full)


def test_waits_that_are_not_decorrelated_are_named(vector: Callable[[str], Vector]) -> None:
    asked = vector("v44")
    assert asked.decorrelated_ms is not None
    base, cap = asked.decorrelated_ms
    chance = random.Random(7)

    def about(draw: Callable[[float], float]) -> list[str]:
        waits: list[tuple[int, int]] = []
        for _ in range(8):
            previous = float(base)
            for attempt in (1, 2, 3):
                previous = draw(previous)
                waits.append((attempt, round(previous)))
        return [complaint for complaint in complaints(asked, waits) if complaint.startswith("wait")]

    assert about(lambda previous: min(cap, chance.uniform(base, 3 * previous))) == []
    assert about(lambda previous: 3 * previous)  # above the cap
    assert about(lambda _: chance.uniform(0, base))  # below the base
    assert about(lambda previous: min(cap, 3 * previous))  # no jitter
    assert about(lambda _: chance.uniform(base, 3 * base))  # never grows
    assert complaints(asked)[-1].startswith("waits: many different ones")


def test_a_client_that_can_not_be_called_off_is_named(
    plain_client: Callable[..., Any], vector: Callable[[str], Vector]
) -> None:
    result = run_vector(replace(vector("v39"), steps=vector("v04").steps), plain_client())
    assert {complaint.about for complaint in result.complaints} >= {"attempts", "success", "kind"}


def test_each_of_several_calls_has_its_own_key(
    plain_client: Callable[..., Any], vector: Callable[[str], Vector]
) -> None:
    def some(call: Call, keys: Sequence[str | None]) -> Report:
        done = [plain_client()(replace(call, key=key, calls=1)) for key in keys]
        return replace(done[-1], retries=sum(report.retries for report in done))

    asked = replace(vector("v02"), calls=3, attempts=(4, 4), effects=3)
    assert run_vector(asked, lambda call: some(call, call.keys)).passed
    shared = run_vector(asked, lambda call: some(call, [call.keys[0]] * 3))
    assert {complaint.about for complaint in shared.complaints} == {"effects"}
    invented = run_vector(asked, lambda call: some(call, ["a", "b", "c"]))
    assert {complaint.about for complaint in invented.complaints} == {"key on each attempt"}


CALL = Call("fast", "http://127.0.0.1:9/payments", None, "{}", None)


def python(code: str, timeout: float = 20.0, **environment: str) -> CommandClient:
    return CommandClient([sys.executable, "-c", code], None, environment, timeout)


def test_a_command_gets_the_call_and_nothing_stale() -> None:
    code = (
        "import json, os; print('noise');"
        "names = ['VECTOR_URL', 'VECTOR_KEY', 'VECTOR_BODY', 'VECTOR_PROFILE', 'VECTOR_WARM_URL', 'http_proxy'];"
        "print(json.dumps({'ok': True, 'status': 201, 'kind': str([os.environ.get(n) for n in names])}))"
    )
    client = python(code, VECTOR_KEY="stale", http_proxy="http://127.0.0.1:9")
    report = client(CALL)
    assert report.kind == str([CALL.url, None, "{}", "fast", None, None])
    assert client(replace(CALL, key="k", warm_url="w")).kind == str([CALL.url, "k", "{}", "fast", "w", None])
    more = python(
        "import json, os; names = ['VECTOR_CALLS', 'VECTOR_AT_ONCE', 'VECTOR_CANCEL_MS'];"
        "print(json.dumps({'ok': True, 'status': 201, 'kind': str([os.environ.get(n) for n in names])}))",
        VECTOR_CALLS="9",
    )
    assert more(CALL).kind == str([None, None, None])
    assert more(replace(CALL, calls=2, at_once=True, cancel_ms=0)).kind == str(["2", "yes", "0"])


def test_the_profile_is_filled_in() -> None:
    client = CommandClient([sys.executable, "-c", 'print(\'{"ok": true, "kind": "{profile}"}\')'])
    assert client(CALL).kind == "fast"


def test_a_command_that_hangs_fails_or_is_missing_is_reported() -> None:
    assert "did not end" in python("import time; time.sleep(60)", timeout=0.5)(CALL).fault
    family = CommandClient(["sh", "-c", "sleep 60 & sleep 60"], timeout=0.5)
    assert "did not end" in family(CALL).fault
    assert "can't be started" in CommandClient(["a\0b"])(CALL).fault
    assert "no report" in python("raise SystemExit(3)")(CALL).fault
    assert "can't be started" in CommandClient(["no-such-command-here"])(CALL).fault
    assert "not a report" in python("import sys; sys.stdout.buffer.write(b'\\xff\\n')")(CALL).fault


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise SystemExit(3)", "ended with 3, printed no report"),
        ("pass", "ended with 0, printed no report"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL, printed no report"),
        ("print('x'); raise SystemExit(4)", "ended with 4, the last line of its output is not a report: 'x'"),
    ],
)
def test_how_a_client_ended_is_told(code: str, told: str) -> None:
    assert python(code)(CALL).fault == f"the client {told}"


@pytest.mark.parametrize("stream", ["", " >&2"])
def test_output_without_end_is_cut_and_ends_with_the_limit(stream: str) -> None:
    report = CommandClient(["sh", "-c", f"yes{stream} & yes{stream}"], timeout=0.5)(CALL)
    assert "did not end" in report.fault
    assert len(report.log) <= MAX_OUTPUT


def test_of_a_long_output_the_last_line_counts() -> None:
    code = f'print(\'x\' * {2 * MAX_OUTPUT}); print(\'{{"ok": true, "status": 201, "kind": "success"}}\')'
    assert python(code)(CALL).ok


def test_retries_are_counted_in_the_log() -> None:
    log = "noise\nretry attempt=1 error=503 wait_ms=40\nWARN x: retry attempt=2 wait_ms=1000 s\nretry attempt=x\n"
    report = read_report('{"ok": false, "status": 503, "kind": "refused", "elapsed_ms": 12.6}', log)
    assert (report.retries, report.waits_ms, report.elapsed_ms) == (2, ((1, 40), (2, 1000)), 13)


ODD_OUTPUTS = ("[" * 5000, '{"ok": true, "elapsed_ms": 1e999}', '{"ok": true, "status": true}', '{"ok": 1}')


@settings(deadline=None)
@given(st.text() | st.sampled_from(ODD_OUTPUTS), st.text())
def test_any_output_gives_a_report(output: str, log: str) -> None:
    report = read_report(output, log)
    assert bool(report.fault) or report.ok
