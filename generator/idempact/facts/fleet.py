"""A fleet of callers that follow one loop's rules, simulated: what jitter does to a herd, and a budget in an outage.

After Marc Brooker: "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015) lets many callers contend that
failed together; "Fixing retries with token buckets and circuit breakers" (2022) counts the load that retries add while
calls fail. Both runs are pure and seeded: they draw from ``random.Random(seed).random()`` alone, whose numbers are the
same on every version of Python, and count in whole microseconds. An attempt is answered at once, and no answer asks
for a wait.
"""

from __future__ import annotations

from collections import Counter, deque
from functools import lru_cache
from heapq import heapify, heappop, heappush
from random import Random

from idempact.contract.model.retry import Backoff, JitterKind
from idempact.contract.units import Duration
from idempact.contract.waits import window_ms
from idempact.facts.derive import Facts, LoopGroup
from idempact.facts.loop import Budget, LoopFacts, RetryClass
from idempact.facts.messages import Message, message
from idempact.text.dataclass import dataclass, field

SEED = 2015
CLIENTS = 100
"""Calls that fail together in the herd; each is its caller's only one."""
PROCESSES = 20
"""Processes of the outage, each with a budget of its own."""
CALLS = 100
"""Calls that each process starts in a time as long as the outage."""
HEADROOM = 2
"""How often the usual load goes into what the server takes outside the outage."""
_STEPS = 5
_TENTHS = 10
_STRETCHES = 10
_BEFORE, _WITHIN, _AFTER = 1, 5, 6
_US = 1000


@dataclass(frozen=True, slots=True)
class Run:
    """What one run counted.

    ``load`` holds one number for each stretch of time: in the herd the most attempts within one step, in the outage
    all attempts. ``added`` are the retries of all calls, ``refused`` the attempts beyond what the server takes. Of the
    calls that began while the server was down, so many were ``answered`` and ``given_up``; ``last_ms`` is when the last
    answer came, 0 without one.
    """

    load: tuple[int, ...]
    added: int
    answered: int
    refused: int
    given_up: int
    last_ms: int

    @property
    def peak(self) -> int:
        """The greatest load of any stretch."""
        return max(self.load)


@dataclass(frozen=True, slots=True)
class Row:
    """One stretch of time, and the load of both runs in it."""

    when: Message
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Herd:
    """Calls that fail at one moment and retry: each wait at its longest, and drawn with the loop's jitter.

    The server takes ``capacity`` attempts within each step and refuses the others. Times are milliseconds since the
    failure; stretch number n, from 0, ends at ``(n + 1) * stretch_ms``.
    """

    clients: int
    capacity: int
    step_ms: int
    stretch_ms: int
    plain: Run
    jittered: Run

    @property
    def rows(self) -> tuple[Row, ...]:
        """Both runs' load by time."""
        loads = enumerate(zip(self.plain.load, self.jittered.load, strict=True), 1)
        return tuple(
            Row(message("fleet.when.end", end=Duration(number * self.stretch_ms)), *both) for number, both in loads
        )


@dataclass(frozen=True, slots=True)
class Outage:
    """Processes that call before, during and after an outage, without a budget and with the loop's own.

    It begins at 0 milliseconds and lasts ``lasts_ms``: then every attempt fails. Otherwise the server takes
    ``capacity`` attempts within each stretch. ``calls`` began in the outage, ``usual`` in a stretch on average; the
    first stretch begins at ``begins_ms``.
    """

    processes: int
    calls: int
    usual: int
    capacity: int
    lasts_ms: int
    begins_ms: int
    stretch_ms: int
    without: Run
    budgeted: Run

    @property
    def rows(self) -> tuple[Row, ...]:
        """Both runs' load by time."""
        loads = enumerate(zip(self.without.load, self.budgeted.load, strict=True), 1)
        return tuple(Row(self._when(self.begins_ms + number * self.stretch_ms), *both) for number, both in loads)

    def _when(self, ends_ms: int) -> Message:
        if ends_ms <= 0:
            return message("fleet.when.before", length=Duration(self.stretch_ms))
        return message(f"fleet.when.{'within' if ends_ms <= self.lasts_ms else 'after'}", end=Duration(ends_ms))


@dataclass(frozen=True, slots=True)
class Fleet:
    """Both simulations for one loop; there is no outage where the loop has no budget."""

    herd: Herd
    outage: Outage | None


@dataclass(frozen=True, slots=True)
class Group:
    """The simulations for the loops of some operations; none are named where all keyed operations share them."""

    number: int
    fleet: Fleet
    operations: tuple[str, ...]


def fleets(facts: Facts) -> tuple[Group, ...]:
    """The simulations of a contract, each once, numbered from 1.

    A loop has none where nothing is retried that an outage gives, and where the contract leaves its schedule to our
    advice.
    """
    found: dict[Fleet, list[str]] = {}
    for group in facts.loops:
        made = _fleet(group)
        if made is not None:
            found.setdefault(made, []).extend(group.operations)
    everywhere = sum(len(group.operations) for group in facts.loops)
    return tuple(
        Group(number, made, () if len(names) == everywhere else tuple(names))
        for number, (made, names) in enumerate(found.items(), 1)
    )


def _fleet(group: LoopGroup) -> Fleet | None:
    loop = group.loop
    transient = loop.of_class(RetryClass.TRANSIENT) or loop.grpc_of(RetryClass.TRANSIENT)
    if not group.told or not transient:
        return None
    return simulated(
        Rules(
            backoff=_backoff(loop),
            least_wait_ms=loop.least_wait_ms,
            max_attempts=loop.max_attempts,
            deadline_ms=loop.deadline_ms,
            budget=loop.budget,
        )
    )


def _backoff(loop: LoopFacts) -> Backoff:
    return Backoff(
        jitter=JitterKind(loop.jitter.value),
        base=Duration(loop.base_ms),
        factor=loop.factor,
        cap=Duration(loop.cap_ms),
    )


@dataclass(frozen=True, slots=True)
class Rules:
    """What of a loop decides when it retries a transient failure. Times are milliseconds."""

    backoff: Backoff
    least_wait_ms: int
    max_attempts: int
    deadline_ms: int
    budget: Budget | None

    def windows(self) -> tuple[tuple[int, int], ...]:
        """Before each retry the least and the most wait in microseconds, without ``least_wait_ms``."""
        found = (window_ms(self.backoff, retry) for retry in range(1, self.max_attempts))
        return tuple((least * _US, most * _US) for least, most in found)

    def longest_us(self) -> int:
        """How long after the first attempt the last retry begins at the latest."""
        floor = self.least_wait_ms * _US
        return min(sum(max(most, floor) for _, most in self.windows()), self.deadline_ms * _US)


@lru_cache(maxsize=64)
def simulated(rules: Rules) -> Fleet | None:
    """The simulations for *rules*; None where they allow no retry, or none that waits."""
    windows = rules.windows()
    first = max(windows[0][1], rules.least_wait_ms * _US) if windows else 0
    if not 0 < first < rules.deadline_ms * _US:
        return None
    return Fleet(_herd(rules, first), _outage(rules) if rules.budget else None)


def _herd(rules: Rules, first_us: int) -> Herd:
    step = _whole_ms(first_us, _STEPS)
    stretch = _whole_ms(rules.longest_us(), _STRETCHES)
    capacity = CLIENTS // _TENTHS
    starts = tuple((0, number) for number in range(CLIENTS))

    def run(jitter: bool) -> Run:
        # The first attempts are those that failed: they are no load of the time after it.
        log = _play(rules, starts, _Server(capacity, step, range(1)), jitter=jitter, processes=0)
        steps = Counter(at // step for at in log.retries)
        load = [0] * _STRETCHES
        for at in log.retries:
            place = min(at // stretch, _STRETCHES - 1)
            load[place] = max(load[place], steps[at // step])
        return _counted(log, load, range(1))

    return Herd(CLIENTS, capacity, step // _US, stretch // _US, run(False), run(True))


def _outage(rules: Rules) -> Outage:
    stretch = _whole_ms(rules.longest_us(), _WITHIN)
    begins, ends = -_BEFORE * stretch, (_WITHIN + _AFTER) * stretch
    down = range(_WITHIN * stretch)
    usual = PROCESSES * CALLS // _WITHIN
    draw = Random(SEED).random
    each = (_BEFORE + _WITHIN + _AFTER) * CALLS // _WITHIN
    starts = tuple((begins + int(draw() * (ends - begins)), n) for n in range(PROCESSES) for _ in range(each))

    def run(processes: int) -> Run:
        log = _play(rules, starts, _Server(usual * HEADROOM, stretch, down), jitter=True, processes=processes)
        load = [0] * (_BEFORE + _WITHIN + _AFTER)
        for at in (*(at for at, _ in starts), *log.retries):
            if at < ends:
                load[(at - begins) // stretch] += 1
        return _counted(log, load, down)

    began = sum(at in down for at, _ in starts)
    times = (len(down) // _US, begins // _US, stretch // _US)
    return Outage(PROCESSES, began, usual, usual * HEADROOM, *times, run(0), run(PROCESSES))


def _whole_ms(time_us: int, parts: int) -> int:
    """A part of a time, in microseconds, but to the next whole millisecond."""
    return -(-time_us // (parts * _US)) * _US


def _counted(log: _Log, load: list[int], down: range) -> Run:
    """A run's figures; results are counted of the calls that began while the server was *down*."""
    results = [at for start, at in log.answered if start in down]
    lost = sum(start in down for start in log.given_up)
    last = -(-max(results, default=0) // _US)
    return Run(tuple(load), len(log.retries), len(results), log.refused, lost, last)


@dataclass(slots=True)
class _Server:
    """Takes ``capacity`` attempts within each ``step`` of time, and none while it is ``down``."""

    capacity: int
    step: int
    down: range
    taken: Counter[int] = field(default_factory=Counter)

    def takes(self, at: int) -> bool:
        if at in self.down or self.taken[at // self.step] >= self.capacity:
            return False
        self.taken[at // self.step] += 1
        return True


@dataclass(slots=True)
class _Log:
    """When retries began, when calls that began at a time were answered, when those began that gave up."""

    retries: list[int] = field(default_factory=list)
    answered: list[tuple[int, int]] = field(default_factory=list)
    given_up: list[int] = field(default_factory=list)
    refused: int = 0


class _Tokens:
    """One process's bucket, as the loops keep it: a retry takes its cost, a success gives the refund back."""

    def __init__(self, budget: Budget) -> None:
        self._budget, self._left = budget, budget.capacity

    def call(self, at: int) -> None:
        """A call that begins costs nothing."""

    def take(self, at: int) -> bool:
        if self._budget.cost_transient > self._left:
            return False
        self._left -= self._budget.cost_transient
        return True

    def refund(self) -> None:
        self._left = min(self._budget.capacity, self._left + self._budget.refund)


class _Share:
    """One process's share of calls that may be retries, as the loops count it, over the time that has passed."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._calls: deque[int] = deque()
        self._retries: deque[int] = deque()

    def call(self, at: int) -> None:
        self._calls.append(at)

    def take(self, at: int) -> bool:
        for times in (self._calls, self._retries):
            while times and times[0] < at - self._budget.within_ms * _US:
                times.popleft()
        always = self._budget.min_per_second * self._budget.within_ms / 1000
        if len(self._retries) + 1 > self._budget.share * len(self._calls) + always:
            return False
        self._retries.append(at)
        return True

    def refund(self) -> None:
        """A success gives nothing back."""


def _play(rules: Rules, starts: tuple[tuple[int, int], ...], server: _Server, *, jitter: bool, processes: int) -> _Log:
    """Every attempt of the calls that begin at *starts*, by time; each of so many *processes* keeps a budget."""
    log, waits = _Log(), _Waits(rules, jitter, len(starts))
    budget = rules.budget
    kept = [(_Share if budget.kind == "ratio" else _Tokens)(budget) for _ in range(processes)] if budget else []
    queue = [(at, call, 1) for call, (at, _) in enumerate(starts)]
    heapify(queue)
    while queue:
        at, call, attempt = heappop(queue)
        began, process = starts[call]
        own = kept[process] if kept else None
        if attempt > 1:
            log.retries.append(at)
        elif own:
            own.call(at)
        if server.takes(at):
            log.answered.append((began, at))
            if own:
                own.refund()
            continue
        log.refused += at not in server.down
        wait = waits.before(call, attempt) if attempt < rules.max_attempts else None
        in_time = wait is not None and at + wait - began < rules.deadline_ms * _US
        if wait is not None and in_time and (own is None or own.take(at)):
            heappush(queue, (at + wait, call, attempt + 1))
        else:
            log.given_up.append(began)
    return log


class _Waits:
    """The waits of each call: drawn with the loop's jitter, or each as long as it may be."""

    def __init__(self, rules: Rules, jitter: bool, calls: int) -> None:
        self._draw = Random(SEED).random
        self._windows, self._floor, self._jitter = rules.windows(), rules.least_wait_ms * _US, jitter
        self._base, self._cap = rules.backoff.base.ms * _US, rules.backoff.cap.ms * _US
        self._decorrelated = rules.backoff.jitter is JitterKind.DECORRELATED
        self._last = [self._base] * calls

    def before(self, call: int, retry: int) -> int:
        """The wait of *call* before its retry number *retry*, from 1, in microseconds."""
        most = self._windows[retry - 1][1]
        if not self._jitter:
            return max(most, self._floor)
        if self._decorrelated:
            drawn = self._base + int(self._draw() * (3 * self._last[call] - self._base))
            self._last[call] = min(self._cap, drawn)
            return max(self._last[call], self._floor)
        return max(int(self._draw() * most), self._floor)
