"""What a retry loop needs to know: the retry advice of one profile as plain numbers and names."""

from __future__ import annotations

from enum import StrEnum

from idempact.text.dataclass import dataclass, field

LONG_RUN = 10
"""From how many neighbouring statuses on a loop names a range instead of each."""


class Jitter(StrEnum):
    """How the wait is drawn.

    Full: ``random(0, min(cap, base * factor^n))``, n from 0. Decorrelated: ``min(cap, random(base, 3 * previous))``.
    Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """

    FULL = "full"
    DECORRELATED = "decorrelated"


class RetryClass(StrEnum):
    """What a status, code or transport fault means to a loop."""

    THROTTLED = "throttled"
    TRANSIENT = "transient"
    CAUTIOUS = "cautious"
    FINAL = "final"
    IN_FLIGHT = "in-flight"
    MISMATCH = "mismatch"
    UNKNOWN_OUTCOME = "unknown-outcome"


CAREFUL_FIRST = (
    RetryClass.MISMATCH,
    RetryClass.FINAL,
    RetryClass.UNKNOWN_OUTCOME,
    RetryClass.CAUTIOUS,
    RetryClass.THROTTLED,
    RetryClass.TRANSIENT,
    RetryClass.IN_FLIGHT,
)
"""The classes from the one that does least to the one that repeats most readily: of two for one answer, the first."""


@dataclass(frozen=True, slots=True)
class CodeRule:
    """One machine code that decides before any status: ``code`` as it stands at ``pointer``, its statuses, its class.

    ``pointer`` leads into an error's body (RFC 6901); ``*`` in it steps over a list.
    """

    code: str
    statuses: tuple[int, ...]
    retry_class: RetryClass
    pointer: str

    @property
    def path(self) -> tuple[str, ...]:
        """The steps to where the code stands."""
        return pointer_steps(self.pointer)


@dataclass(frozen=True, slots=True)
class StatusRule:
    """One status and its class; what no rule names is final."""

    status: int
    retry_class: RetryClass


@dataclass(frozen=True, slots=True)
class GrpcRule:
    """One gRPC status (its name, as ABORTED) and its class; what no rule names is final."""

    code: str
    retry_class: RetryClass


@dataclass(frozen=True, slots=True)
class Budget:
    """A token bucket per process (kind ``token-bucket``): a retry takes its cost, a success refunds.

    For kind ``ratio``: at most ``share`` (0-1) of the calls within ``within_ms`` may be retries, and
    ``min_per_second`` always are allowed.
    """

    kind: str
    capacity: int = 0
    cost_transient: int = 0
    cost_throttled: int = 0
    refund: int = 0
    share: float = 0.0
    within_ms: int = 0
    min_per_second: int = 0


@dataclass(frozen=True, slots=True)
class ServerHint:
    """A header or body member by which the server says whether to retry, before any code (never against a mismatch)."""

    carrier: str
    name: str
    retry: tuple[str, ...]
    stop: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """Everything that a rendered retry loop contains. Times are whole milliseconds, names are as in the contract.

    ``key_template`` is how a key is made (``payment-{payment_attempt_id}``), none where it is random; ``key_example``
    is one key made so. ``natural`` says that the operation may be repeated without a key, and ``repeat_status`` is what
    its repeat then answers where that is no success (2xx): after an attempt that may have happened it counts as done.
    ``first_sent_name`` is where each attempt repeats the time of the first one, as an HTTP date. ``url_is_example``
    says that the contract does not hold the whole address. ``http`` is false where the API speaks gRPC alone: there are
    no HTTP statuses then, and ``grpc`` holds the statuses that decide where no code does.
    """

    api_name: str
    contact: str
    method: str
    url: str
    key_carrier: str
    key_name: str
    key_example: str
    key_quoted: bool
    body_example: str
    media_type: str
    statuses: tuple[StatusRule, ...]
    codes: tuple[CodeRule, ...]
    retry_not_sent: bool
    retry_no_answer: bool
    cautious_retries: int
    jitter: Jitter
    base_ms: int
    factor: float
    cap_ms: int
    max_attempts: int
    deadline_ms: int
    attempt_timeout_ms: int
    connect_timeout_ms: int
    least_wait_ms: int
    retry_after_carrier: str | None
    retry_after_name: str
    retry_after_unit: str
    hint: ServerHint | None
    budget: Budget | None
    deadline_header: str | None = None
    deadline_header_format: str = ""
    key_template: str | None = None
    natural: bool = False
    repeat_status: int | None = None
    first_sent_carrier: str | None = None
    first_sent_name: str = ""
    http: bool = True
    grpc: tuple[GrpcRule, ...] = ()
    url_is_example: bool = field(default=False, compare=False)

    def of_class(self, retry_class: RetryClass) -> tuple[int, ...]:
        """The statuses of one class, in order."""
        return tuple(rule.status for rule in self.statuses if rule.retry_class is retry_class)

    def codes_of(self, retry_class: RetryClass) -> tuple[str, ...]:
        """The machine codes of one class, in order."""
        return tuple(rule.code for rule in self.codes if rule.retry_class is retry_class)

    def grpc_of(self, retry_class: RetryClass) -> tuple[str, ...]:
        """The gRPC statuses of one class, in order."""
        return tuple(rule.code for rule in self.grpc if rule.retry_class is retry_class)

    @property
    def code_runs(self) -> tuple[tuple[tuple[str, ...], tuple[CodeRule, ...]], ...]:
        """The codes in the order in which a loop looks for them: the steps to a place, and the codes read there.

        One place is one run, in the contract's order. Of several places the careful codes come first, whichever place
        they stand at, since an answer can hold a code at each: a mismatch is never hidden by another code.
        """
        if len({rule.pointer for rule in self.codes}) <= 1:
            return ((self.codes[0].path, self.codes),) if self.codes else ()
        runs: list[tuple[tuple[str, ...], tuple[CodeRule, ...]]] = []
        for rule in sorted(self.codes, key=lambda rule: CAREFUL_FIRST.index(rule.retry_class)):
            if runs and runs[-1][0] == rule.path:
                runs[-1] = (rule.path, (*runs[-1][1], rule))
            else:
                runs.append((rule.path, (rule,)))
        return tuple(runs)

    @property
    def codes_in_successes(self) -> bool:
        """Whether a code also decides on a 2xx: in a 202, or as GraphQL answers its errors."""
        return any(200 <= status < 300 for rule in self.codes for status in rule.statuses)

    @property
    def first_sent_path(self) -> tuple[str, ...]:
        """The steps to the first attempt's time in the request's body; empty where another carrier holds it."""
        return pointer_steps(self.first_sent_name) if self.first_sent_carrier == "body" else ()

    @property
    def key_path(self) -> tuple[str, ...]:
        """The steps to the key in the request's body; empty where another carrier holds it."""
        return pointer_steps(self.key_name) if self.key_carrier == "body" else ()

    @property
    def retry_after_path(self) -> tuple[str, ...]:
        """The steps to the wait in an answer's body; empty where a header or nothing tells it."""
        return pointer_steps(self.retry_after_name) if self.retry_after_carrier == "body" else ()

    @property
    def hint_path(self) -> tuple[str, ...]:
        """The steps to the server's hint in an answer's body; empty where a header or nothing tells it."""
        return pointer_steps(self.hint.name) if self.hint and self.hint.carrier == "body" else ()

    @property
    def windows_ms(self) -> tuple[int, ...]:
        """The greatest wait before each retry under full jitter: ``min(cap, base * factor^n)``, n from 0.

        Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
        """
        windows: list[int] = []
        window = float(self.base_ms)
        for _ in range(self.max_attempts - 1):
            windows.append(int(min(self.cap_ms, window)))
            window = min(float(self.cap_ms), window * self.factor)
        return tuple(windows)

    @property
    def steps_into_lists(self) -> bool:
        """Whether a pointer into an answer leads through a list: by ``*``, or by a number."""
        codes = (step for rule in self.codes for step in rule.path)
        steps = (*codes, *self.retry_after_path, *self.hint_path)
        return any(step == "*" or step.isdecimal() for step in steps)

    @property
    def status_runs(self) -> tuple[tuple[int, int, RetryClass], ...]:
        """Long runs of statuses with one class, as a contract's ``5xx`` makes them: the first, the last, the class."""
        runs: list[tuple[int, int, RetryClass]] = []
        for rule in sorted(self.statuses, key=lambda rule: rule.status):
            if runs and runs[-1][1] == rule.status - 1 and runs[-1][2] is rule.retry_class:
                runs[-1] = (runs[-1][0], rule.status, rule.retry_class)
            else:
                runs.append((rule.status, rule.status, rule.retry_class))
        return tuple(run for run in runs if run[1] - run[0] >= LONG_RUN)

    @property
    def single_statuses(self) -> tuple[StatusRule, ...]:
        """The statuses outside of the long runs."""
        return tuple(
            rule
            for rule in self.statuses
            if not any(first <= rule.status <= last for first, last, _ in self.status_runs)
        )


def pointer_steps(name: str) -> tuple[str, ...]:
    """The steps of a JSON Pointer (RFC 6901, 3-4); a name without a leading slash is one step."""
    if not name.startswith("/"):
        return (name,) if name else ()
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in name[1:].split("/"))
