"""Retry: the advice to callers. Every field has a default, so that advice is never missing."""

from __future__ import annotations

from enum import StrEnum

from idempact.contract.form import Fields, OneOf, Scalar, either
from idempact.contract.records import Record, advice, part
from idempact.contract.refusing import Refusing
from idempact.contract.shapes import (
    DURATION,
    HEADER,
    LINE,
    SHARE,
    STATUS,
    Count,
    ListOf,
    Number,
    OrNone,
    Parsed,
    Path,
    Reading,
    Shape,
    Words,
    said,
)
from idempact.contract.units import Duration, Share, Status
from idempact.resources.typed import TypeAlias
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Mapping, Node, Plain, resolve


def _d(text: str) -> Duration:
    return Duration.parse(text)


class Transport(StrEnum):
    """A fault without an answer: certainly nothing was sent, or perhaps it was."""

    NOT_SENT = "not-sent"
    NO_ANSWER = "no-answer"


class JitterKind(StrEnum):
    """The two kinds of jitter that spread a fleet's retries (Brooker, AWS Architecture Blog, 2015)."""

    FULL = "full"
    DECORRELATED = "decorrelated"


_SPREAD = "half or more of each wait is the same for every caller, so a fleet's retries arrive together"
_REFUSED_JITTER = (
    ("equal", "refused-jitter", _SPREAD),
    ("additive", "refused-jitter", _SPREAD),
    ("none", "refused-jitter", "without jitter all callers that failed together come back together"),
)


class RetryAfterCarrier(StrEnum):
    """Where the server says how long to wait."""

    HEADER = "header"
    BODY = "body"


class HintCarrier(StrEnum):
    """Where the server says whether to retry."""

    HEADER = "header"
    BODY = "body"


class WaitUnit(StrEnum):
    """The unit of a wait told in a body."""

    SECONDS = "s"
    MILLISECONDS = "ms"


class BudgetKind(StrEnum):
    """How a process limits its retries."""

    TOKEN_BUCKET = "token-bucket"
    RATIO = "ratio"


class DeadlineFormat(StrEnum):
    """How the time left is written."""

    MS_LEFT = "ms-left"
    SECONDS_LEFT = "seconds-left"
    HTTP_DATE = "http-date"


_ANEW = "a deadline that starts anew with each attempt never ends the loop; attempt_timeout bounds one attempt"
_REFUSED_DEADLINES = (
    ("none", "refused-deadline", "attempts and waits add up while the caller's own caller has long given up"),
    ("per-attempt", "refused-deadline", _ANEW),
    ("each-attempt", "refused-deadline", _ANEW),
)

Statuses: TypeAlias = tuple[Status, ...]
_STATUSES = ListOf(STATUS, bare=True)
_CODES = ListOf(LINE, bare=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttled:
    """The server had too much to do and did nothing."""

    statuses: Statuses = advice("statuses", _STATUSES, (429,), "statuses")
    codes: tuple[str, ...] = advice("codes", _CODES, (), "codes of the API itself, which decide before the status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Transient:
    """A fault that is likely to pass; whether the request took effect is open."""

    statuses: Statuses = advice("statuses", _STATUSES, (502, 503, 504), "statuses")
    codes: tuple[str, ...] = advice("codes", _CODES, (), "codes of the API itself")
    transport: tuple[Transport, ...] = advice(
        "transport", ListOf(Words(Transport)), (Transport.NOT_SENT, Transport.NO_ANSWER), "faults without an answer"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cautious:
    """A fault that may be a bug: retried a few times only."""

    statuses: Statuses = advice("statuses", _STATUSES, (500,), "statuses")
    codes: tuple[str, ...] = advice("codes", _CODES, (), "codes of the API itself")
    retries: int = advice("retries", Count(0, 10), 1, "how often at most (0 where server errors are replayed)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """Codes that end the loop though their status would not."""

    codes: tuple[str, ...] = advice("codes", _CODES, (), "codes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How the wait before each retry is drawn."""

    jitter: JitterKind = advice("jitter", Words(JitterKind, _REFUSED_JITTER), JitterKind.FULL, "the kind of jitter")
    base: Duration = advice("base", DURATION, _d("1s"), "the first window")
    factor: float = advice("factor", Number(), 2.0, "by which the window grows (not with decorrelated)")
    cap: Duration = advice("cap", DURATION, _d("30s"), "the largest window")


class _Backoff(Record[Backoff]):
    """The backoff's mapping; decorrelated jitter has no factor."""

    def read(self, node: Node, path: Path, reading: Reading) -> Backoff:
        backoff = super().read(node, path, reading)
        target = resolve(node)
        if isinstance(target, Mapping):
            given = target.entry("factor")
            if given and backoff.jitter is JitterKind.DECORRELATED:
                reading.tell(
                    "factor-with-decorrelated",
                    "decorrelated jitter has no factor: each wait is drawn from base to three times the last one",
                    given.key,
                    (*path, "factor"),
                    "remove factor, or write jitter: full",
                )
        return replace(backoff, factor=2.0) if backoff.jitter is JitterKind.DECORRELATED else backoff

    def write(self, value: Backoff) -> Plain:
        out = super().write(value)
        if isinstance(out, dict) and value.jitter is JitterKind.DECORRELATED:
            out.pop("factor")
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryAfter:
    """Where the server says how long to wait: a floor for the next wait."""

    carrier: RetryAfterCarrier = advice("in", Words(RetryAfterCarrier), RetryAfterCarrier.HEADER, "where it stands")
    name: str = advice("name", LINE, "Retry-After", "header name or JSON Pointer")
    unit: WaitUnit = advice("unit", Words(WaitUnit), WaitUnit.SECONDS, "its unit in a body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A word by which the server says whether to retry; it never overrules a mismatch."""

    carrier: HintCarrier = part("in", Words(HintCarrier), "where it stands")
    name: str = part("name", LINE, "header name or JSON Pointer")
    retry: tuple[str, ...] = part("retry", ListOf(LINE, bare=True, least=1), "values that say: retry")
    stop: tuple[str, ...] = part("stop", ListOf(LINE, bare=True, least=1), "values that say: stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a retry takes from the budget, in tokens."""

    transient: int = advice("transient", Count(0), 14, "a transient or cautious one, or a fault without an answer")
    throttled: int = advice("throttled", Count(0), 5, "a throttled one")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenBucket:
    """A bucket of tokens per process (AWS SDKs' standard mode counts so)."""

    kind: BudgetKind = advice("kind", Words(BudgetKind), BudgetKind.TOKEN_BUCKET, "token-bucket")
    capacity: int = advice("capacity", Count(1), 500, "tokens in a full bucket")
    cost: Cost = advice("cost", Record(Cost), Cost(), "what a retry takes")
    refund: int = advice("refund", Count(0), 1, "what a success gives back")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A share of the calls that may be retries (Finagle's retry budget counts so)."""

    kind: BudgetKind = advice("kind", Words(BudgetKind), BudgetKind.RATIO, "ratio")
    share: Share = advice("share", SHARE, Share(10.0), "of the calls in the window")
    within: Duration = advice("within", DURATION, _d("10s"), "the window")
    min_per_second: int = advice("min_per_second", Count(0), 3, "always allowed")


RetryBudget: TypeAlias = TokenBucket | Ratio


_TOKENS, _RATIO = OneOf((BudgetKind.TOKEN_BUCKET.value,)), OneOf((BudgetKind.RATIO.value,))


class _Budget(Shape[RetryBudget]):
    expected = "none, {kind: token-bucket, …} or {kind: ratio, …}"
    form = either(Fields(TokenBucket, (("kind", _TOKENS),)), Fields(Ratio, (("kind", _RATIO),), needs=("kind",)))
    records = (TokenBucket, Ratio)

    def read(self, node: Node, path: Path, reading: Reading) -> RetryBudget:
        target = resolve(node)
        if not isinstance(target, Mapping):
            raise self.wrong(node, path, reading)
        kind = target.entry("kind")
        if kind is None or said(kind.value) == BudgetKind.TOKEN_BUCKET:
            return Record(TokenBucket).read(node, path, reading)
        if said(kind.value) == BudgetKind.RATIO:
            return Record(Ratio).read(node, path, reading)
        Words(BudgetKind).read(kind.value, (*path, "kind"), reading)
        raise self.wrong(node, path, reading)

    def write(self, value: RetryBudget) -> Plain:
        return Record(TokenBucket).write(value) if isinstance(value, TokenBucket) else Record(Ratio).write(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineHeader:
    """A header by which the caller tells the server how much time is left."""

    name: str = part("name", HEADER, "the header")
    format: DeadlineFormat = part("format", Words(DeadlineFormat), "how the time is written")


GRPC_CODES = (
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
)
"""The statuses of gRPC but OK, in the order of their numbers, from 1 (grpc/doc/statuscodes.md)."""


_GRPC_CODE = Scalar("a gRPC code such as UNAVAILABLE", "|".join(GRPC_CODES), ("UNAVAILABLE",))


def _grpc_code(text: str) -> str:
    if text not in GRPC_CODES:
        raise ValueError(f"the codes are {', '.join(GRPC_CODES)}")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Grpc:
    """What a gRPC service config says (gRFC A6)."""

    codes: tuple[str, ...] = advice("codes", ListOf(Parsed(_GRPC_CODE, _grpc_code)), ("UNAVAILABLE",), "codes to retry")
    max_tokens: int = advice("max_tokens", Count(1, 1000), 10, "tokens of the retry throttle")
    token_ratio: float = advice("token_ratio", Number(), 0.1, "what a success gives back")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """When to repeat, how long to wait, and when to give up."""

    section = True

    throttled: Throttled = advice("throttled", Record(Throttled), Throttled(), "too much to do, nothing done")
    transient: Transient = advice("transient", Record(Transient), Transient(), "likely to pass")
    cautious: Cautious = advice("cautious", Record(Cautious), Cautious(), "may be a bug")
    final: Final = advice("final", Record(Final), Final(), "ends the loop")
    backoff: Backoff = advice("backoff", _Backoff(Backoff), Backoff(), "the wait before each retry")
    max_attempts: int = advice("max_attempts", Count(1, 100), 5, "attempts, the first one included")
    deadline: Duration = advice(
        "deadline", Refusing(DURATION, _REFUSED_DEADLINES), _d("75s"), "over all attempts and waits"
    )
    attempt_timeout: Duration = advice("attempt_timeout", DURATION, _d("10s"), "of one attempt, its body included")
    connect_timeout: Duration = advice("connect_timeout", DURATION, _d("2s"), "until the connection stands")
    p99: Duration | None = advice("p99", OrNone(DURATION), None, "the 99th percentile of answers, measured")
    least_wait: Duration = advice("least_wait", DURATION, _d("0s"), "as if every answer asked for it")
    retry_after: RetryAfter | None = advice(
        "retry_after", OrNone(Record(RetryAfter)), RetryAfter(), "where the server says how long to wait"
    )
    server_hint: Hint | None = advice("server_hint", OrNone(Record(Hint)), None, "where it says whether to retry")
    budget: RetryBudget | None = advice("budget", OrNone(_Budget()), TokenBucket(), "how a process limits retries")
    deadline_header: DeadlineHeader | None = advice(
        "deadline_header", OrNone(Record(DeadlineHeader)), None, "how the caller tells the time left"
    )
    grpc: Grpc | None = advice("grpc", OrNone(Record(Grpc)), None, "for gRPC clients")


RETRY: Record[Retry] = Record(Retry)
