"""Phrases about windows: how long a key is known, what its record is for, and how late a retry may come."""

from __future__ import annotations

from idempact.contract.model.windows import AtMost, Forever, RetryChain, Windows
from idempact.contract.units import Duration, NotDocumented
from idempact.facts.messages import Message, message
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.facts.derive import Facts

UNKNOWN = message("not-documented")


def start(windows: Windows) -> Message:
    """When the replay window begins."""
    known = not isinstance(windows.counted_from, NotDocumented)
    return message(f"start.{windows.counted_from}") if known else UNKNOWN


def replay_meaning(windows: Windows) -> Message:
    """What the replay window is good for, and when it begins, as far as that is documented."""
    if isinstance(windows.replay, NotDocumented):
        return message("windows.replay.unknown")
    if isinstance(windows.replay, Forever):
        return message("windows.replay.forever")
    begins = start(windows)
    begin = message("windows.begins.unknown") if begins == UNKNOWN else message("windows.begins", start=begins)
    at_most = isinstance(windows.replay, AtMost)
    return message("windows.replay.at-most" if at_most else "windows.replay.text", begin=begin)


def cleanup(windows: Windows) -> Message:
    """How long the record stays."""
    value = windows.cleanup
    if value is None:
        return message("window.forever")
    return message("window.exactly", value=value) if isinstance(value, Duration) else UNKNOWN


def cleanup_known(windows: Windows) -> bool:
    """Whether it is documented how long the record stays."""
    return not isinstance(windows.cleanup, NotDocumented)


def advertised(windows: Windows) -> Message | None:
    """Where the server tells the window at run time, if anywhere."""
    replay = windows.replay
    if isinstance(replay, NotDocumented) or replay.advertised is None:
        return None
    return message("windows.advertised.text", where=replay.advertised)


def chains(windows: Windows) -> tuple[RetryChain, ...]:
    """The ways in which a retry can come late, the longest first."""
    if isinstance(windows.retry_chains, NotDocumented):
        return ()
    return tuple(sorted(windows.retry_chains, key=lambda chain: chain.lasts, reverse=True))


def chain_meaning(late: tuple[Windows, RetryChain]) -> Message:
    """Whether a retry that comes so late still finds its key, as far as that is promised."""
    windows, chain = late
    if isinstance(windows.replay, NotDocumented):
        return message("windows.chain.unknown")
    least = windows.replay.least
    return message("windows.chain.text" if least is None or least >= chain.lasts else "windows.chain.late")


def late(facts: Facts) -> Message | None:
    """What to do before a retry that may come late; nothing where every key is kept for good."""
    ends = [p.settings.windows.replay for p in facts.profiles if not isinstance(p.settings.windows.replay, Forever)]
    if not ends:
        return None
    return message("windows.late.unknown" if all(isinstance(end, NotDocumented) for end in ends) else "windows.late")
