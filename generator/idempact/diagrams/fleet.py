"""What a fleet of callers does: the load of two runs, one above the other, on one scale."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.units import Duration
from idempact.diagrams.svg import ACCENT, INK, QUIET, box, frame, line, text
from idempact.facts import Facts
from idempact.facts.fleet import Group, Herd, Outage, Row, fleets
from idempact.render.words import Words

_LEFT, _TOP, _WIDTH, _HEIGHT, _GAP = 56.0, 34.0, 400.0, 110.0, 38.0


def draw(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """For each set of simulations, the herd without and with jitter, and the outage without and with a budget."""
    for group in fleets(facts):
        yield _herd(group, group.fleet.herd, words)
        if group.fleet.outage is not None:
            yield _outage(group, group.fleet.outage, words)


def _herd(group: Group, herd: Herd, words: Words) -> tuple[str, str]:
    name, step = f"fleet-jitter-{group.number}", Duration(herd.step_ms)
    runs = (words.say("fleet.jitter.plain"), words.say("fleet.jitter.jittered"))
    panels = _Panels(herd.rows, runs, herd.capacity, words)
    end = Duration(len(herd.rows) * herd.stretch_ms)
    parts = [*panels.drawn(), *panels.time(0, Duration(0)), *panels.time(len(herd.rows), end)]
    title = words.say("fleet.jitter.title", clients=herd.clients)
    return name, panels.framed(name, title, words.say("fleet.jitter.told", step=step), parts)


def _outage(group: Group, outage: Outage, words: Words) -> tuple[str, str]:
    name, stretch = f"fleet-budget-{group.number}", Duration(outage.stretch_ms)
    runs = (words.say("fleet.budget.without"), words.say("fleet.budget.budgeted"))
    panels = _Panels(outage.rows, runs, outage.capacity, words)
    begins = -outage.begins_ms / outage.stretch_ms
    ends = begins + outage.lasts_ms / outage.stretch_ms
    parts = panels.shade(begins, ends, words.say("fleet.budget.outage"))
    parts += [*panels.drawn(), *panels.time(begins, Duration(0)), *panels.time(ends, Duration(outage.lasts_ms))]
    title = words.say("fleet.budget.title", lasts=Duration(outage.lasts_ms))
    told = words.say("fleet.budget.told", stretch=stretch, usual=outage.usual)
    return name, panels.framed(name, title, told, parts)


class _Panels:
    """Two charts of bars over the same stretches of time, with one scale and a line at what the server takes."""

    def __init__(self, rows: tuple[Row, ...], names: tuple[str, str], capacity: int, words: Words) -> None:
        self._rows, self._names, self._capacity, self._words = rows, names, capacity, words
        self._most = max(capacity, *(max(row.first, row.second) for row in rows))
        self._bar = _WIDTH / len(rows)

    def _floor(self, panel: int) -> float:
        return _TOP + panel * (_HEIGHT + _GAP) + _HEIGHT

    def _high(self, value: int) -> float:
        return value * _HEIGHT / self._most

    def drawn(self) -> Iterator[str]:
        """The bars of both runs."""
        for panel, name in enumerate(self._names):
            floor = self._floor(panel)
            loads = [row.second if panel else row.first for row in self._rows]
            peak = max(loads)
            yield text(_LEFT, floor - _HEIGHT - 10, name, weight="bold")
            for place, load in enumerate(loads):
                if load:
                    x = _LEFT + place * self._bar + 2
                    yield box(x, floor - self._high(load), self._bar - 4, self._high(load), fill=ACCENT, ink=ACCENT)
            yield text(_LEFT - 8, floor - self._high(peak) + 5, str(peak), anchor="end")
            yield line(_LEFT, floor, _LEFT + _WIDTH, floor)
            taken = floor - self._high(self._capacity)
            yield line(_LEFT, taken, _LEFT + _WIDTH, taken, dashed=True, ink=INK)
            label = self._words.say("fleet.jitter.capacity", n=self._capacity)
            yield text(_LEFT + _WIDTH, floor - _HEIGHT - 10, f"- - {label}", anchor="end", fill=QUIET)

    def shade(self, begins: float, ends: float, label: str) -> list[str]:
        """A stretch of time set off in both charts, and named under the lower one."""
        x, width = _LEFT + begins * self._bar, (ends - begins) * self._bar
        floors = [self._floor(panel) for panel in range(len(self._names))]
        shades = [box(x, floor - _HEIGHT, width, _HEIGHT, fill=QUIET, ink="none", opacity=0.18) for floor in floors]
        return [*shades, text(x + width / 2, floors[-1] + 24, label, anchor="middle", fill=QUIET)]

    def time(self, place: float, when: Duration) -> Iterator[str]:
        """A mark under the lower chart."""
        x, floor = _LEFT + place * self._bar, self._floor(len(self._names) - 1)
        yield line(x, floor, x, floor + 6)
        yield text(x, floor + 24, self._words.shown(when), anchor="end" if place == len(self._rows) else "middle")

    def framed(self, name: str, title: str, told: str, parts: list[str]) -> str:
        """The whole drawing, with the load by time as its description."""
        plain, other = self._names
        rows = (
            self._words.say("fleet.row", when=row.when, first=row.first, plain=plain, second=row.second, other=other)
            for row in self._rows
        )
        height = self._floor(len(self._names) - 1) + 34
        return frame(name, title, " ".join((told, *rows)), _LEFT + _WIDTH + 14, height, parts)
