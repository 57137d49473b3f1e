"""Phrases: single facts as messages, for every place that tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from idempact.contract.model.answers import Verb
from idempact.contract.model.contract import Settings
from idempact.contract.model.errors import Errors
from idempact.contract.model.key import Fingerprint, Key, KeyFormat, Pattern, Quoted, RequiredWhen
from idempact.contract.model.replay import Fidelity, Indicator, OriginalStatus, Replay, StoredFailure, StoredFailures
from idempact.contract.model.windows import Exactly, Forever
from idempact.contract.units import Documented, Duration, NotDocumented
from idempact.facts.loop import LoopFacts
from idempact.facts.messages import Message, message
from idempact.facts.outcomes import Outcome
from idempact.facts.promises import counted_from, scope_part, window
from idempact.facts.verdicts import Result, ResultKind
from idempact.facts.window_phrases import UNKNOWN, start
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.dataclass import dataclass

if TYPE_CHECKING:
    from idempact.facts.derive import Facts, Profile


@dataclass(frozen=True, slots=True)
class Row:
    """One fact for a table: its name, what it says, and the contract's field that it comes from."""

    name: Message
    value: Message
    at: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a fact says for some operations, by their keys in the contract; without any, for all of them."""

    value: Message
    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """One fact of the table that speaks of the whole API: its name, and each value that it has somewhere."""

    name: Message
    said: tuple[Said, ...]


def carrier(key: Key) -> Message:
    """How the key travels."""
    if isinstance(key.name, NotDocumented):
        return UNKNOWN
    return message(f"carrier.{key.carrier.value}", name=key.name)


def required(key: Key) -> Message:
    """Whether a key is required."""
    match key.required:
        case NotDocumented():
            return UNKNOWN
        case RequiredWhen():
            return message("required.when", when=key.required.when)
        case True:
            return message("required.yes")
        case False:
            return message("required.no")


def key_format(key: Key) -> Message:
    """What the server accepts."""
    match key.format:
        case NotDocumented():
            return UNKNOWN
        case Pattern():
            return message("format.pattern", pattern=key.format.pattern)
        case KeyFormat():
            return message(f"format.{key.format.value}")


def length(key: Key) -> Message:
    """How long a key may be."""
    if isinstance(key.length, NotDocumented):
        return UNKNOWN
    unit = message(f"length.{key.length.unit.value}")
    if key.length.min == key.length.max:
        return message("length.fixed", size=key.length.max, unit=unit)
    return message("length.between", least=key.length.min, most=key.length.max, unit=unit)


def quoted(key: Key) -> Message:
    """Whether the key stands in quotes."""
    if isinstance(key.quoted, NotDocumented):
        return UNKNOWN
    return message({Quoted.NO: "quoted.no", Quoted.YES: "quoted.yes", Quoted.EITHER: "quoted.either"}[key.quoted])


def scope(settings: Settings) -> Message:
    """What a key is unique within, as a list."""
    if isinstance(settings.scope, NotDocumented):
        return UNKNOWN
    return message("scope.list", parts=tuple(scope_part(part) for part in settings.scope))


def fingerprint(value: Fingerprint | None) -> tuple[Message, ...]:
    """What makes a second request the same one: the body, then headers that count and members that don't."""
    if value is None:
        return (message("fingerprint.none"),)
    body = UNKNOWN if isinstance(value.body, NotDocumented) else message(f"fingerprint.{value.body.value}")
    out = [body if body is not UNKNOWN else message("fingerprint.not-documented")]
    if not isinstance(value.headers, NotDocumented) and value.headers:
        out.append(message("fingerprint.headers", headers=value.headers))
    if not isinstance(value.ignores, NotDocumented) and value.ignores:
        out.append(message("fingerprint.ignores", members=value.ignores))
    return tuple(out)


def replay_form(replay: Replay) -> tuple[Message, ...]:
    """What a replay looks like: fidelity, status, headers, what it omits, how it says that it is one."""
    out = [message(f"fidelity.{replay.fidelity}")]
    if replay.fidelity is Fidelity.ERROR:
        return tuple(out)
    if isinstance(replay.status, int):
        out.append(message("replay.status", status=replay.status))
    elif replay.status is OriginalStatus.ORIGINAL:
        out.append(message("replay.original-status"))
    if not isinstance(replay.headers, NotDocumented) and replay.headers:
        out.append(message("replay.headers", headers=replay.headers))
    if not isinstance(replay.omits, NotDocumented) and replay.omits:
        out.append(message("replay.omits", members=replay.omits))
    out.append(indicator(replay.indicator))
    return tuple(out)


def indicator(value: Documented[Indicator | None]) -> Message:
    """How a replay says that it is one."""
    match value:
        case NotDocumented():
            return message("indicator.not-documented")
        case None:
            return message("indicator.none")
        case Indicator():
            return message(f"indicator.{value.carrier.value}", name=value.name, value=value.value)


def failure(value: Documented[StoredFailure]) -> Message:
    """What a repeat gets after one class of failure."""
    return message(f"failure.{value}")


def status_and_code(outcome: Outcome) -> Message:
    """An answer's status and machine code, as far as there are any."""
    statuses = _statuses(outcome)
    code = outcome.known_code
    if statuses and code:
        return message("answer.status-and-code", statuses=statuses, code=code)
    if statuses:
        return message("answer.status", statuses=statuses)
    return message("answer.code", code=code) if code else message("answer.unknown-form")


def _statuses(outcome: Outcome) -> Message | None:
    """The statuses of which an answer has one, that of gRPC last; None without any."""
    told = (*map(str, outcome.statuses), *((f"gRPC {outcome.grpc}",) if outcome.grpc else ()))
    either: Message | None = None
    for status in told:
        one = message("answer.one", status=status)
        either = message("answer.or", first=either, last=one) if either else one
    return either


def wait(outcome: Outcome) -> Message | None:
    """The Retry-After that comes with an answer, if any."""
    if outcome.retry_after_s is not None:
        return message("wait.seconds", seconds=Duration(outcome.retry_after_s * 1000))
    return message("wait.varies") if outcome.waits else None


def verdict(result: Result) -> Message:
    """What a request gets, in words."""
    match result.kind:
        case ResultKind.REPLAY:
            return message("verdict.replay", result=message(f"result.{result.fidelity}"))
        case ResultKind.ANSWER if result.outcome is not None:
            if result.outcome.verb is Verb.ACCEPT and result.outcome.status_url:
                form = status_and_code(result.outcome)
                return message("verdict.accept-at", form=form, url=result.outcome.status_url)
            key = "verdict.accept" if result.outcome.verb is Verb.ACCEPT else "verdict.answer"
            return message(key, form=status_and_code(result.outcome), name=message(f"answer.{result.outcome.name}"))
        case ResultKind.WAIT if result.outcome is not None and result.outcome.at_most is not None:
            return message("verdict.wait", most=result.outcome.at_most, form=status_and_code(result.outcome))
        case _:
            return message(f"verdict.{result.kind.value}")


def at_a_glance(settings: Settings, loop: LoopFacts, answers: Iterable[Outcome]) -> tuple[Row, ...]:
    """The facts that an integrator looks up most often."""
    by_name = {outcome.name: outcome for outcome in answers}
    rows = [
        Row(message("glance.key"), carrier(settings.key), "key.name"),
        Row(message("glance.required"), required(settings.key), "key.required"),
        Row(message("glance.length"), length(settings.key), "key.length"),
        Row(message("glance.scope"), scope(settings), "scope"),
        Row(message("glance.window"), window(settings.windows.replay), "windows.replay"),
    ]
    if not isinstance(settings.windows.replay, Forever):
        rows.append(Row(message("glance.start"), start(settings.windows), "windows.counted_from"))
        rows.append(Row(message("glance.expired"), expired(settings), "answers.expired_key"))
    for name in ("mismatch", "in_flight", "unknown_outcome"):
        if name in by_name:
            rows.append(Row(message(f"glance.{name}"), status_and_code(by_name[name]), f"answers.{name}"))
    rows += [
        Row(message("glance.attempts"), message("count", n=loop.max_attempts), "retry.max_attempts"),
        Row(message("glance.deadline"), message("window.exactly", value=Duration(loop.deadline_ms)), "retry.deadline"),
    ]
    return tuple(rows)


def expired(settings: Settings) -> Message:
    """What a key past its window gets; where the window's end is open, that is so only some day."""
    answer = settings.answers.expired_key
    if isinstance(answer, NotDocumented) or isinstance(answer.answer, NotDocumented):
        return UNKNOWN
    certain = isinstance(settings.windows.replay, Exactly)
    verb = "reject" if answer.answer is Verb.REJECT else "execute"
    return message(f"expired.{verb}" if certain else f"expired.{verb}-some-day")


def glance(facts: Facts) -> tuple[Glance, ...]:
    """The facts that an integrator looks up most often; where operations differ, each value with those that have it."""
    rows = gathered(facts, _looked_up)
    version = facts.contract.api.version
    if not isinstance(version, str):
        return rows
    return (Glance(message("glance.version"), (Said(message("version", version=version), ()),)), *rows)


def _looked_up(profile: Profile) -> Iterator[tuple[Message, Message]]:
    for row in at_a_glance(profile.settings, profile.loop, profile.outcomes):
        yield row.name, row.value


def gathered(facts: Facts, tell: Callable[[Profile], Iterable[tuple[Message, Message]]]) -> tuple[Glance, ...]:
    """What *tell* says of each profile, as names and values: by name, each value with the operations that have it.

    The names keep the order in which a profile tells them.
    """
    names: dict[Message, dict[Message, list[str]]] = {}
    order: list[Message] = []
    for profile in facts.profiles:
        place = 0
        for name, value in tell(profile):
            if name not in names:
                order.insert(place, name)
            place = order.index(name) + 1
            names.setdefault(name, {}).setdefault(value, []).extend(profile.operations)
    return tuple(Glance(name, _said(names[name], facts)) for name in order)


def _said(values: Mapping[Message, list[str]], facts: Facts) -> tuple[Said, ...]:
    """Each value with its operations; without them where all have the same."""
    everywhere = sum(len(profile.operations) for profile in facts.profiles)
    return tuple(Said(v, () if len(names) == everywhere else tuple(names)) for v, names in values.items())


def where(facts: Facts) -> Message:
    """How the key travels, in one phrase for the whole API."""
    ways = {carrier(profile.settings.key) for profile in facts.profiles}
    return ways.pop() if len(ways) == 1 else message("carrier.differs")


def sending(facts: Facts) -> Message:
    """That the key goes with each attempt, and how, where that is known."""
    way = where(facts)
    return message("home.step.send-somehow") if way == UNKNOWN else message("home.step.send", carrier=way)


def unknown_answers(facts: Facts) -> tuple[Said, ...]:
    """How an outcome that nobody knows is answered, where it is answered at all."""
    found = gathered(facts, _unknown_answer)
    return found[0].said if found else ()


def _unknown_answer(profile: Profile) -> Iterator[tuple[Message, Message]]:
    outcome = profile.outcome("unknown_outcome")
    if outcome is not None:
        yield message("glance.unknown_outcome"), status_and_code(outcome)


def limits(facts: Facts) -> Message:
    """How often and how long a client repeats, in one phrase for the whole API."""
    found = {(profile.loop.max_attempts, profile.loop.deadline_ms) for profile in facts.profiles}
    if len(found) > 1:
        return message("limits.differ")
    attempts, deadline = found.pop()
    return message("limits", attempts=attempts, deadline=Duration(deadline))


def other_carriers(key: Key) -> tuple[Message, ...]:
    """The other ways in which the key may travel."""
    if isinstance(key.also, NotDocumented):
        return ()
    return tuple(message(f"carrier.{other.carrier.value}", name=other.name) for other in key.also)


def first_sent(key: Key) -> Message | None:
    """Where each attempt repeats the time of the first one, if anywhere."""
    if isinstance(key.first_sent, NotDocumented) or key.first_sent is None:
        return None
    return message(f"first-sent.{key.first_sent.carrier.value}", name=key.first_sent.name)


def scope_sentence(settings: Settings) -> Message:
    """What a key is unique within, as a sentence."""
    if isinstance(settings.scope, NotDocumented):
        return message("scope.sentence-unknown")
    return message("scope.sentence", parts=tuple(scope_part(part) for part in settings.scope))


def code_place(errors: Errors) -> Message:
    """Where the machine code stands in an error's body."""
    if isinstance(errors.code_at, NotDocumented):
        return message("code-at.not-documented")
    if errors.code_at is None:
        return message("code-at.none")
    if isinstance(errors.media_type, NotDocumented):
        return message("code-at", pointer=errors.code_at)
    return message("code-at.in", pointer=errors.code_at, media_type=errors.media_type)


def silent_outcomes(facts: Facts) -> tuple[Outcome, ...]:
    """The answers without a machine code, over all profiles."""
    found = (o for profile in facts.profiles for o in profile.outcomes if o.known_code is None)
    return tuple(dict.fromkeys(found))


def exceptions(failures: StoredFailures) -> tuple[tuple[str, StoredFailure], ...]:
    """The statuses that are treated apart."""
    if isinstance(failures.statuses, NotDocumented):
        return ()
    return tuple((str(status), word) for status, word in failures.statuses)


def contact(facts: Facts) -> str | None:
    """Where to ask; None where no address is documented."""
    address = facts.contract.api.contact
    return None if isinstance(address, NotDocumented) else address


__all__ = ["counted_from", "window"]
