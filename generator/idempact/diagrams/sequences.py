"""Four conversations: the lost response, the request in flight, the mismatch and the unknown outcome."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.diagrams.svg import INK, QUIET, frame, line, text
from idempact.facts import Facts, Profile
from idempact.facts.messages import Message, message
from idempact.facts.phrases import status_and_code, verdict
from idempact.facts.verdicts import Result, ResultKind, State
from idempact.render.words import Words
from idempact.text.dataclass import dataclass

_LEFT, _RIGHT, _ROW = 60.0, 420.0, 44.0


@dataclass(frozen=True, slots=True)
class _Step:
    """One message to the right (a request) or to the left (an answer); ``lost`` ones end half-way."""

    words: Message
    request: bool
    lost: bool = False


def draw(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """The conversations of the base profile, as far as its answers are documented."""
    profile = facts.base
    for name, steps in _conversations(profile):
        yield f"sequence-{name}", _sequence(f"sequence-{name}", name, steps, words)


def _conversations(profile: Profile) -> Iterator[tuple[str, tuple[_Step, ...]]]:
    rows = {row.state: row for row in profile.verdicts}
    first = _Step(message("sequence.request"), True)
    again = _Step(message("sequence.repeat"), True)
    done = _answer(rows[State.COMPLETED].same[0])
    if done is not None:
        lost = _Step(message("sequence.result"), False, lost=True)
        yield "lost-response", (first, lost, again, done)
    flight = _answer(rows[State.IN_PROGRESS].same[0])
    if flight is not None:
        ending = (again, done) if done is not None and not flight.request else ()
        yield "in-flight", (first, again, flight, _Step(message("sequence.result"), False), *ending)
    mismatch = _answer(rows[State.COMPLETED].other[0])
    if mismatch is not None and profile.settings.fingerprint is not None:
        yield (
            "mismatch",
            (first, _Step(message("sequence.result"), False), _Step(message("sequence.other"), True), mismatch),
        )
    unknown = _answer(rows[State.UNKNOWN_OUTCOME].same[0])
    if unknown is not None:
        yield "unknown-outcome", (first, _Step(message("sequence.nothing"), False, lost=True), again, unknown)


def _answer(result: Result) -> _Step | None:
    if result.kind in (ResultKind.NOT_DOCUMENTED, ResultKind.DOES_NOT_OCCUR):
        return None
    if result.kind is ResultKind.ANSWER and result.outcome is not None:
        return _Step(status_and_code(result.outcome), False)
    if result.kind is ResultKind.REPLAY:
        return _Step(message("sequence.replay", result=message(f"result.{result.fidelity}")), False)
    return _Step(verdict(result), False)


def _sequence(name: str, kind: str, steps: tuple[_Step, ...], words: Words) -> str:
    bottom = 50 + len(steps) * _ROW
    parts = [
        text(_LEFT, 20, words.say("sequence.client"), anchor="middle", weight="bold"),
        text(_RIGHT, 20, words.say("sequence.server"), anchor="middle", weight="bold"),
        line(_LEFT, 30, _LEFT, bottom, ink=QUIET),
        line(_RIGHT, 30, _RIGHT, bottom, ink=QUIET),
    ]
    told = []
    for index, step in enumerate(steps):
        y = 68 + index * _ROW
        shown = words.say(step.words)
        start, end = (_LEFT, _RIGHT) if step.request else (_RIGHT, _LEFT)
        if step.lost:
            middle = (_LEFT + _RIGHT) / 2
            parts.append(line(start, y, middle, y, dashed=True))
            parts.append(line(middle - 6, y - 6, middle + 6, y + 6, ink=INK))
            parts.append(line(middle - 6, y + 6, middle + 6, y - 6, ink=INK))
        else:
            parts.append(line(start, y, end, y, arrow=True, dashed=not step.request))
        parts.append(text((_LEFT + _RIGHT) / 2, y - 8, shown, anchor="middle"))
        who = "sequence.told-client" if step.request else "sequence.told-lost" if step.lost else "sequence.told-server"
        told.append(words.say(who, what=shown))
    return frame(name, words.say(f"sequence.{kind}"), " ".join(told), 480, bottom + 8, parts)
