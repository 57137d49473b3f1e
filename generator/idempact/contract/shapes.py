"""Shapes: what may stand at a place of the contract, read from nodes and written back as plain data.

A shape reads a located node into a value; what is wrong is told to the :class:`Reading` with its place, and
:class:`Unreadable` says that there is no value. Reading goes on elsewhere, so all findings come at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from idempact.contract import form as forms
from idempact.contract import scalar_forms, spelling
from idempact.contract.dotted import Path as Path
from idempact.contract.dotted import dotted as dotted
from idempact.contract.reading import JSON_TEXT as JSON_TEXT
from idempact.contract.reading import UNDECIDED as UNDECIDED
from idempact.contract.reading import UNKNOWN as UNKNOWN
from idempact.contract.reading import Reading as Reading
from idempact.contract.reading import Shape as Shape
from idempact.contract.reading import T as T
from idempact.contract.reading import Unreadable as Unreadable
from idempact.contract.reading import as_word as as_word
from idempact.contract.reading import described as described
from idempact.contract.reading import inherited as inherited
from idempact.contract.reading import said as said
from idempact.contract.reading import suggestion as suggestion
from idempact.contract.reading import word as word
from idempact.contract.units import Duration, Free, Share, Status, Text, parse_status
from idempact.resources.typed import TypeAlias, TypeVar
from idempact.text.dataclass import dataclass
from idempact.text.emit import Verbatim
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, plain_scalar, resolve


@dataclass(frozen=True)
class Parsed(Shape[T]):
    """A scalar of *form* that *parse* understands; it raises ValueError with advice where it doesn't."""

    form: forms.Scalar
    parse: Callable[[str], T]
    rule: str = "wrong-type"

    @property
    def expected(self) -> str:  # type: ignore[override]
        return self.form.about

    def read(self, node: Node, path: Path, reading: Reading) -> T:
        scalar = resolve(node)
        if not isinstance(scalar, Scalar) or not scalar.value:
            raise self.wrong(node, path, reading)
        if word(node) == UNDECIDED:
            message = f"`{dotted(path)}` is undecided: what holds here?"
            raise reading.refuse("undecided-decision", message, node, path, f"write {self.expected}")
        if word(node) == UNKNOWN:
            raise self.wrong(node, path, reading, hint="the word stands for a whole field, not for a part of its value")
        try:
            return self.parse(scalar.value)
        except ValueError as error:
            message = f"`{dotted(path)}` must be {self.expected}, not {described(node)}"
            raise reading.refuse(self.rule, message, node, path, str(error)) from None

    def write(self, value: T) -> Plain:
        return value if isinstance(value, int | bool) else as_text(str(value))


def as_text(text: str) -> str:
    """A free text as plain data: in quotes where it would else be read as a word of the language."""
    return Verbatim(text) if text in _WORDS else text


_WORDS = frozenset({UNDECIDED, UNKNOWN, "none", "forever", "varies", "original"})


DURATION: Shape[Duration] = Parsed(scalar_forms.DURATION, Duration.parse, "wrong-unit")
SHARE: Shape[Share] = Parsed(scalar_forms.SHARE, Share.parse, "wrong-unit")
STATUS: Shape[Status] = Parsed(scalar_forms.STATUS, parse_status)
LINE: Shape[str] = Parsed(scalar_forms.LINE, spelling.line)
CHARACTERS: Shape[str] = Parsed(scalar_forms.CHARACTERS, spelling.characters)
POINTER: Shape[str] = Parsed(scalar_forms.POINTER, spelling.pointer)
HEADER: Shape[str] = Parsed(scalar_forms.HEADER, spelling.token)
HEADER_VALUE: Shape[str] = Parsed(scalar_forms.HEADER_VALUE, spelling.visible)
LOCALE: Shape[str] = Parsed(scalar_forms.LOCALE, spelling.locale)
PATTERN: Shape[str] = Parsed(scalar_forms.PATTERN, spelling.pattern)
DATE: Shape[str] = Parsed(scalar_forms.DATE, spelling.date)
URL: Shape[str] = Parsed(scalar_forms.URL, spelling.url)


_MANY = 1_000_000_000
_DIGITS = 12
"""How many digits of a number are read."""


@dataclass(frozen=True)
class Count(Shape[int]):
    """A bare whole number from *least* on."""

    least: int = 0
    most: int = _MANY

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"a whole number from {self.least} " + ("on" if self.most >= _MANY else f"to {self.most}")

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.Number(self.expected, self.least, None if self.most >= _MANY else self.most)

    def read(self, node: Node, path: Path, reading: Reading) -> int:
        text = word(node)
        digits = (text or "").removeprefix("-")
        if text is None or len(digits) > _DIGITS or not (digits.isascii() and digits.isdigit()):
            raise self.wrong(node, path, reading)
        if not self.least <= int(text) <= self.most:
            raise self.wrong(node, path, reading)
        return int(text)

    def write(self, value: int) -> Plain:
        return value


@dataclass(frozen=True)
class Number(Shape[float]):
    """A bare number, larger than zero, with at most four decimals."""

    expected: str = "a number larger than 0"

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.Number(self.expected, 0, 1_000_000_000, whole=False)

    def read(self, node: Node, path: Path, reading: Reading) -> float:
        text = word(node)
        if text is None or not re.match(r"[0-9]{1,9}(\.[0-9]{1,4})?\Z", text) or float(text) <= 0:
            raise self.wrong(node, path, reading)
        return float(text)

    def write(self, value: float) -> Plain:
        return int(value) if value == int(value) else value


_YES = frozenset({"yes", "on", "y", "true", "always", "required", "mandatory"})
_NO = frozenset({"no", "off", "n", "false", "never", "optional"})


@dataclass(frozen=True)
class Flag(Shape[bool]):
    """``true`` or ``false``."""

    expected: str = "true or false"

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.Truth()

    def read(self, node: Node, path: Path, reading: Reading) -> bool:
        text = word(node)
        if text not in ("true", "false"):
            said = (text or "").lower()
            hint = "write true" if said in _YES else "write false" if said in _NO else ""
            raise self.wrong(node, path, reading, hint=hint)
        return text == "true"

    def write(self, value: bool) -> Plain:
        return value


Refused: TypeAlias = tuple[str, str, str]
"""A word that the domain knows and forbids, the rule by which it does so, and the reason."""


def refuse_word(refused: tuple[Refused, ...], node: Node, path: Path, reading: Reading, hint: str) -> None:
    """Raise Unreadable, with the reason told, where one of the *refused* words stands."""
    text = word(node)
    for name, rule, why in refused:
        if text == name:
            raise reading.refuse(rule, f"`{dotted(path)}: {name}` is refused: {why}", node, path, hint)


E_ = TypeVar("E_", bound=StrEnum)


@dataclass(frozen=True)
class Words(Shape[E_]):
    """One word of a closed set; ``refused`` are words that the domain knows and forbids, with the reason."""

    words: type[E_]
    refused: tuple[Refused, ...] = ()

    @property
    def expected(self) -> str:  # type: ignore[override]
        *rest, last = [w.value for w in self.words]
        return f"{', '.join(rest)} or {last}" if rest else last

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.OneOf(tuple(word.value for word in self.words))

    def read(self, node: Node, path: Path, reading: Reading) -> E_:
        # In quotes, too: nothing but a word can stand here, so nothing else can be meant.
        scalar = resolve(node)
        text = scalar.value if isinstance(scalar, Scalar) else None
        if self.refused:
            refuse_word(self.refused, node, path, reading, f"write {self.expected}")
        if text is None or text not in self.words._value2member_map_:
            raise self.wrong(node, path, reading, hint=suggestion(text or "", [w.value for w in self.words]))
        return self.words(text)

    def write(self, value: E_) -> Plain:
        return value.value


@dataclass(frozen=True)
class ListOf(Shape[tuple[T, ...]]):
    """A list; with *bare*, one item may stand without brackets."""

    item: Shape[T]
    bare: bool = False
    least: int = 0

    @property
    def expected(self) -> str:  # type: ignore[override]
        items = "mappings" if self.item.expected == "a mapping" else self.item.expected
        return f"a list of {items}" + (" (at least one)" if self.least else "")

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.Items(self.item.form, self.least, self.bare)

    def read(self, node: Node, path: Path, reading: Reading) -> tuple[T, ...]:
        target = resolve(node)
        if not isinstance(target, Sequence):
            if self.bare and "," in (word(node) or ""):
                raise self.wrong(node, path, reading, hint=f"write [{word(node)}]")
            if self.bare:
                return (self.item.read(node, path, reading),)
            raise self.wrong(node, path, reading, hint=self._as_list)
        values: list[T] = []
        seen: dict[object, int] = {}
        broken = False
        for index, item in enumerate(target.items):
            place = (*path, str(index))
            reading.places[place] = (item.start, item.end)
            try:
                values.append(self.item.read(as_word(item, self.item), place, reading))
            except Unreadable:
                reading.unread.add(place)
                broken = True
            else:
                first = seen.setdefault(self._same(values[-1]), index)
                if first != index:
                    message = f"`{dotted(place)}` repeats item [{first}] of its list"
                    reading.tell("repeated-item", message, item, place, "remove one of the two")
        if broken:  # a list without some of its items says something else, and counts its items otherwise
            raise Unreadable
        if len(target.items) < self.least:
            message = f"`{dotted(path)}` is empty, and must be {self.expected}"
            raise reading.refuse("wrong-type", message, node, path, self._as_list)
        return tuple(values)

    @property
    def _as_list(self) -> str:
        """How such a list looks."""
        return f"write at least one, as [{getattr(self.item, 'sample', ' … ')}]" if self.least else "write it as [ … ]"

    def _same(self, value: T) -> object:
        """What two equal items have in common; names of headers are equal in any case."""
        return str(value).lower() if self.item is HEADER else value

    def write(self, value: tuple[T, ...]) -> Plain:
        if self.bare and len(value) == 1:
            return self.item.write(value[0])
        return [self.item.write(item) for item in value]


@dataclass(frozen=True)
class OrNone(Shape[T | None]):
    """The word ``none``, or the shape."""

    shape: Shape[T]
    writes_none = True

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"none or {self.shape.expected}"

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.either(forms.NONE, self.shape.form)

    def read(self, node: Node, path: Path, reading: Reading) -> T | None:
        if word(node) == "none":
            return None
        return self.shape.read(node, path, reading)

    def write(self, value: T | None) -> Plain:
        return "none" if value is None else self.shape.write(value)


@dataclass(frozen=True)
class Texts(Shape[Text]):
    """One text for all locales, or a mapping from locale to text."""

    expected: str = "a text, or one text per locale as {en: …, zh: …}"

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.either(CHARACTERS.form, forms.Keyed(scalar_forms.LOCALE, CHARACTERS.form, least=1))

    def read(self, node: Node, path: Path, reading: Reading) -> Text:
        target = resolve(node)
        if isinstance(target, Mapping) and target.entries:
            pairs = []
            for entry in target.entries:
                LOCALE.read(entry.key, path, reading)
                reading.places[(*path, entry.key.value)] = (entry.value.start, entry.value.end)
                pairs.append((entry.key.value, CHARACTERS.read(entry.value, (*path, entry.key.value), reading)))
            return Text(tuple(pairs))
        if isinstance(target, Scalar) and target.value:
            return Text.of(CHARACTERS.read(node, path, reading))
        raise self.wrong(node, path, reading)

    def write(self, value: Text) -> Plain:
        texts: dict[str, Plain] = {locale: as_text(text) for locale, text in value.locales}
        return texts[""] if list(texts) == [""] else texts


@dataclass(frozen=True)
class Either(Shape[T]):
    """A scalar by one shape, a mapping (or list) by the other; *scalar_types* tells which one wrote a value."""

    scalar: Shape[T]
    collection: Shape[T]
    scalar_types: tuple[type, ...]

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"{self.scalar.expected}, or {self.collection.expected}"

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.either(self.scalar.form, self.collection.form)

    def read(self, node: Node, path: Path, reading: Reading) -> T:
        return (self.scalar if isinstance(resolve(node), Scalar) else self.collection).read(node, path, reading)

    def write(self, value: T) -> Plain:
        return (self.scalar if isinstance(value, self.scalar_types) else self.collection).write(value)


def as_written(node: Node) -> Plain:
    """Plain data in which only booleans, null and numbers that read back as they were written are not texts."""
    target = resolve(node)
    if isinstance(target, Mapping):
        return {entry.key.value: as_written(entry.value) for entry in target.entries}
    if isinstance(target, Sequence):
        return [as_written(item) for item in target.items]
    if not isinstance(target, Scalar):
        return None
    value = plain_scalar(target)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if str(value) == target.value else target.value
    return value


@dataclass(frozen=True)
class Anything(Shape[Free]):
    """Any value of the author's own."""

    expected: str = "any value"
    open = True

    @property
    def form(self) -> forms.Form:  # type: ignore[override]
        return forms.Free()

    def read(self, node: Node, path: Path, reading: Reading) -> Free:
        return Free.of(as_written(node))

    def write(self, value: Free) -> Plain:
        free: Plain = value.value
        return as_text(free) if isinstance(free, str) else free
