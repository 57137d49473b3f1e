"""The written scenarios against the sandbox of many contracts, and against sandboxes that are wrong on purpose."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.contract.model.answers import Answers
from idempact.contract.model.contract import Contract, Settings
from idempact.contract.model.operations import Safety
from idempact.contract.model.replay import Fidelity, StoredFailure
from idempact.sandbox.clock import Clock
from idempact.sandbox.engine import Arrival, Decision, Engine, Reply, Run, State
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.faults import During
from idempact.sandbox.settle import settle
from idempact.sandbox.store import Claim, Phase, Record
from idempact.scenarios.model import read_scenarios, shipped_scenarios
from idempact.scenarios.requests import Call, of_safety
from idempact.scenarios.run import OUTCOMES, Answer, Verdict, run_scenarios
from idempact.scenarios.terms import Expected, expected

HERE = Path(__file__).parent
VENDORS = sorted((HERE.parents[1] / "contract" / "vendors").glob("*.yaml"))
LITERALS: Mapping[str, Mapping[str, list[object]]] = YAML(typ="safe").load((HERE / "literals.yaml").read_text("utf-8"))
SCENARIOS = read_scenarios(shipped_scenarios()).value or ()
COMPLETED = {"completed": {"status": 409, "code": "already_exists"}}
SPENT = {"previous_failure": {"status": 409, "code": "key_spent"}}
WAIT = {"in_flight": {"answer": "wait", "at_most": "1s", "status": 409, "code": "busy"}}
ACCEPT = {"in_flight": {"answer": "accept", "status": 202, "code": "none", "status_url": "/operations/{id}"}}
FAILED = {"before_execution": "replay", "business_rejection": "re-execute", "server_error": "recover"}
# The minimal contract, changed so that each scenario applies to one of them.
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "parsed": {"fingerprint": {"body": "parsed"}, "replay": {"fidelity": "equivalent"}},
    "raw": {"fingerprint": {"body": "raw"}, "windows": {"replay": "forever"}},
    "error": {"replay": {"fidelity": "error"}, "answers": COMPLETED},
    "current": {"replay": {"fidelity": "current-state"}, "stored_failures": "release"},
    "rejecting": {
        "answers": {
            "expired_key": {"answer": "reject", "status": 410, "code": "too_old"},
            "stale": {"answer": "execute"},
        }
    },
    "spent": {"stored_failures": "reject", "answers": SPENT},
    "failing": {"stored_failures": FAILED},
    "resuming": {"stored_failures": "re-execute"},
    "waiting": {"answers": WAIT},
    "accepting": {"answers": ACCEPT},
    "identity": {"answers": {"mismatch": {"answer": "execute"}}, "key": {"required": False}},
    "ignored": {"fingerprint": "none", "answers": {"stale": {"answer": "reject"}}},
    "open": {
        "answers": {
            "store_unavailable": {"answer": "execute"},
            "unsupported_key": {"answer": "reject", "status": 501, "code": "no_keys"},
        }
    },
    "completion": {"windows": {"counted_from": "completion"}},
}


class Inside:
    """A sandbox without a socket, as a target."""

    controls = True

    def __init__(self, driven) -> None:  # type: ignore[no-untyped-def]
        self.driven = driven

    @staticmethod
    def request(call: Call) -> Request:
        headers = tuple((name.lower(), value) for name, value in call.headers)
        return Request(call.method, call.target, headers, call.body)

    @staticmethod
    def answer(response: Response | None, lost: bool) -> Answer:
        if response is None or lost:
            return Answer(0)
        return Answer(response.status, {name.lower(): value for name, value in response.headers}, response.body)

    def send(self, call: Call) -> Answer:
        delivery = self.driven.run(self.driven.app.handle(self.request(call)))
        return self.answer(delivery.response, delivery.step.reset is not None)

    def begin(self, call: Call) -> Callable[[], Answer]:
        task = self.driven.begin(self.request(call))
        return lambda: self.answer(self.driven.finish(task), lost=False)

    def control(self, place: str, asked: Mapping[str, object]) -> None:
        self.driven.control(place, **dict(asked))


@pytest.fixture
def verdicts(drive) -> Callable[..., tuple[Verdict, ...]]:  # type: ignore[no-untyped-def]
    def play(contract: Contract, engine: type[Engine] = Engine, scenarios=SCENARIOS) -> tuple[Verdict, ...]:  # type: ignore[no-untyped-def]
        return run_scenarios(scenarios, contract, Inside(drive(contract, engine)), "run")

    return play


def failed(found: tuple[Verdict, ...]) -> dict[str, tuple[str, ...]]:
    return {verdict.scenario.id: verdict.faults for verdict in found if verdict.faults}


def test_the_shipped_scenarios_can_be_read() -> None:
    found = read_scenarios(shipped_scenarios())
    assert found.diagnostics == ()
    assert len(SCENARIOS) == len(list(shipped_scenarios().glob("*.yaml")))
    assert all(scenario.rule.endswith(".") and scenario.steps for scenario in SCENARIOS)


@pytest.mark.parametrize("source", LITERALS)
def test_the_table_from_the_contract_is_the_one_written_by_hand(source: str, contract) -> None:  # type: ignore[no-untyped-def]
    operation = of_safety(contract(source), Safety.KEYED)
    assert operation is not None
    table = expected(operation.settings)
    for name, (status, *more) in LITERALS[source].items():
        code, wait = [*more, None, None][:2]
        statuses = (status,) if status else ()
        assert table[name] == Expected(statuses, code, None if wait is None else str(wait)), name  # type: ignore[arg-type]


@pytest.mark.parametrize("source", LITERALS)
def test_the_sandbox_keeps_the_contracts(source: str, contract, verdicts) -> None:  # type: ignore[no-untyped-def]
    found = verdicts(contract(source))
    assert failed(found) == {}
    assert sum(not verdict.left_out for verdict in found) >= 15


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_sandbox_keeps_variants_of_the_minimal_contract(variant: str, contract, verdicts) -> None:  # type: ignore[no-untyped-def]
    assert failed(verdicts(contract("minimal.yaml", VARIANTS[variant]))) == {}


@pytest.mark.parametrize("path", VENDORS, ids=lambda path: path.stem)
def test_what_a_vendor_leaves_open_is_left_out_and_the_rest_is_kept(  # type: ignore[no-untyped-def]
    path: Path, as_written, contract, drive
) -> None:
    """The sandbox fills open facts in; the scenarios go by the contract alone, as ``scenarios run`` reads it."""
    open_one = as_written(path)
    if settle(open_one).obstacles:
        assert path.stem == "shopify-graphql"
        return
    target = Inside(drive(contract(f"vendors/{path.name}")))
    found = run_scenarios(SCENARIOS, open_one, target, "run")
    assert failed(found) == {}
    assert len(found) == len(SCENARIOS)


def test_every_answer_that_a_scenario_waits_for_is_one_of_the_contracts() -> None:
    names = {step.get for scenario in SCENARIOS for step in scenario.steps if step.get is not None}
    assert names - set(OUTCOMES) <= {field.name for field in fields(Answers)}


def test_every_scenario_applies_somewhere(contract, verdicts) -> None:  # type: ignore[no-untyped-def]
    contracts = [contract(), *(contract("minimal.yaml", changes) for changes in VARIANTS.values())]
    played = {v.scenario.id for each in contracts for v in verdicts(each) if not v.left_out}
    assert {scenario.id for scenario in SCENARIOS} - played == set()


# Sandboxes that are wrong on purpose, one for each way in which servers are


class KeyUnused(Engine):
    """The key is accepted, and not used."""

    def claimed(self, arrival: Arrival, claim: Claim) -> Decision:
        return Run(None)


class LookupThenInsert(Engine):
    """The key is looked up, and its record is written once the request is done."""

    def claimed(self, arrival: Arrival, claim: Claim) -> Decision:
        if self.store.find(claim.identity) is not None:
            return super().claimed(arrival, claim)
        self.late = claim
        return Run(None)

    def complete(self, run: Run, response: Response, settings: Settings, now: int) -> bool:
        record = self.store.claim(self.late) if run.record is None else run.record
        return record is None or super().complete(replace(run, record=record), response, settings, now)


class NoInProgressState(Engine):
    """A record that isn't completed counts for nothing."""

    def _in_flight(self, record: Record, settings: Settings) -> Decision:
        return Run(record)


class MismatchReplayed(Engine):
    """Another request under the key gets the first one's result."""

    def differs(self, record: Record, claim: Claim) -> bool:
        return False


class MismatchExecuted(Engine):
    """Another request under the key is done in silence."""

    def _found(self, record: Record, arrival: Arrival, claim: Claim) -> Decision | None:
        if self.differs(record, claim):
            return self._renewed(record, claim)
        return super()._found(record, arrival, claim)


class InFlightFirst(Engine):
    """A key in flight is told before its content is looked at."""

    def _found(self, record: Record, arrival: Arrival, claim: Claim) -> Decision | None:
        if self.state(record, arrival.operation.settings, arrival.now) is State.IN_PROGRESS:
            return self._in_flight(record, arrival.operation.settings)
        return super()._found(record, arrival, claim)


class ShortWindow(Engine):
    """The window is shorter than the longest chain of retries."""

    def window_ms(self, settings: Settings) -> int | None:
        return 3_600_000


class EndlessWindow(Engine):
    """Keys never expire."""

    def window_ms(self, settings: Settings) -> int | None:
        return None


class BareSetnx(Engine):
    """A claim without a lease: one whose run died stays for good."""

    def state(self, record: Record, settings: Settings, now: int) -> State:
        found = super().state(record, settings, now)
        return State.IN_PROGRESS if found is State.STALE else found


class ExpiringLock(Engine):
    """A lock that expires, and nothing that keeps its old owner from going on."""

    def effect(self, run: Run, arrival: Arrival, point: str) -> str | None:
        return self.store.effect(None, str(arrival.operation.key), point, arrival.path)


class EveryoneTakesOver(Engine):
    """Past the lease each repeat runs, and none of them owns the claim."""

    def _stale(self, record: Record, settings: Settings, claim: Claim) -> Decision | None:
        return Run(record, resumed=True)


class StaleFromTheStart(Engine):
    """A run that died is run anew from its start, its effects with it."""

    def _resumed(self, record: Record, claim: Claim) -> Decision | None:
        return self._renewed(record, claim)


def keeping(word: StoredFailure) -> type[Engine]:
    class Undecided(Engine):
        def fail(self, run: Run, response: Response, during: During, settings: Settings, now: int) -> bool:
            failures = settings.stored_failures
            server = replace(failures.server_error, before_effects=word, after_effects=word)
            same = replace(failures, before_execution=word, business_rejection=word, server_error=server, statuses=())
            return super().fail(run, response, during, replace(settings, stored_failures=same), now)

    Undecided.__doc__ = f"Nobody decided what is kept of a failure: {word} for each."
    return Undecided


class UnknownRunsAgain(Engine):
    """What nobody knows is simply run again."""

    def _found(self, record: Record, arrival: Arrival, claim: Claim) -> Decision | None:
        if record.phase is Phase.UNKNOWN:
            return self._renewed(record, claim)
        return super()._found(record, arrival, claim)


class FailsOpen(Engine):
    """Without its store the server goes on as if there were no keys."""

    def arrive(self, arrival: Arrival) -> Decision:
        return super().arrive(arrival) if arrival.store_available else Run(None)


class NoScope(Engine):
    """Two accounts with one key get each other's results."""

    def claimed(self, arrival: Arrival, claim: Claim) -> Decision:
        return super().claimed(arrival, replace(claim, identity=replace(claim.identity, scope="")))


class FoldedKeys(Engine):
    """Keys are compared without regard to case."""

    def claimed(self, arrival: Arrival, claim: Claim) -> Decision:
        return super().claimed(
            arrival, replace(claim, identity=replace(claim.identity, key=claim.identity.key.lower()))
        )


class SilentReplay(Engine):
    """A replay doesn't say that it is one."""

    def _completed(self, record: Record, settings: Settings) -> Decision:
        return super()._completed(record, replace(settings, replay=replace(settings.replay, indicator=None)))


class RebuiltReplay(Engine):
    """A replay shows today's state where the stored answer was promised."""

    def _completed(self, record: Record, settings: Settings) -> Decision:
        current = replace(settings.replay, fidelity=Fidelity.CURRENT_STATE)
        return super()._completed(record, replace(settings, replay=current))


class SecretsReplayed(Engine):
    """What is never to be stored is stored, and comes again."""

    def complete(self, run: Run, response: Response, settings: Settings, now: int) -> bool:
        return super().complete(run, response, replace(settings, replay=replace(settings.replay, omits=())), now)


class OtherStatus(Engine):
    """A mismatch has the status of a request in flight, which callers retry."""

    def answer(self, name: str, settings: Settings, record: Record | None = None, detail: str = "") -> Reply:
        found = super().answer(name, settings, record, detail)
        return Reply(replace(found.response, status=409)) if name == "mismatch" else found


class NoQuery(Engine):
    """The query doesn't count."""

    def arrive(self, arrival: Arrival) -> Decision:
        bare = replace(arrival.request, target=arrival.request.target.split("?")[0])
        return super().arrive(replace(arrival, request=bare))


class AnyKey(Engine):
    """Keys aren't looked at: too long a one is taken, and so are two, or none."""

    def arrive(self, arrival: Arrival) -> Decision:
        found = super().arrive(arrival)
        refused = isinstance(found, Reply) and found.response.outcome in ("malformed_key", "missing_key")
        return Run(None) if refused else found


WRONG: tuple[tuple[type[Engine], set[str]], ...] = (
    (KeyUnused, {"replay", "lost-answer", "mismatch-refused"}),
    (LookupThenInsert, {"in-flight-rejected"}),
    (NoInProgressState, {"in-flight-rejected"}),
    (MismatchReplayed, {"mismatch-refused", "mismatch-of-the-query"}),
    (MismatchExecuted, {"mismatch-refused"}),
    (InFlightFirst, {"in-flight-mismatch-first"}),
    (ShortWindow, {"longest-chain", "first-window"}),
    (EndlessWindow, {"expired-executed", "removed"}),
    (BareSetnx, {"stale-resumed", "stale-run-returns"}),
    (ExpiringLock, {"stale-run-returns"}),
    (EveryoneTakesOver, {"stale-one-takes-over"}),
    (StaleFromTheStart, {"stale-resumed"}),
    (keeping(StoredFailure.RELEASE), {"rejection-replayed", "unknown-outcome"}),
    (keeping(StoredFailure.REPLAY), {"failure-before-execution-released", "failure-before-effects-re-executed"}),
    (keeping(StoredFailure.RE_EXECUTE), {"rejection-replayed", "unknown-outcome"}),
    (UnknownRunsAgain, {"unknown-outcome"}),
    (FailsOpen, {"store-fails-closed"}),
    (NoScope, {"account-apart"}),
    (FoldedKeys, {"keys-compared-byte-for-byte"}),
    (SilentReplay, {"replay"}),
    (RebuiltReplay, {"replay-is-stored"}),
    (SecretsReplayed, {"replay"}),
    (OtherStatus, {"mismatch-refused"}),
    (NoQuery, {"mismatch-of-the-query"}),
    (AnyKey, {"key-malformed", "key-missing", "key-sent-twice"}),
)


@pytest.mark.parametrize(("wrong", "caught_by"), WRONG, ids=lambda value: getattr(value, "__name__", ""))
def test_a_wrong_sandbox_is_caught_by_the_scenario_for_it(  # type: ignore[no-untyped-def]
    wrong: type[Engine], caught_by: set[str], contract, verdicts
) -> None:
    found = failed(verdicts(contract(), wrong))
    assert caught_by <= set(found), found


def test_every_scenario_of_the_example_catches_one_of_them_or_says_why_not(contract, verdicts) -> None:  # type: ignore[no-untyped-def]
    caught = {name for wrong, _ in WRONG for name in failed(verdicts(contract(), wrong))}
    applying = {v.scenario.id for v in verdicts(contract()) if not v.left_out}
    # These hold by what is not done: a server that does nothing at all for keys keeps them, too.
    kept_by_any = {"key-ignored-where-unsupported", "natural-repeat", "body-canonical", "keys-apart", "lost-request"}
    assert applying - caught <= kept_by_any


def test_over_http_the_command_tells_what_was_kept_and_what_was_not(served) -> None:  # type: ignore[no-untyped-def]
    command = [
        sys.executable,
        "-m",
        "idempact",
        "scenarios",
        "run",
        str(HERE.parents[1] / "contract" / "contract.yaml"),
    ]
    with served(None, Clock, MismatchExecuted) as (origin, _):
        done = subprocess.run([*command, "--url", origin + "/v1"], capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "FAILED   mismatch-refused: A known key" in done.stdout
        assert "step 2: wanted mismatch with 422, got 201" in done.stdout
    with served() as (origin, _):
        told = [*command, "--url", origin, "--format", "json"]
        done = subprocess.run(told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert {item["passed"] for item in json.loads(done.stdout)} == {True, None}
    for words, said in (
        (["--url", "nowhere"], "no address"),
        (["--url", "http://127.0.0.1:1"], "start the server"),
        (["--url", origin, "--only", "nothing"], "begins with"),
        (["--url", origin, "--content", "{"], "no JSON"),
        (["--url", origin, "--header", "bare"], "no header"),
    ):
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, said in done.stderr) == (2, True), (words, done.stderr)


class PlainServer:
    """A server that nobody can tell what to do, and that serves nothing."""

    controls = False

    def send(self, call: object) -> Answer:
        return Answer(503)


def test_a_server_that_is_no_sandbox_is_spared_what_only_a_sandbox_can_be_told(contract) -> None:  # type: ignore[no-untyped-def]
    """And a rule that the contract does not have is left out for that reason, first."""
    made, scenarios = contract(), read_scenarios(shipped_scenarios()).value
    by_id = {v.scenario.id: v for v in run_scenarios(scenarios, made, PlainServer(), "r")}  # type: ignore[arg-type]
    assert by_id["expired-rejected"].left_out == "the contract does not say expired_key: reject"
    assert "only the sandbox" in by_id["lost-answer"].left_out
    played = [verdict for verdict in by_id.values() if not verdict.left_out]
    assert played
    assert not any(verdict.scenario.controlled for verdict in played)


def test_a_scenario_that_cant_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("rule: R.\nneeds: []\nsteps: [{sent: {}}, {advance: soon}]\nmore: 1\n", "utf-8")
    found = read_scenarios(tmp_path)
    assert found.value is None
    said = " ".join(diagnostic.message for diagnostic in found.diagnostics)
    assert all(word in said for word in ("'more'", "'needs'", "'sent'", "'advance'"))
