"""A duration for which keys are said to be kept, other than the contract's window.

Why: Integrators size their queues by the number that they read. Where the page says a longer time than the server
keeps, a late retry does the work again.

Instead: Write the contract's window, or take the number from the generated pages by a link.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.windows import Forever
from idempact.contract.units import Duration, NotDocumented
from idempact.facts.derive import Profile
from idempact.prose.statement import Disagreement, Statement
from idempact.wording.measure import Measures, stand_in

RULE = "prose/drift-window"
PASSES = (
    "Idempotency keys are kept for 24 hours.",
    "The same key returns the first answer for one day.",
    "Keys of `POST /refunds` are kept for a week.",
    "Wait at least 5 seconds before you send the same key again.",
    "密钥的有效期为 24 小时。",
    "Keys may be kept for up to 86,400 seconds.",
    "Access tokens expire after 15 minutes.",
)
FAILS = (
    "Idempotency keys are kept for 12 hours.",
    "A key expires after 48h.",
    "Within seven days the same key returns the first answer, for `POST /payments` too.",
    "Keys of `POST /refunds` are kept for 24 hours.",
    "幂等键在 48 小时后过期。",
    "Der Schlüssel ist 48 Stunden gültig.",
)
_REACH = 90


def find(statement: Statement) -> Iterator[Disagreement]:
    """The durations beside words of keeping that are none of the contract's."""
    allowed = _allowed(statement.profiles)
    if allowed is None:
        return
    seen: set[tuple[int, int]] = set()
    for tongue in statement.tongues:
        for amount in tongue.durations(statement.text):
            around = statement.text[max(amount.start - _REACH, 0) : amount.start] + stand_in(amount)
            around += statement.text[amount.end : amount.end + _REACH]
            if (amount.start, amount.end) in seen or not _kept(tongue, around) or _near(amount.value, allowed):
                continue
            seen.add((amount.start, amount.end))
            written = statement.written(amount.start, amount.end)
            message = (
                f'"{written}" is not the window{statement.whose}: the contract keeps keys {_said(statement.profiles)}'
            )
            yield Disagreement(amount.start, amount.end, message)


def _kept(tongue: Measures, around: str) -> bool:
    return bool(tongue.retention.search(around)) and not tongue.elsewhere.search(around)


def _allowed(profiles: tuple[Profile, ...]) -> frozenset[int] | None:
    """The milliseconds that may be named: windows, clean-up, lease, and the chains that retry late; None: no fact."""
    out: set[int] = set()
    for profile in profiles:
        windows = profile.settings.windows
        if isinstance(windows.replay, NotDocumented):
            return None
        chains = () if isinstance(windows.retry_chains, NotDocumented) else windows.retry_chains
        named = (windows.replay.least, windows.replay.most, windows.cleanup, windows.lease, windows.slowest_handler)
        out |= {value.ms for value in (*named, *(chain.lasts for chain in chains)) if isinstance(value, Duration)}
    return frozenset(out)


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
