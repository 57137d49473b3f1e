"""Durations, shares, statuses and texts, as the contract writes them."""

from __future__ import annotations

import re
from enum import Enum

from idempact.contract.dotted import quote
from idempact.resources.typed import Any, Final, TypeAlias, TypeVar
from idempact.text.dataclass import dataclass, field
from idempact.text.pattern import regex

T = TypeVar("T")


class NotDocumented(Enum):
    """The one value for a fact that an observed API's documents don't state (or that couldn't be read)."""

    WORD = "not-documented"

    def __str__(self) -> str:
        return self.value


NOT_DOCUMENTED: Final = NotDocumented.WORD
Documented: TypeAlias = T | NotDocumented  # type: ignore[misc, unused-ignore]

_UNITS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION = regex(r"([0-9]{1,12})(ms|s|m|h|d)\Z")


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A whole number of milliseconds, and how it was written (which doesn't count when two are compared)."""

    ms: int
    written: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Read ``250ms``, ``90s``, ``5m``, ``24h`` or ``7d``. Raises ValueError with advice for anything else."""
        match = _DURATION.match(text)
        if match:
            return cls(int(match[1]) * _UNITS[match[2]], text)
        raise ValueError(_duration_advice(text))

    @property
    def unit(self) -> str:
        """The unit of :meth:`__str__`: ms, s, m, h or d."""
        return str(self).lstrip("0123456789")

    @property
    def count(self) -> int:
        """The number of :attr:`unit` s."""
        return int(str(self).removesuffix(self.unit))

    @property
    def seconds(self) -> float:
        """The duration in seconds."""
        return self.ms / 1000

    def __str__(self) -> str:
        """As written; a computed one in its largest whole unit (days from four days on, so that 72h stays 72h)."""
        if self.written:
            return self.written
        for unit, size in reversed(_UNITS.items()):
            if self.ms and self.ms % size == 0 and not (unit == "d" and self.ms < 4 * size):
                return f"{self.ms // size}{unit}"
        return "0s"


def _duration_advice(text: str) -> str:
    if re.match(r"P(?=[0-9T])", text):
        return "ISO 8601 durations aren't used here; write 24h, 7d or 90s"
    if re.match(r"[0-9]+\Z", text):
        return f"a duration needs its unit; write {text}s, {text}m, {text}h or {text}d (or ms)"
    broken = re.match(r"([0-9]{1,6}\.[0-9]{1,3}) *(s|m|h|d)\Z", text)
    if broken:
        whole = Duration(round(float(broken[1]) * _UNITS[broken[2]]))
        return f"a duration is a whole number with a unit; write {whole}"
    if re.match(r"[0-9]+\.[0-9]+ *[a-z]+\Z", text):
        return "a duration is a whole number with a unit; take a smaller unit, as 1500ms for 1.5s"
    spelled = re.match(
        r"([0-9]+) *(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\Z", text, re.I
    )
    if spelled:
        word = spelled[2].lower()
        return f"write {spelled[1]}{'ms' if word.startswith(('ms', 'mil')) else word[0]}"
    weeks = re.match(r"([0-9]{1,6}) *w(eeks?)?\Z", text, re.I)
    if weeks:
        return f"write {int(weeks[1]) * 7}d; a day is the longest unit"
    longer = re.match(r"([0-9]{1,4}) *(months?|years?|y)\Z", text, re.I)
    if longer:
        days = int(longer[1]) * (30 if longer[2].lower().startswith("mo") else 365)
        return f"write {days}d; a day is the longest unit"
    return "a duration is a whole number and ms, s, m, h or d, as 24h"


@dataclass(frozen=True, slots=True, order=True)
class Share:
    """A share in per cent."""

    percent: float

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read ``10%``. Raises ValueError for anything else, and beyond 0 to 100."""
        match = re.match(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%\Z", text)
        if not match or not 0 <= float(match[1]) <= 100:
            raise ValueError("a share is written with a per cent sign, from 0% to 100%, as 10%")
        return cls(float(match[1]))

    def __str__(self) -> str:
        return f"{self.percent:.6f}".rstrip("0").rstrip(".") + "%"


@dataclass(frozen=True, slots=True, order=True)
class StatusClass:
    """Every status of one class, as 4xx (RFC 9110, section 15)."""

    first_digit: int

    def __str__(self) -> str:
        return f"{self.first_digit}xx"


Status: TypeAlias = int | StatusClass


def parse_status(text: str) -> Status:
    """Read ``409`` or ``4xx``. Raises ValueError for anything else (RFC 9110: three digits, 100 to 599)."""
    if text[1:] in ("xx", "XX", "xX", "Xx") and text[0] in "12345":
        return StatusClass(int(text[0]))
    if re.match(r"[1-5][0-9]{2}\Z", text):
        return int(text)
    raise ValueError("a status is a number from 100 to 599, or a class as 4xx; several stand in a list, as [502, 5xx]")


def overlap(one: Status, other: Status) -> bool:
    """Whether a response could have both statuses."""
    match one, other:
        case int(), int():
            return one == other
        case StatusClass(), StatusClass():
            return one == other
        case int(), StatusClass():
            return one // 100 == other.first_digit
        case _:
            return overlap(other, one)


class Free:
    """A value of the author's own (an error example, an old value): plain data, kept as JSON."""

    __slots__ = ("_json", "_told")

    def __init__(self, json: str) -> None:
        self._json: str | None = json
        self._told: object = None

    @classmethod
    def of(cls, value: object) -> Free:
        """Keep plain data, of which nobody changes a part any more."""
        made = cls("")
        made._json, made._told = None, value
        return made

    @property
    def json(self) -> str:
        """The data as JSON, written when somebody asks: a check does for short texts, and would load what writes it."""
        if self._json is None and isinstance(self._told, str):
            self._json = quote(self._told)
        elif self._json is None:
            from json import dumps

            self._json = dumps(self._told, ensure_ascii=False)
        return self._json

    @property
    def value(self) -> Any:
        """The plain data, a copy each time."""
        if isinstance(self._told, str):
            return self._told
        from json import loads

        return loads(self.json)

    def __eq__(self, other: object) -> bool:
        return self.json == other.json if isinstance(other, Free) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.json)

    def __repr__(self) -> str:
        return f"Free(json={self.json!r})"

    def __str__(self) -> str:
        """A text as it is; a duration, number or word as written; anything else as JSON."""
        value = self.value
        return value if isinstance(value, str) else self.json


@dataclass(frozen=True, slots=True)
class Text:
    """A free text: one for all locales (under the locale ``""``), or one per locale."""

    locales: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, text: str) -> Text:
        """One text for all locales."""
        return cls((("", text),))

    def for_locale(self, locale: str) -> str:
        """The text for *locale*; where there is none, the one for all, then English, then the first."""
        texts = dict(self.locales)
        return texts.get(locale) or texts.get("") or texts.get("en") or self.locales[0][1]

    def __str__(self) -> str:
        return self.for_locale("en")
