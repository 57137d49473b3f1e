"""The statements, run in their stores: each state of a key is reached, and decides as the pages say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from idempact.build import build
from idempact.contract.check import checked
from idempact.contract.read import Read
from idempact.facts import Facts
from idempact.facts.implementer import Implementer, failure_state, implementer
from idempact.facts.verdicts import ResultKind, State, Verdict
from idempact.prose.lint import lint
from idempact.statements.render import render
from idempact.text.nodes import compose
from idempact.text.span import Document

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")
NOW = 1_000_000.0
DAY = 86_400.0
SAME, OTHER = b"the same request", b"another request"
CONTRACTS = {
    "as it is": "",
    "stale begins anew": "answers: {stale: {answer: execute}}",
    "stale stays": "answers: {stale: {answer: reject, status: 409, code: busy}}",
    "expired is refused": "answers: {expired_key: {answer: reject, status: 410, code: gone}}",
    "nothing compared": "fingerprint: none",
    "many parts": 'scope: [user, api-key, environment, path, {session: "one conversation"}]',
    "from completion": "windows: {counted_from: completion}",
    "from the end of a thing": "windows: {counted_from: resource-end}",
    "bytes": "key: {length: {min: 2, max: 40, unit: bytes}}",
    "forever": "windows: {replay: forever}",
    "failures are kept": "stored_failures: replay",
    "failures spend the key": ("stored_failures: reject\n    answers: {previous_failure: {status: 409, code: spent}}"),
    "failures go on": "stored_failures: {business_rejection: re-execute, server_error: re-execute}",
}


def read(override: str, store: str) -> Read:
    text = MINIMAL[: MINIMAL.index("operations:")]
    text += f"operations:\n  POST /things:\n    safety: keyed\n    {override}\n"
    text += f"server: {{store: {store}}}\npublish: {{provider: true}}\n"
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    found = checked(tree)
    assert found.value is not None
    assert not found.broken, found.diagnostics
    return found.value


@dataclass
class Provider:
    """A server that keeps its records by the statements alone."""

    database: Any
    facts: Facts
    record: Implementer
    statements: Mapping[str, str]

    @classmethod
    def of(cls, database: Any, override: str) -> Provider:
        facts = Facts.of(read(override, database.name).contract)
        record = implementer(facts)
        assert record is not None
        statements = {statement.name: statement.text for statement in render(record)}
        database.create(statements["record"])
        return cls(database, facts, record, statements)

    def run(self, name: str, **values: object) -> list[dict[str, Any]]:
        with self.database.session() as session:
            rows: list[dict[str, Any]] = session(self.statements[name], {**self.given(), **values})
            return rows

    def given(self) -> dict[str, object]:
        """What a request at ``NOW`` gives every statement."""
        (times,) = self.record.times
        later = times.counted_from in ("completion", "resource-end")
        window = None if times.window is None else NOW + times.window.ms / 1000
        cleanup = None if times.cleanup is None else NOW + times.cleanup.ms / 1000
        return {
            **dict.fromkeys(self.record.columns, "a"),
            "idempotency_key": "k" * 20,
            "fingerprint": SAME,
            "fingerprint_version": 1,
            "now": NOW,
            "lease_ends": NOW + times.lease.ms / 1000,
            "window_ends": None if later else window,
            "remove_at": None if later else cleanup,
            "batch": self.record.reaper_batch,
            "claimed_before": NOW - self.record.completer_after.ms / 1000,
        }

    def claimed(self) -> dict[str, Any]:
        (row,) = self.run("claim")
        return row

    def finished(self, state: str) -> dict[str, Any]:
        row = self.claimed()
        given = {"status": 201, "headers": "{}", "body": b"{}", "state": state, **row}
        (times,) = self.record.times
        if times.counted_from == "completion" and times.window:
            given["window_ends"] = NOW + times.window.ms / 1000
        assert self.run("finish", **given)
        if times.counted_from == "resource-end" and times.window:
            assert self.run("date", **row, window_ends=NOW + times.window.ms / 1000)
        return row

    def decision(self, fingerprint: bytes, now: float) -> ResultKind:
        """What a handler does, read off the record in the order of the page's table."""
        found = self.run("read")
        if not found:
            return ResultKind.EXECUTE if self.run("claim", now=now) else ResultKind.ANSWER
        row = found[0]
        at = self.database.value(now)
        expired = row["state"] != "in_progress" and row["window_ends"] is not None and row["window_ends"] <= at
        if expired:
            return ResultKind.EXECUTE if "reuse" in self.statements else ResultKind.ANSWER
        if self.record.compares and bytes(row["fingerprint"]) != fingerprint:
            return ResultKind.ANSWER
        match row["state"]:
            case "completed":
                return ResultKind.REPLAY
            case "failed":
                return ResultKind.REPLAY_FAILURE
            case "in_progress" if row["lease_ends"] > at:
                return ResultKind.ANSWER
            case "in_progress" | "open":
                taken = "take-over" in self.statements and self.run("take-over", **row, now=now)
                if not taken:
                    return ResultKind.ANSWER
                return ResultKind.EXECUTE if self.restarted(row, taken[0]) else ResultKind.RESUME
            case _:
                return ResultKind.ANSWER

    def restarted(self, row: Mapping[str, Any], taken: Mapping[str, Any]) -> bool:
        return row["recovery_point"] != "started" and taken["recovery_point"] == "started"


Reach = Callable[[Provider], float]


def advanced(provider: Provider) -> dict[str, Any]:
    row = provider.claimed()
    assert provider.run("advance", **row, recovery_point="half-way")
    return row


def stale(provider: Provider) -> float:
    advanced(provider)
    return NOW + provider.record.times[0].lease.ms / 1000


def opened(provider: Provider) -> float:
    row = advanced(provider)
    assert provider.run("finish", **row, state="open", status=500, headers="{}", body=b"")
    return NOW + 1


def in_state(state: str, seconds: float = 1.0) -> Reach:
    def reach(provider: Provider) -> float:
        provider.finished(state)
        return NOW + seconds

    return reach


def expired(provider: Provider) -> float:
    provider.finished("completed")
    window = provider.record.times[0].window
    assert window is not None
    return NOW + window.ms / 1000


def removed(provider: Provider) -> float:
    provider.finished("completed")
    assert provider.run("reaper", now=NOW + 10_000 * DAY) or provider.record.times[0].cleanup is None
    return NOW


REACH: dict[State, Reach] = {
    State.NONE: lambda provider: NOW,
    State.IN_PROGRESS: lambda provider: (advanced(provider), NOW + 1)[1],
    State.STALE: stale,
    State.COMPLETED: in_state("completed"),
    State.FAILED_KEPT: in_state("failed"),
    State.FAILED_RE_EXECUTED: opened,
    State.UNKNOWN_OUTCOME: in_state("unknown"),
    State.EXPIRED: expired,
    State.REMOVED: removed,
}


def kept_state(row: Verdict) -> str:
    return "failed" if row.same[0].kind is ResultKind.REPLAY_FAILURE else "spent"


@pytest.mark.parametrize("override", CONTRACTS.values(), ids=CONTRACTS)
def test_each_state_decides_as_the_table_says(override: str, database: Any) -> None:
    provider = Provider.of(database, override)
    dated_later = provider.record.dates_at_finish or provider.record.dates_later
    checked_states = set()
    for row in provider.facts.base.verdicts:
        if not row.occurs or (row.state is State.REMOVED and dated_later):
            continue
        reach = in_state(kept_state(row)) if row.state is State.FAILED_KEPT else REACH[row.state]
        for fingerprint, results in ((SAME, row.same), (OTHER, row.other)):
            database.create(provider.statements["record"])
            now = reach(provider)
            decided = provider.decision(fingerprint, now)
            assert decided in {result.kind for result in results}, (row.state, fingerprint)
        checked_states.add(row.state)
    assert len(checked_states) >= 5
    assert {row.state for row in provider.record.row_states} >= checked_states


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
@pytest.mark.parametrize("override", CONTRACTS.values(), ids=CONTRACTS)
def test_a_statement_fits_on_a_page(override: str, store: str) -> None:
    record = implementer(Facts.of(read(override, store).contract))
    assert record is not None
    for statement in render(record):
        lines = statement.text.splitlines()
        assert max(map(len, lines)) <= 90, statement.text
        assert all(line == line.rstrip() and line for line in lines), statement.text


def test_one_of_many_claims_wins(database: Any) -> None:
    provider = Provider.of(database, "")
    with ThreadPoolExecutor(12) as pool:
        won = list(pool.map(lambda _: len(provider.run("claim")), range(60)))
    assert sorted(won) == [0] * 59 + [1]


def test_one_of_many_takes_over_and_the_run_that_was_taken_over_stops(database: Any) -> None:
    provider = Provider.of(database, "")
    row = advanced(provider)
    later = NOW + 10 * DAY
    with ThreadPoolExecutor(12) as pool:
        taken = [r for rows in pool.map(lambda _: provider.run("take-over", **row, now=later), range(30)) for r in rows]
    assert [r["recovery_point"] for r in taken] == ["half-way"]
    done = {"state": "completed", "status": 201, "headers": "{}", "body": b""}
    assert provider.run("advance", **row, recovery_point="further") == []
    assert provider.run("finish", **row, **done) == []
    assert provider.run("release", **row) == []
    assert provider.run("finish", record_id=row["record_id"], claim=taken[0]["claim"], **done)


@pytest.mark.parametrize("override", ["", CONTRACTS["stale stays"]], ids=["stale goes on", "stale stays"])
def test_a_job_recovers_what_no_request_may_take_over(override: str, database: Any) -> None:
    provider = Provider.of(database, override)
    row = provider.finished("unknown")
    if "take-over" in provider.statements:
        assert provider.run("take-over", **row, now=NOW + 10 * DAY) == []
    with ThreadPoolExecutor(12) as pool:
        taken = [r for rows in pool.map(lambda _: provider.run("recover", **row), range(30)) for r in rows]
    assert len(taken) == 1
    held = {"record_id": row["record_id"], "claim": taken[0]["claim"]}
    done = {"state": "completed", "status": 201, "headers": "{}", "body": b"{}"}
    assert provider.run("finish", **row, **done) == []
    assert provider.run("finish", **held, **done)
    assert provider.decision(SAME, NOW + 1) is ResultKind.REPLAY
    assert provider.run("recover", **held, now=NOW + 10 * DAY) == []


def test_a_job_recovers_a_run_that_stopped_and_no_other(database: Any) -> None:
    provider = Provider.of(database, CONTRACTS["stale stays"])
    row = advanced(provider)
    assert provider.run("recover", **row, now=NOW + 1) == []
    assert [r["recovery_point"] for r in provider.run("recover", **row, now=NOW + DAY)] == ["half-way"]


@pytest.mark.parametrize("override", CONTRACTS.values(), ids=CONTRACTS)
def test_the_table_names_no_state_that_the_record_refuses(override: str) -> None:
    page = page_of(read(override, "postgresql"))
    assert page is not None
    known = set(re.findall(r"'([a-z_]+)'", page.split("CHECK (state IN (")[1].split("))")[0]))
    decisions = page.split("{ #decisions }")[1].split("\n## ")[0]
    assert set(re.findall(r"state (?:=|<>) '([a-z_]+)'", decisions)) <= known


def test_a_fresh_claim_is_not_taken_over(database: Any) -> None:
    provider = Provider.of(database, "")
    row = provider.claimed()
    assert provider.run("take-over", **row, now=NOW + 1) == []


def test_one_of_many_uses_an_expired_key_again(database: Any) -> None:
    provider = Provider.of(database, "")
    row = provider.finished("completed")
    assert provider.run("reuse", **row, now=NOW + 1) == []
    with ThreadPoolExecutor(12) as pool:
        again = list(
            pool.map(lambda _: len(provider.run("reuse", **row, now=NOW + 2 * DAY, fingerprint=OTHER)), range(30))
        )
    assert sum(again) == 1
    (found,) = provider.run("read")
    assert (found["state"], found["recovery_point"], found["body"]) == ("in_progress", "started", None)
    assert bytes(found["fingerprint"]) == OTHER


def test_a_released_key_is_free(database: Any) -> None:
    provider = Provider.of(database, "")
    row = provider.claimed()
    assert provider.run("release", **row)
    assert provider.claimed()["record_id"] != 0


def test_another_scope_is_another_key(database: Any) -> None:
    provider = Provider.of(database, "")
    provider.claimed()
    for column in provider.record.columns:
        assert provider.run("claim", **{column: "b"}), column
    assert provider.run("claim") == []


def test_the_completer_finds_old_claims_and_the_reaper_leaves_them(database: Any) -> None:
    provider = Provider.of(database, "")
    row = provider.claimed()
    after = provider.record.completer_after.ms / 1000
    soon, later = NOW + after - 1, NOW + after
    assert provider.run("completer", now=soon, claimed_before=soon - after) == []
    assert [r["record_id"] for r in provider.run("completer", now=later, claimed_before=later - after)] == [
        row["record_id"]
    ]
    assert provider.run("reaper", now=NOW + 10_000 * DAY) == []


def test_the_reaper_removes_a_batch_at_a_time(database: Any) -> None:
    provider = Provider.of(database, "")
    for number in range(5):
        row = provider.run("claim", idempotency_key=f"{number}" * 20)[0]
        assert provider.run("finish", **row, state="completed", status=200, headers="{}", body=b"")
    assert provider.run("reaper", now=NOW + 1) == []
    assert [len(provider.run("reaper", now=NOW + 10_000 * DAY, batch=2)) for _ in range(4)] == [2, 2, 1, 0]


def test_a_key_that_is_too_long_for_the_contract_is_no_record(database: Any) -> None:
    provider = Provider.of(database, "key: {length: {min: 2, max: 40, unit: bytes}}")
    assert provider.run("claim", idempotency_key="\u00e9" * 20)
    with pytest.raises(Exception, match=r"(?i)check"):
        provider.run("claim", idempotency_key="\u00e9" * 21)


def page_of(contract: Read) -> str | None:
    made = build(contract, contract_name="contract.yaml").value
    assert made is not None
    return next((a.text for a in made.artifacts if a.path == "implementers.md"), None)


def test_the_page_is_there_where_the_contract_publishes_it() -> None:
    text = page_of(read("", "sqlite"))
    assert text is not None
    for statement in ("claim", "take-over", "finish", "reaper"):
        assert f"{{ #{statement} }}" in text
    source = read("", "sqlite").source.document.text
    hidden = checked(compose(Document("c.yaml", source.replace("provider: true", "provider: false"))).value).value
    assert hidden is not None
    assert page_of(hidden) is None


@pytest.mark.parametrize("store", ["mysql", "dynamodb", "redis"])
def test_a_store_without_statements_is_told_so(store: str) -> None:
    text = page_of(read("", store))
    assert text is not None
    assert "```sql" not in text
    assert f"There are no statements for `{store}`" in text


def test_a_failures_state_is_told_as_the_statements_write_it() -> None:
    provider = Facts.of(read("stored_failures: {business_rejection: replay, server_error: recover}", "sqlite").contract)
    record = implementer(provider)
    assert record is not None
    stored = provider.base.settings.stored_failures
    assert failure_state(stored.business_rejection) in record.states
    assert failure_state(stored.server_error.after_effects) in record.states
    assert failure_state(stored.before_execution) is None


def test_what_the_contract_leaves_open_is_named_instead_of_statements() -> None:
    text = read("", "sqlite").source.document.text.replace("idempact: 1\n", "idempact: 1\nwritten_by: observer\n")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("scope:"))
    found = checked(compose(Document("c.yaml", text)).value).value
    assert found is not None
    record = implementer(Facts.of(found.contract))
    assert record is not None
    assert "scope" in record.open_fields
    assert render(record) == ()
    page = page_of(found)
    assert page is not None
    assert "`scope`" in page


SERVER_FIELDS = [
    ("server: {store: sqlite}", "server: {store: sqlite, completer_after: 17m}", "older than 17 minutes"),
    ("server: {store: sqlite}", "server: {store: sqlite, reaper_batch: 777}", "777 rows at a time"),
    ("server: {store: sqlite}", "server: {store: sqlite, regions: home-region}", "has a home region"),
    ("server: {store: sqlite}", "server: {store: sqlite, regions: shared-store}", "share one store"),
    ("server: {store: sqlite}", "server: {store: sqlite, claim: fencing-token}", "A number that each take-over raises"),
    ("server: {store: sqlite}", "server: {store: sqlite, claim: row-lock-serializable}", "serializable transaction"),
    ("server: {store: sqlite}", "server: {store: mysql}", "`mysql`"),
    ("safety: keyed", "safety: keyed\n    windows: {lease: 47s}", "47 seconds"),
    ("safety: keyed", "safety: keyed\n    windows: {cleanup: 9d}", "9 days after the claim"),
    (
        "safety: keyed",
        "safety: keyed\n    external_effects: [{name: card charge, recovery_point: charge_made, "
        "downstream_key: 'acme-{record_id}', query: by-downstream-key}]",
        "| card charge | `charge_made` | `acme-{record_id}` | by that key |",
    ),
]


@pytest.mark.parametrize(("old", "new", "shown"), SERVER_FIELDS, ids=[new.split()[-1] for _, new, _ in SERVER_FIELDS])
def test_each_field_of_the_providers_side_is_shown(old: str, new: str, shown: str) -> None:
    source = read("", "sqlite").source.document.text
    assert source.count(old) == 1
    found = checked(compose(Document("c.yaml", source.replace(old, new))).value).value
    assert found is not None
    page = page_of(found)
    assert page is not None
    assert shown in page
    before = page_of(read("", "sqlite"))
    assert before is not None
    assert shown not in before


def test_a_text_of_the_contract_ends_no_statement() -> None:
    """Scope words and numbers alone reach the statements; a session's meaning, which is free text, does not."""
    text = page_of(read("""scope: [{session: "x'); DROP TABLE y; --"}]""", "sqlite"))
    assert text is not None
    sql = "".join(block.split("```")[0] for block in text.split("```sql")[1:])
    assert "session_id" in sql
    assert "DROP" not in sql


@pytest.mark.parametrize("override", CONTRACTS.values(), ids=CONTRACTS)
def test_the_page_passes_our_own_lint_in_every_language(override: str) -> None:
    source = read(override, "postgresql").source.document.text
    source = source.replace("{provider: true}", "{provider: true, locales: [en, zh]}")
    found = checked(compose(Document("c.yaml", source)).value).value
    assert found is not None
    made = build(found, contract_name="contract.yaml").value
    assert made is not None
    pages = [a for a in made.artifacts if a.path.endswith("implementers.md")]
    assert len(pages) == 2
    assert [str(d) for page in pages for d in lint(Document(page.path, page.text))] == []
