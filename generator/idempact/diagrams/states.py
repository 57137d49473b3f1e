"""The life of a key's record as a state diagram: the states that this contract lets occur, and their order."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.diagrams.svg import ACCENT, box, frame, line, wrapped
from idempact.facts import Facts, Profile
from idempact.facts.verdicts import ResultKind, State
from idempact.render.words import Words

_BOX = (112.0, 46.0)
_GAP = 10.0
# Column and row of each state: a record is born at the top, finishes in the middle, and ends at the bottom.
_PLACES = {
    State.NONE: (1, 0),
    State.IN_PROGRESS: (1, 1),
    State.STALE: (2, 1),
    State.COMPLETED: (0, 2),
    State.FAILED_KEPT: (1, 2),
    State.FAILED_RE_EXECUTED: (2, 2),
    State.UNKNOWN_OUTCOME: (3, 2),
    State.EXPIRED: (0, 3),
    State.REMOVED: (0, 4),
}
_STEPS = (
    (State.NONE, State.IN_PROGRESS),
    (State.IN_PROGRESS, State.STALE),
    (State.IN_PROGRESS, State.COMPLETED),
    (State.IN_PROGRESS, State.FAILED_KEPT),
    (State.IN_PROGRESS, State.FAILED_RE_EXECUTED),
    (State.IN_PROGRESS, State.UNKNOWN_OUTCOME),
    (State.COMPLETED, State.EXPIRED),
    (State.FAILED_KEPT, State.EXPIRED),
    (State.EXPIRED, State.REMOVED),
)


def draw(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """One diagram for each set of verdicts, under the number of the first profile that has it."""
    seen: set[object] = set()
    for profile in facts.profiles:
        if profile.verdicts not in seen and State.IN_PROGRESS in _documented(profile):
            seen.add(profile.verdicts)
            name = f"states-{profile.number}"
            yield name, _diagram(name, profile, words)


def _documented(profile: Profile) -> list[State]:
    """The states that can occur and whose answer is documented, in the order of a record's life."""
    unknown = ResultKind.NOT_DOCUMENTED
    return [row.state for row in profile.verdicts if row.occurs and row.same[0].kind is not unknown]


def _corner(state: State) -> tuple[float, float]:
    column, row = _PLACES[state]
    return 6 + column * (_BOX[0] + _GAP), 6 + row * (_BOX[1] + 40)


def _diagram(name: str, profile: Profile, words: Words) -> str:
    occurring = _documented(profile)
    parts: list[str] = []
    told: list[str] = []
    for start, end in _STEPS:
        if start in occurring and end in occurring:
            parts.append(_arrow(start, end))
            told.append(words.say("states.step", start=words.say(f"state.{start}"), end=words.say(f"state.{end}")))
    for state in occurring:
        x, y = _corner(state)
        parts.append(box(x, y, *_BOX, fill=ACCENT, ink=ACCENT, opacity=0.15))
        lines, count = wrapped(x + _BOX[0] / 2, 0, words.say(f"states.{state}"), 14, anchor="middle")
        shift = y + _BOX[1] / 2 + 5 - (count - 1) * 9.5
        parts.append(f'<g transform="translate(0 {shift:.1f})">{lines}</g>')
    height = max(_corner(state)[1] for state in occurring) + _BOX[1] + 8
    return frame(name, words.say("states.title"), " ".join(told), 4 * (_BOX[0] + _GAP) + 4, height, parts)


def _arrow(start: State, end: State) -> str:
    """From the middle of one box's edge to the facing edge of the other."""
    (x1, y1), (x2, y2) = _corner(start), _corner(end)
    if y1 == y2:
        return line(x1 + _BOX[0], y1 + _BOX[1] / 2, x2, y2 + _BOX[1] / 2, arrow=True)
    # Side steps leave a third of the way along, so that arrows to three boxes don't cover each other.
    lean = (x2 > x1) - (x2 < x1)
    return line(x1 + _BOX[0] * (0.5 + lean * 0.3), y1 + _BOX[1], x2 + _BOX[0] * (0.5 - lean * 0.2), y2, arrow=True)
