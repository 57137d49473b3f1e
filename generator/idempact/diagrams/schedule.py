"""The schedule of one loop: for each retry the band in which its wait is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.units import Duration
from idempact.diagrams.svg import ACCENT, QUIET, box, frame, line, text
from idempact.facts import Facts
from idempact.facts.schedule import Schedule
from idempact.render.words import Words

_LEFT, _WIDTH, _ROW = 110.0, 260.0, 30.0


def draw(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """One plot for each set of retry advice; none where there is no retry."""
    for number, group in enumerate(facts.loops, 1):
        if len(group.schedule.attempts) > 1:
            name = f"schedule-{number}"
            yield name, _plot(name, group.schedule, words)


def _plot(name: str, schedule: Schedule, words: Words) -> str:
    retries = schedule.attempts[1:]
    reach = max(attempt.most_wait_ms for attempt in retries) or 1
    scale = _WIDTH / reach
    parts: list[str] = []
    for index, attempt in enumerate(retries):
        y = 34 + index * _ROW
        least, most = attempt.least_wait_ms * scale, attempt.most_wait_ms * scale
        parts.append(text(_LEFT - 10, y + 14, words.say("schedule.attempt", n=attempt.number), anchor="end"))
        parts.append(box(_LEFT + least, y + 2, max(most - least, 2), 16, fill=ACCENT, ink=ACCENT, opacity=0.35))
        parts.append(text(_LEFT + most + 8, y + 15, words.shown(Duration(attempt.most_wait_ms)), fill=QUIET))
    bottom = 34 + len(retries) * _ROW + 4
    parts.append(line(_LEFT, 28, _LEFT, bottom))
    parts.append(text(_LEFT, 18, words.say("schedule.axis"), fill=QUIET))
    description = " ".join(
        words.say(
            "schedule.row",
            n=attempt.number,
            least=Duration(attempt.least_wait_ms),
            most=Duration(attempt.most_wait_ms),
        )
        for attempt in retries
    )
    return frame(name, words.say("schedule.title"), description, _LEFT + _WIDTH + 130, bottom + 10, parts)
