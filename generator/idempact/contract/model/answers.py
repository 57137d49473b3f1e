"""Answers: what a request gets when its key is missing, malformed, reused, in flight, expired or unknown."""

from __future__ import annotations

import re
from enum import Enum, StrEnum

from idempact.contract import scalar_forms
from idempact.contract.form import NONE, Fields, Form, Items, OneOf, either
from idempact.contract.records import Kind, Record, Spec, advice, decision, fact, missing
from idempact.contract.shapes import (
    DURATION,
    LINE,
    POINTER,
    ListOf,
    OrNone,
    Parsed,
    Path,
    Reading,
    Refused,
    Shape,
    Words,
    dotted,
    refuse_word,
    word,
)
from idempact.contract.units import NOT_DOCUMENTED, Documented, Duration, NotDocumented
from idempact.resources.typed import Any, Final, TypeAlias
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Mapping, Node, Plain, resolve


class Verb(StrEnum):
    """What the server does with such a request."""

    REJECT = "reject"
    EXECUTE = "execute"
    IGNORE = "ignore"
    WAIT = "wait"
    ACCEPT = "accept"
    RESUME = "resume"


class ClientAction(StrEnum):
    """What the client does next."""

    WAIT_SAME_KEY = "wait-same-key"
    NEW_KEY = "new-key"
    FIX_REQUEST = "fix-request"
    STOP = "stop"
    ASK = "ask"


class Varies(Enum):
    """The wait differs from answer to answer."""

    WORD = "varies"


VARIES: Final = Varies.WORD
Wait: TypeAlias = Duration | Varies | None


class _Wait(Shape[Wait]):
    expected = "none, varies or a duration such as 1s"
    form = either(NONE, OneOf((VARIES.value,)), DURATION.form)
    writes_none = True

    def read(self, node: Node, path: Path, reading: Reading) -> Wait:
        text = word(node)
        if text in ("none", "varies"):
            return None if text == "none" else VARIES
        duration = DURATION.read(node, path, reading)
        if duration.ms % 1000:
            raise self.wrong(node, path, reading, "Retry-After counts whole seconds (RFC 9110, section 10.2.3)")
        return duration

    def write(self, value: Wait) -> Plain:
        return "none" if value is None else "varies" if value is VARIES else str(value)


def _one_status(text: str) -> int:
    if not re.match(r"[1-5][0-9]{2}\Z", text):
        raise ValueError("an answer has a status from 100 to 599, or a list of them as [409, 422], and no class")
    return int(text)


_ONE_STATUS: Shape[int] = Parsed(scalar_forms.ONE_STATUS, _one_status)


class _Statuses(Shape[tuple[int, ...]]):
    expected = "none, or a status such as 409, or a list of them"
    open = True
    form = either(NONE, Items(scalar_forms.ONE_STATUS, least=1, bare=True))

    def read(self, node: Node, path: Path, reading: Reading) -> tuple[int, ...]:
        if word(node) == "none":
            return ()
        return ListOf(_ONE_STATUS, bare=True, least=1).read(node, path, reading)

    def write(self, value: tuple[int, ...]) -> Plain:
        if not value:
            return "none"
        return value[0] if len(value) == 1 else list(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. Statuses are empty and the code is None where there is none; both may be not documented."""

    section = True

    answer: Documented[Verb] = fact("answer", Words(Verb), Verb.REJECT, "what the server does")
    status: Documented[tuple[int, ...]] = fact("status", _Statuses(), (), "the answer's status")
    code: Documented[str | None] = fact("code", OrNone(LINE), None, "the machine code")
    code_at: str | None = advice("code_at", OrNone(POINTER), None, "where the code stands, if elsewhere")
    retry_after: Documented[Wait] = fact("retry_after", _Wait(), None, "the Retry-After that comes with it")
    grpc: str | None = advice("grpc", OrNone(LINE), None, "the gRPC code")
    resource_at: str | None = advice("resource_at", OrNone(POINTER), None, "where the first result's id stands")
    client: ClientAction | None = advice("client", Words(ClientAction), None, "what the client does (by outcome)")
    at_most: Duration | None = advice("at_most", DURATION, None, "how long the server waits")
    status_url: str | None = advice("status_url", LINE, None, "where to ask for the result")


@dataclass(frozen=True)
class AnswerShape(Shape[Documented[Answer]]):
    """The answer to one outcome: its verbs (the first is the default) and, for a provider, its default answer."""

    outcome: str
    verbs: tuple[Verb, ...]
    refused: tuple[Refused, ...] = ()
    section: Any = None

    @property
    def expected(self) -> str:  # type: ignore[override]
        verbs = ", ".join(verb.value for verb in self.verbs)
        return f"a mapping with status and code ({{answer: …}} is one of {verbs})"

    @property
    def form(self) -> Form:  # type: ignore[override]
        return Fields(Answer, (("answer", OneOf(tuple(verb.value for verb in self.verbs))),))

    def read(self, node: Node, path: Path, reading: Reading) -> Answer:
        target = resolve(node)
        if not isinstance(target, Mapping):
            raise self.wrong(node, path, reading, hint=self._as_mapping(node))
        default = self.verbs[0]
        verb_given = target.entry("answer")
        if verb_given is not None:
            hint = f"write {' or '.join(verb.value for verb in self.verbs)}"
            refuse_word(self.refused, verb_given.value, (*path, "answer"), reading, hint)
        answer = Record(Answer, defaults={"answer": default}).read(node, path, reading)
        if target.entry("answer") is None:
            answer = _with_verb(answer, default)
        verb = answer.answer
        if isinstance(verb, Verb) and verb not in self.verbs:
            entry = target.entry("answer")
            allowed = " or ".join(v.value for v in self.verbs)
            reading.tell(
                "wrong-type",
                f"`{dotted(path)}.answer` can be {allowed}, not {verb.value!r}",
                entry.value if entry else node,
                (*path, "answer"),
                f"write {allowed}",
            )
            reading.unread.add((*path, "answer"))
            return _with_verb(answer, default)
        self._needs(answer, target, path, reading)
        return _going_on(answer)

    def _as_mapping(self, node: Node) -> str:
        """What the author of a bare word or number may have meant."""
        text = word(node) or ""
        if text in {verb.value for verb in self.verbs}:
            return f"write {{answer: {text}}}"
        return f"write {{status: {text if text.isdecimal() else '…'}, code: …}}"

    def _needs(self, answer: Answer, target: Mapping, path: Path, reading: Reading) -> None:
        needed: tuple[str, ...] = ()
        if answer.answer is Verb.REJECT and self.outcome != "stale":
            needed = ("status", "code")
        elif answer.answer is Verb.WAIT:
            needed = ("at_most", "status", "code")
        elif answer.answer is Verb.ACCEPT:
            needed = ("status_url",)
        for key in needed:
            if target.entry(key) is None and not reading.observer:
                missing(_NEEDED[key], target, (*path, key), reading)

    def write(self, value: Documented[Answer]) -> Plain:
        if isinstance(value, NotDocumented):
            return value.value
        plain = Record(Answer).write(value)
        assert isinstance(plain, dict)
        silent = ("code_at", "grpc", "resource_at")
        out: dict[str, Plain] = {k: v for k, v in plain.items() if k not in silent or getattr(value, k) is not None}
        rejects = value.answer in (Verb.REJECT, Verb.WAIT, Verb.ACCEPT) or isinstance(value.answer, NotDocumented)
        if not rejects:
            for key, nothing in (("status", ()), ("code", None), ("retry_after", None)):
                if getattr(value, key) == nothing:
                    out.pop(key, None)
        return out


def _going_on(answer: Answer) -> Answer:
    """Where the request simply goes on, there is no answer of which something could be left open."""
    if answer.answer not in (Verb.EXECUTE, Verb.IGNORE, Verb.RESUME):
        return answer
    return replace(
        answer,
        status=() if isinstance(answer.status, NotDocumented) else answer.status,
        code=None if isinstance(answer.code, NotDocumented) else answer.code,
        retry_after=None if isinstance(answer.retry_after, NotDocumented) else answer.retry_after,
    )


def _with_verb(answer: Answer, verb: Verb) -> Answer:
    return replace(answer, answer=verb)


def _needed(key: str, shape: Shape[Any], question: str, why: str) -> Spec:
    return Spec(key, shape, Kind.DECISION, None, question, question, why)


_NEEDED = {
    spec.key: spec
    for spec in (
        _needed("status", _Statuses(), "Which status does it have?", "Loops and OpenAPI need it."),
        _needed("code", OrNone(LINE), "Which machine code does it carry?", "Clients branch on it, not on the message."),
        _needed("at_most", DURATION, "How long does the server wait?", "The caller's attempt timeout must be longer."),
        _needed("status_url", LINE, "Where does the caller ask?", "A 202 without an address hides the outcome."),
    )
}


def _answer(status: int, code: str, retry_after: str | None = None) -> Answer:
    wait = Duration.parse(retry_after) if retry_after else None
    return Answer(answer=Verb.REJECT, status=(status,), code=code, retry_after=wait)


_REFUSED_MISMATCH = (
    ("replay", "refused-answer", "its caller is told that a request was done which never ran"),
    ("ignore", "refused-answer", "its caller is told that a request was done which never ran"),
)
_NO_STATE = "without a state for a request that still runs, a retry during the first run has a second effect"
_REFUSED_IN_FLIGHT = (("execute", "refused-answer", _NO_STATE), ("ignore", "refused-answer", _NO_STATE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a request gets, in the order in which the server checks; a mismatch wins over in flight."""

    section = True

    unsupported_key: Documented[Answer] = fact(
        "unsupported_key",
        AnswerShape("unsupported_key", (Verb.IGNORE, Verb.REJECT)),
        Answer(answer=Verb.IGNORE),
        "a key where no key is supported",
    )
    malformed_key: Documented[Answer] = fact(
        "malformed_key",
        AnswerShape("malformed_key", (Verb.REJECT,)),
        _answer(400, "idempotency_key_invalid"),
        "a key that the server can't accept",
    )
    missing_key: Documented[Answer] = fact(
        "missing_key",
        AnswerShape("missing_key", (Verb.REJECT,)),
        _answer(400, "idempotency_key_missing"),
        "no key where one is required",
    )
    store_unavailable: Documented[Answer] = fact(
        "store_unavailable",
        AnswerShape("store_unavailable", (Verb.REJECT, Verb.EXECUTE)),
        _answer(503, "idempotency_unavailable", "2s"),
        "the server can't look the key up",
    )
    expired_key: Documented[Answer] = decision(
        "expired_key",
        AnswerShape("expired_key", (Verb.REJECT, Verb.EXECUTE)),
        "What does a key get that is older than the replay window: execute or reject?",
        "A late retry then either runs a second time or is told so.",
    )
    mismatch: Documented[Answer | None] = decision(
        "mismatch",
        AnswerShape("mismatch", (Verb.REJECT, Verb.EXECUTE), _REFUSED_MISMATCH),
        "What does a known key with another content get?",
        "Replayed in silence, the caller believes that a request was done that never ran.",
    )
    in_flight: Documented[Answer] = decision(
        "in_flight",
        AnswerShape("in_flight", (Verb.REJECT, Verb.WAIT, Verb.ACCEPT), _REFUSED_IN_FLIGHT),
        "What does a repeat get while the first request still runs?",
        "It is the one moment in which two requests with one key can both run.",
    )
    stale: Documented[Answer] = fact(
        "stale",
        AnswerShape("stale", (Verb.RESUME, Verb.EXECUTE, Verb.REJECT)),
        Answer(answer=Verb.RESUME),
        "a repeat past the lease of a run that died",
    )
    unknown_outcome: Documented[Answer] = fact(
        "unknown_outcome",
        AnswerShape("unknown_outcome", (Verb.REJECT,)),
        _answer(409, "idempotency_outcome_unknown"),
        "nobody knows yet whether the first run took effect",
    )
    previous_failure: Documented[Answer | None] = advice(
        "previous_failure", AnswerShape("previous_failure", (Verb.REJECT,)), None, "a key that a failure has spent"
    )
    completed: Documented[Answer | None] = advice(
        "completed", AnswerShape("completed", (Verb.REJECT,)), None, "a repeat where a replay is an error"
    )

    def each(self) -> tuple[tuple[str, Documented[Answer]], ...]:
        """Outcome and answer of every answer that there is, in the order of checking."""
        pairs = ((name, getattr(self, name)) for name in ORDER)
        return tuple((name, answer) for name, answer in pairs if answer is not None)


ORDER: Final = (
    "unsupported_key",
    "malformed_key",
    "missing_key",
    "store_unavailable",
    "expired_key",
    "mismatch",
    "previous_failure",
    "completed",
    "in_flight",
    "stale",
    "unknown_outcome",
)


class _Answers(Record[Answers]):
    """The answers' mapping; whether `mismatch` may be left out depends on the fingerprint, which a rule checks."""

    optional = ("mismatch",)

    def _left_out(self, spec: Spec, target: Mapping, place: Path, reading: Reading) -> Any:
        if spec.key in self.optional:
            return NOT_DOCUMENTED if reading.observer else None
        return super()._left_out(spec, target, place, reading)


ANSWERS: Record[Answers] = _Answers(Answers)
