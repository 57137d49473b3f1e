"""The timeline of one profile: replay window, the record's stay, and the longest way in which a retry comes late."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.windows import CountedFrom
from idempact.contract.units import Duration, NotDocumented
from idempact.diagrams.svg import ACCENT, INK, QUIET, box, frame, head, line, text
from idempact.facts import Facts, Profile
from idempact.facts.messages import Message, message
from idempact.render.words import Words
from idempact.text.dataclass import dataclass

_LEFT, _WIDTH, _ROW = 10.0, 460.0, 52.0


@dataclass(frozen=True, slots=True)
class _Bar:
    label: Message
    least: Duration | None
    most: Duration | None
    open_ended: bool = False


def draw(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """One timeline for each profile whose replay window is documented."""
    for profile in facts.profiles:
        bars = _bars(profile)
        if bars:
            name = f"timeline-{profile.number}"
            first = profile.settings.windows.counted_from is CountedFrom.FIRST_REQUEST
            yield name, _timeline(name, bars, words.say("timeline.start" if first else "timeline.begin"), words)


def _bars(profile: Profile) -> tuple[_Bar, ...]:
    windows = profile.settings.windows
    replay = windows.replay
    if isinstance(replay, NotDocumented):
        return ()
    bars = [_Bar(message("timeline.replay", window=profile.window), replay.least, replay.most, replay.most is None)]
    if windows.cleanup is None:
        bars.append(_Bar(message("timeline.record", stay=message("window.forever")), None, None, True))
    elif isinstance(windows.cleanup, Duration):
        bars.append(_Bar(message("timeline.record", stay=windows.cleanup), windows.cleanup, windows.cleanup))
    if profile.longest_chain is not None:
        chain = profile.longest_chain
        bars.append(_Bar(message("timeline.chain", name=chain.name, lasts=chain.lasts), chain.lasts, chain.lasts))
    return tuple(bars)


def _timeline(name: str, bars: tuple[_Bar, ...], start: str, words: Words) -> str:
    known = [d.ms for bar in bars for d in (bar.least, bar.most) if d is not None]
    reach = max(known, default=1) * 1.1
    scale = _WIDTH / reach
    parts: list[str] = []
    for index, bar in enumerate(bars):
        y = 12 + index * _ROW
        parts.append(text(_LEFT, y + 14, words.say(bar.label)))
        least = bar.least.ms * scale if bar.least is not None else _WIDTH
        if least:
            parts.append(box(_LEFT, y + 22, least, 14, fill=ACCENT, ink=ACCENT, opacity=0.85))
        if bar.most is not None and bar.least is not None and bar.most > bar.least:
            parts.append(box(_LEFT + least, y + 22, (bar.most.ms - bar.least.ms) * scale, 14, ink=ACCENT))
        if bar.open_ended:
            parts.append(line(_LEFT + least, y + 29, _LEFT + _WIDTH, y + 29, dashed=True, ink=QUIET))
            parts.append(head(_LEFT, y + 29, _LEFT + _WIDTH + 8, y + 29, QUIET))
    bottom = 12 + len(bars) * _ROW + 6
    parts.append(line(_LEFT, bottom, _LEFT + _WIDTH, bottom, arrow=True))
    parts.append(text(_LEFT, bottom + 20, start, fill=INK))
    parts.append(text(_LEFT + _WIDTH, bottom + 20, words.say("timeline.time"), anchor="end", fill=QUIET))
    description = " ".join(words.say(bar.label) + "." for bar in bars)
    return frame(name, words.say("timeline.title"), description, _WIDTH + 30, bottom + 32, parts)
