"""What a declaration's own description says of the time for which repeats are recognised, beside the contract's."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.plan import Window
from idempact.wording.fold import fold
from idempact.wording.measure import DURATION, Measures, measures

# How far from a duration the words that tell what it is may stand.
_REACH = 90
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f", ")")


def difference(text: str, window: Window) -> tuple[str, str] | None:
    """What *text* says otherwise than the contract, or lacks, and the text that would say it; none where it agrees.

    The author's other words stay: one duration is exchanged for the other, or a sentence is added.
    """
    folded = fold(text)
    named = [(tongue, amount) for tongue in measures() for amount in tongue.durations(folded.text)]
    if any(abs(amount.value - bound) < 1 for _, amount in named for bound in window.bounds):
        return None
    kept = {
        (amount.start, amount.end)
        for tongue, amount in named
        if _is_kept(tongue, folded.text, amount.start, amount.end)
    }
    for start, end in _widest(kept):
        first, last = folded.origin(start, end)
        message = f'its description says "{text[first:last]}", and the window is {window.told} by the contract'
        return message, text[:first] + window.told + text[last:]
    message = f"its description doesn't tell the contract's window, {window.told}"
    own = text.rstrip()
    return message, f"{own} {window.sentence}" if own[-1:] in _ENDS else f"{own}. {window.sentence}"


def _is_kept(tongue: Measures, text: str, start: int, end: int) -> bool:
    around = text[max(start - _REACH, 0) : start] + DURATION + text[end : end + _REACH]
    return bool(tongue.retention.search(around)) and not tongue.elsewhere.search(around)


def _widest(found: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The ranges in order, the longer of two that begin alike first."""
    yield from sorted(found, key=lambda one: (one[0], -one[1]))
