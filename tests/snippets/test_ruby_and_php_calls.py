"""What one vector can't show of the Ruby and PHP loops: what is told when one is called off, and odd arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.server import PATH, FaultServer

BUSY = Step(Fault.ANSWER, 503, (("Retry-After", "4"),))
THROTTLED = Step(Fault.ANSWER, 429, (("Retry-After", "4"),))
ANY = Vector("call", "fast", (), True, True, False, Target.SERVER, (0, 9), None, False, None, (), 0, 9000, None)
CLIENTS = {"ruby-faraday": "Faraday.new, ", "ruby-net-http": ""}
GUZZLE = """
require 'GuzzleHttp/autoload.php';
require 'Psr/Log/autoload.php';
$send = fn (...$given) => (new RetryLoop\\RetryLoop(new Psr\\Log\\NullLogger()))->send(...$given);
"""
SENDERS = {"php-guzzle": GUZZLE, "php-curl": "$send = RetryLoop\\send(...);"}
RUBY = pytest.mark.parametrize("client", CLIENTS)
PHP = pytest.mark.parametrize("client", SENDERS)
Run = Callable[..., list[str]]


def serving(*steps: Step) -> FaultServer:
    return FaultServer(replace(ANY, steps=steps), Wire())


@pytest.fixture
def run(workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> Run:
    """Runs a script beside a rendered loop, with the server's address; its words, once it ended well."""

    def make(client: str, server: FaultServer, script: str, **changes: Any) -> list[str]:
        made = workshop(client)
        folder = made.render("call", replace(scaled["fast"], **changes))
        if client in SENDERS:
            words = ["php", "-r", f"require 'RetryLoop.php'; {SENDERS[client]} {script}", server.origin + PATH]
        else:
            script = script.replace("CLIENT", CLIENTS[client])
            words = ["ruby", "-r", "./retry_loop", "-e", "RetryLoop::LOG.level = :fatal", "-e", script]
            words.append(server.origin + PATH)
        done = made.finished(words, folder)
        assert done.returncode == 0, done.stderr
        output: str = done.stdout
        return output.split()

    return make


CALLED_OFF = """
begin
  RetryLoop.call(CLIENT ARGV[0], {}, key: "k-1", pause: ->(_seconds) { raise "called off" })
rescue RetryLoop::OutcomeUnknown => e
  puts "unknown #{e.key} #{e.cause.message}"
rescue RuntimeError => e
  puts e.message
end
"""
SIGNALLED = """
pcntl_async_signals(true);
pcntl_signal(SIGALRM, fn () => throw new LogicException('called off'));
pcntl_alarm(1);
try {
    $send($argv[1], [], 'k-1');
} catch (RetryLoop\\OutcomeUnknown $error) {
    echo "unknown $error->key ", $error->getPrevious()->getMessage();
} catch (LogicException $error) {
    echo $error->getMessage();
}
"""
OUTCOMES = pytest.mark.parametrize(
    ("step", "outcome"), [(BUSY, ["unknown", "k-1", "called", "off"]), (THROTTLED, ["called", "off"])]
)


@RUBY
@OUTCOMES
def test_ruby_is_called_off_during_a_wait(run: Run, client: str, step: Step, outcome: list[str]) -> None:
    with serving(step) as server:
        assert run(client, server, CALLED_OFF) == outcome
        assert len(server.seen().exchanges) == 1


@PHP
@OUTCOMES
def test_php_is_called_off_during_a_wait(run: Run, client: str, step: Step, outcome: list[str]) -> None:
    with serving(step) as server:
        assert run(client, server, SIGNALLED) == outcome
        assert len(server.seen().exchanges) == 1


@PHP
@pytest.mark.parametrize("before", [(), (Step(Fault.ANSWER, 429),)])
def test_php_is_called_off_during_an_attempt(run: Run, client: str, before: tuple[Step, ...]) -> None:
    """The request has left, so what came of it is unknown, whether it is the first one or not."""
    with serving(*before, Step(Fault.SLOW, wait_ms=2500)) as server:
        quick = {"attempt_timeout_ms": 4000, "base_ms": 1, "cap_ms": 1}
        assert run(client, server, SIGNALLED, **quick) == ["unknown", "k-1", "called", "off"]
        assert len(server.seen().exchanges) == len(before) + 1


SYMBOLS = 'RetryLoop.call(CLIENT ARGV[0], { meta: { "kept" => 1 } }, key: "k")'
OBJECTS = "$send($argv[1], ['meta' => (object) ['kept' => 1]], 'k');"


@pytest.mark.parametrize("client", [*CLIENTS, *SENDERS])
def test_a_key_in_the_body_keeps_what_stands_beside_it(run: Run, client: str) -> None:
    """Whether the caller's names are symbols or texts, and its members arrays or objects."""
    with serving(Step(Fault.SERVE)) as server:
        script = OBJECTS if client in SENDERS else SYMBOLS
        run(client, server, script, key_carrier="body", key_name="/meta/id")
        assert server.seen().exchanges[0].body == b'{"meta":{"kept":1,"id":"k"}}'


@pytest.mark.parametrize("client", [*CLIENTS, *SENDERS])
def test_a_key_in_the_query_is_escaped(run: Run, client: str) -> None:
    script = "$send($argv[1] . '?a=1', [], 'a+b %41&c');"
    if client in CLIENTS:
        script = 'RetryLoop.call(CLIENT "#{ARGV[0]}?a=1", {}, key: "a+b %41&c")'
    with serving(Step(Fault.SERVE)) as server:
        run(client, server, script, key_carrier="query", key_name="client token")
        query = server.seen().exchanges[0].target.split("?")[1].replace("+", "%20")
        assert query == "a=1&client%20token=a%2Bb%20%2541%26c"


@PHP
@pytest.mark.parametrize("profile", ["fast", "budget", "ratio", "decorrelated", "query", "body"])
def test_what_a_brace_opens_stands_one_step_further_in(
    workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts], client: str, profile: str
) -> None:
    made = workshop(client)
    lines = (made.render("call", scaled[profile]) / made.variant.file).read_text(encoding="utf-8").splitlines()
    steps = {
        after: len(after) - len(after.lstrip()) - len(line) + len(line.lstrip())
        for line, after in pairwise(filter(str.strip, lines))
        if line.endswith("{") and not after.strip().startswith("}")
    }
    assert steps
    assert {after: step for after, step in steps.items() if step != 4} == {}


@PHP
def test_an_empty_payload_is_an_object(run: Run, client: str) -> None:
    with serving(Step(Fault.SERVE)) as server:
        run(client, server, "$send($argv[1], [], 'k');")
        assert server.seen().exchanges[0].body == b"{}"


@PHP
def test_a_wrong_url_is_no_reason_to_retry_in_php(run: Run, client: str) -> None:
    script = "try { $send('ftp://127.0.0.1/x', [], 'k'); } catch (Exception $e) { echo $e::class; }"
    with serving() as server:
        (name,) = run(client, server, script)
    assert name in {"GuzzleHttp\\Exception\\RequestException", "RetryLoop\\Fault"}
