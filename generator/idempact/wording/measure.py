"""Amounts that a text names, in any of our languages: durations and lengths, and what it says of keys beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain, load, plain
from idempact.wording.fold import bare
from idempact.wording.phrasebook import Incomplete, compiled

_HERE = Path(__file__).parent / "measures"
_SIZES = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9}(?:\.[0-9]{1,3})?"
DURATION, LENGTH, WAIT = "\ue001", "\ue002", "\ue003"
"""Stand for a duration, a length, and a duration too short for a window, where the patterns say ``<duration>``,
``<length>`` and ``<wait>``. A duration is either."""
_SHORTEST = 60_000
_HEADER = "[a-z]{1,16}-[a-z0-9-]{1,32}"
_RANGE = r" ?(?:-|~|\u2014|to|and|through|a|y|e|et|und|bis|到|至|から|에서) ?"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit from ``start`` to ``end`` of a folded text; a duration's ``value`` is in milliseconds."""

    start: int
    end: int
    value: float


@dataclass(frozen=True)
class Measures:
    """How one language names amounts, and the words around them."""

    language: str
    numbers: Mapping[str, float]
    units: Mapping[str, str]
    half: str
    """What adds half a unit behind one; a pattern that never matches where the language has none."""
    length_units: str
    signs: re.Pattern[str]
    ellipsis: re.Pattern[str] | None
    related: re.Pattern[str] | None
    """What shows that a clause that names no key goes on about keys; None where the language doesn't tell."""
    foreign: re.Pattern[str] | None
    """Other things that are kept for a time or have a length."""
    binding: re.Pattern[str] | None
    """What can be said of the window alone, and not of the record's clean-up or of a claim's lease."""
    remembered: re.Pattern[str] | None
    """What is said of recognising repeats, and so not of clean-up or a lease either."""
    deleting: re.Pattern[str] | None
    """What speaks of records being deleted: a time beside it may be the clean-up's."""
    running: re.Pattern[str] | None
    """What speaks of work that runs under a claim: a time beside it may be the lease's or the slowest run's."""
    keeping: re.Pattern[str] | None
    """What says that keys are kept: a time beside it is no chain of retries'."""
    retrying: re.Pattern[str] | None
    """For how long to retry: longer than the window is wrong, shorter is not."""
    bygone: re.Pattern[str] | None
    """What tells that a name is another version's, or another product's."""
    endless: re.Pattern[str] | None
    carried: re.Pattern[str] | None
    """What says by which header the key travels; ``<header>`` stands for any name of one."""
    topic: re.Pattern[str]
    others: re.Pattern[str]
    retention: re.Pattern[str]
    elsewhere: re.Pattern[str]
    at_most: re.Pattern[str]
    at_least: re.Pattern[str]
    outcomes: Mapping[str, re.Pattern[str]]

    @cached_property
    def _number(self) -> str:
        words = "|".join(sorted(map(re.escape, self.numbers), key=len, reverse=True))
        return rf"(?<![0-9][.,])(?<![0-9A-Za-z_])(?:(?P<digits>{_NUMBER})|(?P<words>{words}))"

    @cached_property
    def _duration(self) -> re.Pattern[str]:
        units = "|".join(f"(?P<{unit}>{words})" for unit, words in self.units.items())
        return re.compile(rf"{self._number}[ -]?(?:{units})(?P<half>{self.half})?(?![0-9A-Za-z_])", re.ASCII)

    @cached_property
    def _length(self) -> re.Pattern[str]:
        lower = rf"(?:(?<![0-9A-Za-z_.,])(?P<lower>[0-9]{{1,5}})(?P<range>{_RANGE}))?"
        return re.compile(rf"{lower}{self._number}[ -]?(?:{self.length_units})(?![0-9A-Za-z_])", re.ASCII)

    def durations(self, text: str) -> Iterator[Amount]:
        """The durations in folded *text*, in milliseconds."""
        for found in self._duration.finditer(text):
            unit = next(unit for unit in self.units if found[unit] is not None)
            words = found["words"]
            # "as" is not "a s": a spelled number and a spelled unit are two words.
            if words is None or not words.isascii() or re.match(r"[ -]..", text[found.end("words") : found.end(unit)]):
                value = self._value(found) + (0.5 if found["half"] else 0)
                yield Amount(*found.span(), value * _SIZES[unit])

    def lengths(self, text: str) -> Iterator[Amount]:
        """The lengths in folded *text*: so many characters or bytes; of a range both ends."""
        for found in self._length.finditer(text):
            lower = found["lower"]
            if lower is not None:
                yield Amount(*found.span("lower"), float(lower))
            yield Amount(found.end("range") if lower is not None else found.start(), found.end(), self._value(found))

    def _value(self, found: re.Match[str]) -> float:
        digits = found["digits"]
        return float(digits.replace(",", "")) if digits is not None else self.numbers[found["words"]]


def stand_in(duration: Amount) -> str:
    """What stands for a *duration* in a text that patterns are tried on: nobody keeps keys for less than a minute."""
    return WAIT if duration.value < _SHORTEST else DURATION


@cache
def measures() -> tuple[Measures, ...]:
    """Every language's measures, sorted by language. Raises Incomplete for a file that isn't whole."""
    return tuple(_read(path) for path in sorted(_HERE.glob("*.yml")))


def _read(path: Path) -> Measures:
    checked = load(path, path.name)
    fields = plain(checked.value.root) if checked.value is not None else None
    if not isinstance(fields, dict):
        raise Incomplete(f"{path.name}: a mapping is wanted")
    places = {"duration": f"[{DURATION}{WAIT}]", "length": LENGTH, "wait": WAIT, "header": _HEADER}

    def pattern(name: str, value: Plain) -> re.Pattern[str]:
        if not isinstance(value, list) or not value:
            raise Incomplete(f"{path.name}: {name} wants a list of patterns")
        return compiled(path.name, tuple(str(item) for item in value), places)

    def told(name: str) -> re.Pattern[str] | None:
        return pattern(name, fields[name]) if name in fields else None

    numbers, units, outcomes = (fields.get(name) for name in ("numbers", "units", "outcomes"))
    if not (isinstance(numbers, dict) and isinstance(units, dict) and isinstance(outcomes, dict)):
        raise Incomplete(f"{path.name}: numbers, units and outcomes want mappings")
    if set(units) != set(_SIZES):
        raise Incomplete(f"{path.name}: units wants {', '.join(_SIZES)}")
    lists = {
        name: pattern(name, fields.get(name))
        for name in ("signs", "topic", "others", "retention", "elsewhere", "at_most", "at_least")
    }
    return Measures(
        language=path.stem,
        numbers={bare(str(word)): float(str(value)) for word, value in numbers.items()},
        units={unit: pattern(unit, words).pattern for unit, words in units.items()},
        half=pattern("half", fields["half"]).pattern if "half" in fields else "(?!)",
        length_units=pattern("length_units", fields.get("length_units")).pattern,
        ellipsis=told("ellipsis"),
        related=told("related"),
        foreign=told("foreign"),
        binding=told("binding"),
        remembered=told("remembered"),
        deleting=told("deleting"),
        running=told("running"),
        keeping=told("keeping"),
        retrying=told("retrying"),
        bygone=told("bygone"),
        endless=told("endless"),
        carried=told("carried"),
        outcomes={str(name): pattern(str(name), words) for name, words in outcomes.items()},
        **lists,
    )
