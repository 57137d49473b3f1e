"""What one call per process can't show: calling off during a wait, and a budget that calls share."""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import httpx
import pytest

from idempact.facts.loop import Budget, LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.server import PATH, FaultServer

BUSY = Step(Fault.ANSWER, 503, (("Retry-After", "4"),))
THROTTLED = Step(Fault.ANSWER, 429, (("Retry-After", "4"),))
QUICK_BUSY = Step(Fault.ANSWER, 503)
ANY = Vector("call", "fast", (), True, True, False, Target.SERVER, (0, 9), None, False, None, (), 0, 9000, None)


def serving(*steps: Step) -> FaultServer:
    return FaultServer(replace(ANY, steps=steps), Wire())


@pytest.fixture
def python_loop(
    workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> Callable[[Budget | None], ModuleType]:
    """The rendered Python loop as a module of its own, with the budget that is asked for."""

    def make(budget: Budget | None) -> ModuleType:
        made = workshop("python-tenacity")
        folder = made.render("call", replace(scaled["fast"], budget=budget, base_ms=1, cap_ms=4))
        spec = importlib.util.spec_from_file_location("retry_loop_under_test", folder / made.variant.file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return make


class Setter(logging.Handler):
    """Sets an event on the first record: the call is then about to wait."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__()
        self.event = event

    def emit(self, record: logging.LogRecord) -> None:
        self.event.set()


@pytest.mark.parametrize(("step", "error"), [(BUSY, "OutcomeUnknown"), (THROTTLED, "Cancelled")])
def test_python_is_called_off_during_a_wait(
    python_loop: Callable[[Budget | None], ModuleType], step: Step, error: str
) -> None:
    loop = python_loop(None)
    cancelled = threading.Event()
    loop.log.addHandler(Setter(cancelled))
    with serving(step) as server, httpx.Client(trust_env=False) as client:
        with pytest.raises(getattr(loop, error)) as raised:
            loop.send(client, server.origin + PATH, {}, key="k-1", cancelled=cancelled)
        assert len(server.seen().exchanges) == 1
    if error == "OutcomeUnknown":
        assert raised.value.key == "k-1"
        assert "http://127.0.0.1/support" in str(raised.value)


def test_concurrent_calls_share_one_budget(python_loop: Callable[[Budget | None], ModuleType]) -> None:
    loop = python_loop(Budget("token-bucket", capacity=5 * 14, cost_transient=14, cost_throttled=5, refund=1))

    def call(number: int) -> None:
        with httpx.Client(trust_env=False) as client, pytest.raises(loop.OutcomeUnknown):
            loop.send(client, server.origin + PATH, {}, key=f"k-{number}")

    with serving(QUICK_BUSY) as server:
        threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.seen().exchanges) == 8 + 5


def test_a_success_refunds_and_never_beyond_the_capacity(
    python_loop: Callable[[Budget | None], ModuleType],
) -> None:
    loop = python_loop(Budget("token-bucket", capacity=14, cost_transient=14, cost_throttled=5, refund=7))
    with httpx.Client(trust_env=False) as client:
        with serving(QUICK_BUSY) as server:
            with pytest.raises(loop.OutcomeUnknown):
                loop.send(client, server.origin + PATH, {}, key="a")
            assert len(server.seen().exchanges) == 2  # one retry emptied it
        for _ in range(5):
            with serving() as server:
                assert loop.send(client, server.origin + PATH, {}, key="b").status_code == 201
        with serving(QUICK_BUSY) as server:
            with pytest.raises(loop.OutcomeUnknown):
                loop.send(client, server.origin + PATH, {}, key="c")
            assert len(server.seen().exchanges) == 2  # full again, and no fuller


def test_a_ratio_budget_allows_a_share_of_the_calls(python_loop: Callable[[Budget | None], ModuleType]) -> None:
    loop = python_loop(Budget("ratio", share=0.5, within_ms=60_000, min_per_second=0))
    with httpx.Client(trust_env=False) as client, serving(QUICK_BUSY) as server:
        for number in range(8):
            with pytest.raises(loop.OutcomeUnknown):
                loop.send(client, server.origin + PATH, {}, key=f"k-{number}")
        assert len(server.seen().exchanges) == 8 + 4


def test_a_wrong_url_is_no_reason_to_retry(python_loop: Callable[[Budget | None], ModuleType]) -> None:
    loop = python_loop(None)
    with httpx.Client(trust_env=False) as client, pytest.raises(httpx.UnsupportedProtocol):
        loop.send(client, "ftp://127.0.0.1/x", {}, key="k")


ABORTING = """
import { OutcomeUnknown, send } from "./retry-loop.js";
const controller = new AbortController();
const warn = console.warn;
console.warn = (line) => { warn(line); setTimeout(() => controller.abort(new Error("called off")), 0); };
try {
  await send(process.argv[2], {}, { key: "k-1", signal: controller.signal });
} catch (error) {
  console.log(error instanceof OutcomeUnknown ? `unknown ${error.key}` : String(error));
}
process.exit();
"""


def test_typescript_is_called_off_during_a_wait(
    workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    made = workshop("typescript-fetch")
    folder = made.render("call", scaled["fast"])
    made.build(["call"])
    (folder / "aborting.js").write_text(ABORTING, encoding="utf-8")
    for step, answer in ((BUSY, "unknown k-1"), (THROTTLED, "AbortError: The operation was aborted")):
        with serving(step) as server:
            words = ["node", "aborting.js", server.origin + PATH]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=20, check=False)
            assert len(server.seen().exchanges) == 1
        assert done.stdout.strip() == answer, done.stderr


@pytest.mark.parametrize(("step", "code"), [(BUSY, 12), (THROTTLED, 130)])
def test_the_shell_is_called_off_during_a_wait(
    workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts], step: Step, code: int
) -> None:
    made = workshop("shell-curl")
    folder = made.render("call", scaled["fast"])
    script = f'source ./{made.variant.file}; trap : TERM; send "$1" k-1 <<<"{{}}" >answer; echo "code=$?"'
    with serving(step) as server:
        words = ["bash", "-c", script, "bash", server.origin + PATH]
        environment = {**os.environ, "no_proxy": "127.0.0.1"}
        with subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            assert process.stderr is not None
            assert "retry attempt=1" in process.stderr.readline()
            os.killpg(process.pid, signal.SIGTERM)
            output, _ = process.communicate(timeout=20)
        assert len(server.seen().exchanges) == 1
    assert output.strip() == f"code={code}"


REFUNDING = """
import { send } from "./retry-loop.js";
console.warn = () => {};
const outcomes = [];
for (const key of ["a", "b", "b", "b", "b", "b", "c"]) {
  outcomes.push(await send(process.argv[2], {}, { key }).then((answer) => answer.status, (error) => error.name));
}
console.log(outcomes.join(" "));
process.exit();
"""


def test_typescript_refunds_a_success_and_never_beyond_the_capacity(
    workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    """The first and the last call find a full bucket of one retry, whatever was refunded in between."""
    made = workshop("typescript-fetch")
    bucket = Budget("token-bucket", capacity=14, cost_transient=14, cost_throttled=5, refund=7)
    folder = made.render("call", replace(scaled["fast"], budget=bucket, base_ms=1, cap_ms=4))
    made.build(["call"])
    (folder / "refunding.js").write_text(REFUNDING, encoding="utf-8")
    served = Step(Fault.SERVE)
    with serving(QUICK_BUSY, QUICK_BUSY, *[served] * 5, QUICK_BUSY) as server:
        words = ["node", "refunding.js", server.origin + PATH]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=20, check=False)
        assert done.stdout.split() == ["OutcomeUnknown", *["201"] * 5, "OutcomeUnknown"], done.stderr
        assert [exchange.key for exchange in server.seen().exchanges] == list("aabbbbbcc")


RUBY_CALL = 'RetryLoop.call(%sARGV[0], {}, key: "k", first_sent: Time.new(2026, 11, 30, 1, 30, 0, "+02:00"))'
PHP_CALL = "%s($argv[1], [], 'k', new DateTimeImmutable('2026-11-30T01:30:00+02:00'));"
GUZZLE = "foreach (['GuzzleHttp/autoload', 'Psr/Log/autoload', 'RetryLoop'] as $file) { require \"$file.php\"; }"
FIRST_SENT = "Sun, 29 Nov 2026 23:30:00 GMT"
RESUMING = {
    "python-tenacity": (
        "python",
        "-c",
        "import sys, httpx, datetime as d, retry_loop as r\n"
        "first = d.datetime(2026, 11, 30, 1, 30, tzinfo=d.timezone(d.timedelta(hours=2)))\n"
        "with httpx.Client(trust_env=False) as client:\n"
        "    r.send(client, sys.argv[1], {}, key='k', first_sent=first)",
    ),
    "typescript-fetch": (
        "node",
        "--input-type=module",
        "-e",
        'import { send } from "./retry-loop.js";'
        'await send(process.argv[1], {}, { key: "k", firstSent: new Date("2026-11-30T01:30:00+02:00") });',
    ),
    "ruby-faraday": ("ruby", "-r", "./retry_loop", "-e", RUBY_CALL % "Faraday.new, "),
    "ruby-net-http": ("ruby", "-r", "./retry_loop", "-e", RUBY_CALL % ""),
    "php-guzzle": ("php", "-r", GUZZLE + PHP_CALL % "(new RetryLoop\\RetryLoop(new Psr\\Log\\NullLogger()))->send"),
    "php-curl": ("php", "-r", "require 'RetryLoop.php'; " + PHP_CALL % "RetryLoop\\send"),
    "shell-curl": ("bash", "-c", f"source ./retry-loop.sh; echo '{{}}' | send \"$0\" k '{FIRST_SENT}'"),
}


def test_a_later_call_repeats_the_time_of_the_first_attempt(
    loop_id: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    if loop_id not in RESUMING:
        pytest.skip(f"no call with a time of its own is written for {loop_id}")
    made = workshop(loop_id)
    loop = replace(scaled["fast"], first_sent_carrier="header", first_sent_name="First-Sent")
    folder = made.render("call", loop)
    made.build(["call"])
    environment = {**os.environ, "PATH": made.search, "no_proxy": "127.0.0.1"}
    with serving(QUICK_BUSY, Step(Fault.SERVE)) as server:
        words = [*RESUMING[loop_id], server.origin + PATH]
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=20, check=False
        )
        assert done.returncode == 0, done.stderr
        assert [exchange.headers["first-sent"] for exchange in server.seen().exchanges] == [FIRST_SENT] * 2
