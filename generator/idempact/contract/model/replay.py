"""What a repeat gets: after a first run that succeeded, and after one that failed."""

from __future__ import annotations

from enum import StrEnum

from idempact.contract import scalar_forms
from idempact.contract.form import NONE, Keyed, either
from idempact.contract.records import Record, decision, fact, part
from idempact.contract.shapes import (
    HEADER,
    LINE,
    POINTER,
    STATUS,
    ListOf,
    OrNone,
    Path,
    Reading,
    Shape,
    Unreadable,
    Words,
    word,
)
from idempact.contract.units import NOT_DOCUMENTED, Documented, NotDocumented, Status
from idempact.resources.typed import TypeAlias
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Plain, resolve


class Fidelity(StrEnum):
    """How close a replay is to the first answer."""

    STORED_RESPONSE = "stored-response"
    EQUIVALENT = "equivalent"
    CURRENT_STATE = "current-state"
    ERROR = "error"


_UNUSED = "a key that is accepted and not used makes callers believe that they may retry"
_REFUSED_FIDELITY = (("none", "refused-fidelity", _UNUSED), ("executed-again", "refused-fidelity", _UNUSED))


class IndicatorCarrier(StrEnum):
    """Where a replay says that it is one."""

    HEADER = "header"
    BODY = "body"


class OriginalStatus(StrEnum):
    """The replay has the first answer's status."""

    ORIGINAL = "original"


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator:
    """How a replay says that it is one."""

    carrier: IndicatorCarrier = part("in", Words(IndicatorCarrier), "where it stands")
    name: str = part("name", LINE, "its header name or JSON Pointer")
    value: str = part("value", LINE, "what it then says")


class _ReplayStatus(Shape[OriginalStatus | int | None]):
    expected = "original, a status such as 200, or none"
    form = either(NONE, Words(OriginalStatus).form, scalar_forms.ONE_STATUS)
    writes_none = True

    def read(self, node: Node, path: Path, reading: Reading) -> OriginalStatus | int | None:
        text = word(node)
        if text in ("original", "none"):
            return OriginalStatus.ORIGINAL if text == "original" else None
        status = STATUS.read(node, path, reading)
        if not isinstance(status, int):
            raise self.wrong(node, path, reading)
        return status

    def write(self, value: OriginalStatus | int | None) -> Plain:
        return "none" if value is None else value.value if isinstance(value, OriginalStatus) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What a repeat of a completed request gets."""

    section = True

    fidelity: Documented[Fidelity] = decision(
        "fidelity",
        Words(Fidelity, _REFUSED_FIDELITY),
        "Is a replay the stored answer, an equivalent one, today's state of the resource, or an error?",
        "Callers compare ids and amounts, and a replay that differs looks like a second effect.",
    )
    status: Documented[OriginalStatus | int | None] = fact(
        "status", _ReplayStatus(), OriginalStatus.ORIGINAL, "the replay's status"
    )
    headers: Documented[tuple[str, ...]] = fact(
        "headers", ListOf(HEADER), ("Content-Type", "Location"), "headers that are stored and replayed"
    )
    omits: Documented[tuple[str, ...]] = fact("omits", ListOf(POINTER), (), "members that are never stored")
    indicator: Documented[Indicator | None] = fact("indicator", OrNone(Record(Indicator)), None, "how it says so")


class StoredFailure(StrEnum):
    """What a repeat gets after a first run that failed."""

    REPLAY = "replay"
    RE_EXECUTE = "re-execute"
    RELEASE = "release"
    RECOVER = "recover"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerErrors:
    """A server error before the first effect, and after it."""

    section = True

    before_effects: Documented[StoredFailure] = decision(
        "before_effects", Words(StoredFailure), "What does a repeat get after a 5xx before any effect?", ""
    )
    after_effects: Documented[StoredFailure] = decision(
        "after_effects", Words(StoredFailure), "What does a repeat get after a 5xx once effects began?", ""
    )


class _ServerError(Shape[ServerErrors]):
    expected = f"{Words(StoredFailure).expected}, or {{before_effects: …, after_effects: …}}"
    form = either(Words(StoredFailure).form, Record(ServerErrors).form)
    section = Record(ServerErrors)

    def read(self, node: Node, path: Path, reading: Reading) -> ServerErrors:
        if isinstance(resolve(node), Mapping):
            return self.section.read(node, path, reading)
        word_ = Words(StoredFailure).read(node, path, reading)
        return ServerErrors(before_effects=word_, after_effects=word_)

    def write(self, value: ServerErrors) -> Plain:
        if value.before_effects == value.after_effects and not isinstance(value.before_effects, NotDocumented):
            return value.before_effects.value
        return self.section.write(value)


StatusExceptions: TypeAlias = tuple[tuple[Status, StoredFailure], ...]


class _Statuses(Shape[StatusExceptions]):
    expected = "a mapping from status to a word, as {408: release}"
    form = Keyed(scalar_forms.STATUS, Words(StoredFailure).form)
    open = True

    def read(self, node: Node, path: Path, reading: Reading) -> StatusExceptions:
        target = resolve(node)
        if not isinstance(target, Mapping):
            raise self.wrong(node, path, reading)
        pairs = []
        for entry in target.entries:
            place = (*path, entry.key.value)
            reading.places[place] = (entry.value.start, entry.value.end)
            try:
                status = STATUS.read(entry.key, place, reading)
                pairs.append((status, Words(StoredFailure).read(entry.value, place, reading)))
            except Unreadable:
                continue
        return tuple(pairs)

    def write(self, value: StatusExceptions) -> Plain:
        return {str(status): failure.value for status, failure in value}


_WHY = "A caller whose request failed must know whether the same key can ever give another answer."


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFailures:
    """What a repeat gets after a first run that failed, by class of failure."""

    section = True

    before_execution: Documented[StoredFailure] = fact(
        "before_execution",
        Words(StoredFailure),
        StoredFailure.RELEASE,
        "syntax, validation, authentication, rate limit",
    )
    business_rejection: Documented[StoredFailure] = decision(
        "business_rejection", Words(StoredFailure), "What does a repeat get after a 4xx once execution had begun?", _WHY
    )
    server_error: ServerErrors = decision("server_error", _ServerError(), "What does a repeat get after a 5xx?", _WHY)
    statuses: Documented[StatusExceptions] = fact("statuses", _Statuses(), (), "exceptions by status")


def _one_word(node: Node, path: Path, reading: Reading) -> StoredFailures:
    """One word stands for business rejections and server errors; what fails before execution is released."""
    failure = Words(StoredFailure).read(node, path, reading)
    before: Documented[StoredFailure] = NOT_DOCUMENTED if reading.observer else StoredFailure.RELEASE
    return StoredFailures(
        before_execution=before,
        business_rejection=failure,
        server_error=ServerErrors(before_effects=failure, after_effects=failure),
        statuses=NOT_DOCUMENTED if reading.observer else (),
    )


REPLAY: Record[Replay] = Record(Replay)
STORED_FAILURES: Record[StoredFailures] = Record(
    StoredFailures,
    scalar=_one_word,
    scalar_form=Words(StoredFailure).form,
    expected=f"{Words(StoredFailure).expected}, or a mapping by class of failure",
)
