"""The provider's side of a contract: the record of a key, what a claim does, and how a handler reads a record.

The order of things follows from the contract alone: a claim and the change that it guards commit as one, a claim that
outlives its lease is taken over under a higher number, and a run whose number is no longer the record's must stop
(fencing tokens: M. Kleppmann, "How to do distributed locking", 2016).
"""

from __future__ import annotations

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.key import Length, LengthUnit, ScopePart, ScopeWord, Session
from idempact.contract.model.replay import StoredFailure
from idempact.contract.model.server import Claim, Store
from idempact.contract.model.windows import CountedFrom, Forever, Window
from idempact.contract.units import Documented, Duration, NotDocumented
from idempact.facts.verdicts import State
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.dataclass import dataclass

if TYPE_CHECKING:
    from idempact.facts.derive import Facts, Profile

_SQL = (Store.POSTGRESQL, Store.MYSQL, Store.SQLITE)
# Parts of a scope that name who asks get the usual ending of a reference.
_PLAIN = frozenset({ScopeWord.ENVIRONMENT, ScopeWord.REGION, ScopeWord.OPERATION, ScopeWord.PATH})


@dataclass(frozen=True, slots=True)
class RowState:
    """One state of a key as a handler reads it off the record: a condition on its columns.

    A condition on a ``value`` of the record's state holds only where the contract lets a record have it.
    """

    state: State
    condition: str
    value: str = ""


_ROW_STATES = (
    RowState(State.NONE, "no row"),
    RowState(State.IN_PROGRESS, "state = 'in_progress' and lease_ends > now"),
    RowState(State.STALE, "state = 'in_progress' and lease_ends <= now"),
    RowState(State.EXPIRED, "state <> 'in_progress' and window_ends <= now"),
    RowState(State.COMPLETED, "state = 'completed'"),
    RowState(State.FAILED_KEPT, "state = 'failed'", "failed"),
    RowState(State.FAILED_KEPT, "state = 'spent'", "spent"),
    RowState(State.FAILED_RE_EXECUTED, "state = 'open'", "open"),
    RowState(State.UNKNOWN_OUTCOME, "state = 'unknown'"),
    RowState(State.REMOVED, "no row"),
)

# The record's state after a run that failed; None removes the record.
FAILURE_STATES = {
    StoredFailure.REPLAY: "failed",
    StoredFailure.REJECT: "spent",
    StoredFailure.RE_EXECUTE: "open",
    StoredFailure.RECOVER: "unknown",
    StoredFailure.RELEASE: None,
}


@dataclass(frozen=True, slots=True)
class Times:
    """What a claim of some operations is given; None has no end. ``operations`` are keys in the contract.

    ``counted_from`` is when the window begins, as the contract has it.
    """

    operations: tuple[str, ...]
    lease: Duration
    window: Duration | None
    cleanup: Duration | None
    counted_from: str


@dataclass(frozen=True, slots=True)
class Implementer:
    """What the statements are rendered from.

    ``columns`` hold the scope's parts; ``resumes``, ``restarts``, ``reuses`` and ``reopens`` say which moves the
    contract allows somewhere: a stale claim that goes on or begins anew, an expired key that runs as a new request,
    and a failed run that is carried on. ``open_fields`` are the fields without which there are no statements.
    """

    store: Store | None
    claim: Claim
    columns: tuple[str, ...]
    key_least: int
    key_most: int | None
    key_in_bytes: bool
    compares: bool
    resumes: bool
    restarts: bool
    reuses: bool
    reopens: bool
    states: tuple[str, ...]
    times: tuple[Times, ...]
    completer_after: Duration
    reaper_batch: int
    open_fields: tuple[str, ...]

    @property
    def row_states(self) -> tuple[RowState, ...]:
        """How a handler reads each state off the record, in the order of looking; two conditions for one are joined."""
        conditions: dict[State, list[str]] = {}
        for row in _ROW_STATES:
            if not row.value or row.value in self.states:
                conditions.setdefault(row.state, []).append(row.condition)
        return tuple(RowState(state, " or ".join(found)) for state, found in conditions.items())

    @property
    def dates_at_finish(self) -> bool:
        """Whether the window of some operation begins when its first request completes."""
        return any(times.counted_from == CountedFrom.COMPLETION for times in self.times)

    @property
    def dates_later(self) -> bool:
        """Whether the window of some operation begins when the thing that it made comes to its end."""
        return any(times.counted_from == CountedFrom.RESOURCE_END for times in self.times)

    @property
    def serializable(self) -> bool:
        """Whether the claim leans on the store's own serializable transactions."""
        return self.claim is Claim.ROW_LOCK


def implementer(facts: Facts) -> Implementer | None:
    """The provider's side; None where the contract doesn't tell it, or doesn't publish it."""
    server = facts.contract.server
    if server is None or not facts.contract.publish.provider:
        return None
    every = tuple(profile.settings for profile in facts.profiles)
    store = None if isinstance(server.store, NotDocumented) else server.store
    claim = server.claim
    if claim is Claim.BY_STORE:
        claim = Claim.UNIQUE_CONSTRAINT if store in _SQL else Claim.CONDITIONAL_WRITE
    lengths = [s.key.length for s in every if isinstance(s.key.length, Length)]
    return Implementer(
        store=store,
        claim=claim,
        columns=_columns(every),
        key_least=min((length.min for length in lengths), default=1),
        key_most=max(length.max for length in lengths) if len(lengths) == len(every) else None,
        key_in_bytes=any(length.unit is LengthUnit.BYTES for length in lengths),
        compares=any(settings.fingerprint is not None for settings in every),
        resumes=_any(every, "stale", Verb.RESUME),
        restarts=_any(every, "stale", Verb.EXECUTE),
        reuses=_any(every, "expired_key", Verb.EXECUTE),
        reopens=any(StoredFailure.RE_EXECUTE in _failures(settings) for settings in every),
        states=_states(every),
        times=tuple(map(_times, facts.profiles)),
        completer_after=server.completer_after,
        reaper_batch=server.reaper_batch,
        open_fields=tuple(dict.fromkeys(name for settings in every for name in _open(settings))),
    )


def failure_state(failure: Documented[StoredFailure]) -> str | None:
    """The record's state after a failure of a class; None where the record is removed, or nobody says."""
    return None if isinstance(failure, NotDocumented) else FAILURE_STATES[failure]


def column(part: ScopePart) -> str:
    """The column that holds one part of the scope."""
    if isinstance(part, Session):
        return "session_id"
    name = part.value.replace("-", "_")
    return name if part in _PLAIN else f"{name}_id"


def _columns(every: tuple[Settings, ...]) -> tuple[str, ...]:
    """The parts of all scopes; a part that one operation's scope lacks holds the empty text there."""
    parts = [part for s in every if not isinstance(s.scope, NotDocumented) for part in s.scope]
    return tuple(dict.fromkeys(column(part) for part in parts))


def _any(every: tuple[Settings, ...], name: str, verb: Verb) -> bool:
    return any(getattr(getattr(settings.answers, name), "answer", None) is verb for settings in every)


def _failures(settings: Settings) -> tuple[Documented[StoredFailure], ...]:
    stored = settings.stored_failures
    exceptions = () if isinstance(stored.statuses, NotDocumented) else stored.statuses
    errors = stored.server_error
    classes = (stored.before_execution, stored.business_rejection, errors.before_effects, errors.after_effects)
    return (*classes, *(failure for _, failure in exceptions))


def _states(every: tuple[Settings, ...]) -> tuple[str, ...]:
    used = {failure_state(failure) for settings in every for failure in _failures(settings)}
    order = ("failed", "spent", "open", "unknown")
    # A run can die where nobody can tell what it did, whatever the contract says of failures that are seen.
    return ("in_progress", "completed", *(state for state in order if state in used or state == "unknown"))


def _times(profile: Profile) -> Times:
    windows = profile.settings.windows
    cleanup = windows.cleanup if isinstance(windows.cleanup, Duration) else None
    lease = windows.lease if isinstance(windows.lease, Duration) else Duration(0)
    return Times(profile.operations, lease, _end(windows.replay), cleanup, str(windows.counted_from))


def _end(replay: Documented[Window]) -> Duration | None:
    """How long the server itself keeps a key: to the upper bound where there is one."""
    if isinstance(replay, NotDocumented | Forever):
        return None
    return replay.most if replay.most is not None else replay.least


def _open(settings: Settings) -> tuple[str, ...]:
    stored, windows = settings.stored_failures, settings.windows
    fields = (
        ("scope", settings.scope),
        ("fingerprint.body", settings.fingerprint.body if settings.fingerprint else None),
        ("windows.replay", windows.replay),
        ("windows.lease", windows.lease),
        ("stored_failures.business_rejection", stored.business_rejection),
        ("stored_failures.server_error", stored.server_error.before_effects),
        ("stored_failures.server_error", stored.server_error.after_effects),
        ("answers.expired_key", settings.answers.expired_key),
    )
    return tuple(name for name, value in fields if isinstance(value, NotDocumented))
