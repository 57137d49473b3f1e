"""A duration for which keys are said to be kept, other than the contract's window.

Why: Integrators size their queues by the number that they read. Where the page says a longer time than the server
keeps, a late retry does the work again.

Instead: Write the contract's window, or take the number from the generated pages by a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.model.windows import Forever
from idempact.contract.units import Duration, NotDocumented, Text
from idempact.facts.derive import Profile
from idempact.prose.statement import Disagreement, Statement, holds, mentions
from idempact.wording.fold import fold
from idempact.wording.measure import Amount, Measures, stand_in

RULE = "prose/drift-window"
PASSES = (
    "Idempotency keys are kept for 24 hours.",
    "The same key returns the first answer for one day.",
    "Keys of `POST /refunds` are kept for a week.",
    "Wait at least 5 seconds before you send the same key again.",
    "密钥的有效期为 24 小时。",
    "Keys may be kept for up to 86,400 seconds.",
    "Access tokens expire after 15 minutes.",
    "We keep request logs for 30 days, and you can search them by idempotency key.",
    "A mobile offline queue may resend a request with its key for 6 hours.",
    "Idempotency records are purged after 72 hours.",
    "幂等记录在 72 小时后删除。",
    "Retry with the same idempotency key for up to 6 hours.",
)
FAILS = (
    "Idempotency keys are kept for 12 hours.",
    "A key expires after 48h.",
    "Within seven days the same key returns the first answer, for `POST /payments` too.",
    "Keys of `POST /refunds` are kept for 24 hours.",
    "幂等键在 48 小时后过期。",
    "Der Schlüssel ist 48 Stunden gültig.",
    "Idempotency keys never expire.",
    "After 72 hours the same key starts a new request.",
    "Idempotency keys are remembered for 3 days.",
    "Retry with the same idempotency key for up to 72 hours.",
    "Idempotency keys are remembered for one minute.",
    "幂等键会被记住 3 天。",
)
_REACH = 90
_WORD = re.compile(r"[a-z]{3,30}|[\u3400-\u9fff]{1,30}")


def find(statement: Statement) -> Iterator[Disagreement]:
    """The durations beside words of keeping that are none of the contract's, and keys that never expire."""
    replays = [profile.settings.windows.replay for profile in statement.profiles]
    if any(isinstance(replay, NotDocumented) for replay in replays):
        return
    seen: set[tuple[int, int]] = set()
    for tongue in statement.tongues:
        for start, end in (*_disagreeing(statement, tongue), *_endless(statement, tongue)):
            if (start, end) not in seen:
                seen.add((start, end))
                message = f'"{statement.written(start, end)}" is not the window{statement.whose}: '
                yield Disagreement(start, end, f"{message}the contract keeps keys {_said(statement.profiles)}")


def _disagreeing(statement: Statement, tongue: Measures) -> Iterator[tuple[int, int]]:
    windows, kept = _windows(statement)
    for amount in tongue.durations(statement.text):
        around = statement.text[max(amount.start - _REACH, 0) : amount.start] + stand_in(amount)
        around += statement.text[amount.end : amount.end + _REACH]
        too_long = tongue.retrying is not None and kept is not None and amount.value > kept
        told = tongue.retention.search(around) or (too_long and tongue.retrying and tongue.retrying.search(around))
        if not told or tongue.elsewhere.search(around):
            continue
        if _near(amount.value, windows) or _excused(statement, tongue, amount):
            continue
        if _is_of_keys(statement, tongue, amount):
            yield amount.start, amount.end


def _endless(statement: Statement, tongue: Measures) -> Iterator[tuple[int, int]]:
    """What says that keys are kept for good, where the contract keeps none so."""
    if tongue.endless and not any(isinstance(p.settings.windows.replay, Forever) for p in statement.profiles):
        yield from (found.span() for found in tongue.endless.finditer(statement.text))


def _is_of_keys(statement: Statement, tongue: Measures, amount: Amount) -> bool:
    """Whether the clause around the amount is about keys, and not about what else the sentence names."""
    begin, end = statement.clause(amount.start, amount.end)
    clause = statement.text[begin : amount.start] + stand_in(amount) + statement.text[amount.end : end]
    if tongue.related is None or tongue.topic.search(clause):
        return True
    if tongue.foreign and tongue.foreign.search(clause):
        return False
    return bool(tongue.related.search(clause))


def _windows(statement: Statement) -> tuple[frozenset[int], int | None]:
    """The windows that may be named, and how long every key is kept at least, in milliseconds; None is forever."""
    replays = [profile.settings.windows.replay for profile in statement.profiles]
    known = [replay for replay in replays if not isinstance(replay, NotDocumented)]
    ends = [replay.least.ms for replay in known if replay.least is not None]
    named = {value.ms for replay in known for value in (replay.least, replay.most) if isinstance(value, Duration)}
    return frozenset(named), min(ends, default=None)


def _excused(statement: Statement, tongue: Measures, amount: Amount) -> bool:
    """Whether the amount is one of the contract's other times, in words that can be said of that time.

    Of clean-up where records are deleted, of lease and slowest run where work runs, and neither where the sentence or
    clause says what only the window does. Of a chain of retries where the paragraph names it, or the clause itself
    where that says that keys are kept.
    """
    windows = [profile.settings.windows for profile in statement.profiles]
    begin, end = statement.clause(amount.start, amount.end)
    clause = statement.text[begin:end]
    remembers = tongue.remembered is not None and bool(tongue.remembered.search(clause))
    if not remembers and not (tongue.binding is not None and holds(tongue.binding, statement.text)):
        deletes = tongue.deleting is not None and holds(tongue.deleting, statement.text)
        runs = tongue.running is not None and holds(tongue.running, statement.text)
        others = [one.cleanup for one in windows if deletes]
        times = [*others, *(time for one in windows if runs for time in (one.lease, one.slowest_handler))]
        if _near(amount.value, frozenset(time.ms for time in times if isinstance(time, Duration))):
            return True
    chains = [one.retry_chains for one in windows if not isinstance(one.retry_chains, NotDocumented)]
    named = [chain.name for several in chains for chain in several if _near(amount.value, frozenset({chain.lasts.ms}))]
    keeps = tongue.keeping is not None and bool(tongue.keeping.search(clause))
    return any(_names(clause if keeps else statement.paragraph.text, name) for name in named)


def _names(text: str, name: Text) -> bool:
    """Whether half of the words of a name stand in a text, in one of the name's languages."""
    for _, spelled in name.locales:
        words = set(_WORD.findall(fold(spelled).text))
        if words and 2 * sum(mentions(text, word) for word in words) >= len(words):
            return True
    return False


def _near(value: float, allowed: frozenset[int]) -> bool:
    return any(abs(value - ms) < 1 for ms in allowed)


def _said(profiles: tuple[Profile, ...]) -> str:
    said: dict[str, None] = {}
    for profile in profiles:
        replay = profile.settings.windows.replay
        if isinstance(replay, Forever):
            said["forever"] = None
        elif not isinstance(replay, NotDocumented):
            least, most = replay.least, replay.most
            said[f"for {least}" if least == most else f"for {least} or more"] = None
    return " or ".join(said)
