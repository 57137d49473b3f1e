"""What one call per process can't show of the Ruby and PHP loops: calling off, a shared budget, odd arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from idempact.facts.loop import Budget, LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.server import PATH, FaultServer

BUSY = Step(Fault.ANSWER, 503, (("Retry-After", "4"),))
THROTTLED = Step(Fault.ANSWER, 429, (("Retry-After", "4"),))
QUICK_BUSY = Step(Fault.ANSWER, 503)
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


EACH_KEY = """
%w[a b b b b b c].each do |key|
  RetryLoop.call(CLIENT ARGV[0], {}, key: key)
  puts "done"
rescue RetryLoop::OutcomeUnknown
  puts "unknown"
end
"""
AT_ONCE = """
threads = (1..8).map do |number|
  Thread.new do
    RetryLoop.call(CLIENT ARGV[0], {}, key: "k-#{number}")
  rescue RetryLoop::OutcomeUnknown
    puts "unknown"
  end
end
threads.each(&:join)
"""


@RUBY
def test_ruby_refunds_a_success_and_never_beyond_the_capacity(run: Run, client: str) -> None:
    """The first and the last call find a full bucket of one retry, whatever was refunded in between."""
    bucket = Budget("token-bucket", capacity=14, cost_transient=14, cost_throttled=5, refund=7)
    with serving(QUICK_BUSY, QUICK_BUSY, *[Step(Fault.SERVE)] * 5, QUICK_BUSY) as server:
        outcomes = run(client, server, EACH_KEY, budget=bucket, base_ms=1, cap_ms=4)
        assert outcomes == ["unknown", *["done"] * 5, "unknown"]
        assert [exchange.key for exchange in server.seen().exchanges] == list("aabbbbbcc")


@RUBY
@pytest.mark.parametrize(
    ("budget", "retries"),
    [
        (Budget("token-bucket", capacity=5 * 14, cost_transient=14, cost_throttled=5, refund=1), 5),
        (Budget("ratio", share=0.5, within_ms=60_000, min_per_second=0), 4),
    ],
)
def test_concurrent_ruby_calls_share_one_budget(run: Run, client: str, budget: Budget, retries: int) -> None:
    with serving(QUICK_BUSY) as server:
        assert run(client, server, AT_ONCE, budget=budget, base_ms=200, cap_ms=400) == ["unknown"] * 8
        assert len(server.seen().exchanges) == 8 + retries


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
