"""Shapes: what may stand at a place of the contract, read from nodes and written back as plain data.

A shape reads a located node into a value; what is wrong is told to the :class:`Reading` with its place, and
:class:`Unreadable` says that there is no value. Reading goes on elsewhere, so all findings come at once.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Generic, TypeVar

from idempact.contract import spelling
from idempact.contract.dotted import Path as Path
from idempact.contract.dotted import dotted as dotted
from idempact.contract.units import Duration, Free, Share, Status, Text, parse_status
from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.emit import Verbatim
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, Style, plain_scalar, resolve
from idempact.text.span import Document

T = TypeVar("T")

UNDECIDED = "undecided"
UNKNOWN = "not-documented"
JSON_TEXT = "!json"
"""The tag of a JSON string while a contract is read: there, words of the language stand in quotes, too."""


class Unreadable(Exception):
    """There is no value at this place; why has been told already."""


@dataclass(slots=True)
class Reading:
    """One reading of a contract: where we are told what was found, and which place each path has."""

    document: Document
    observer: bool = False
    found: list[Diagnostic] = field(default_factory=list)
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    extensions: list[tuple[Path, Plain]] = field(default_factory=list)

    def tell(
        self,
        rule: str,
        message: str,
        node: Node | None,
        path: Path,
        hint: str = "",
        severity: Severity = Severity.ERROR,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note a finding at *node* (at the file's start without one)."""
        span = self.document.span(node.start, node.end) if node is not None else self.document.span(0)
        self.found.append(Diagnostic(f"contract/{rule}", severity, message, span, dotted(path), hint, related))

    def refuse(self, rule: str, message: str, node: Node, path: Path, hint: str = "") -> Unreadable:
        """Note an error, and give the exception to raise."""
        self.tell(rule, message, node, path, hint)
        return Unreadable()


def suggestion(word: str, known: Iterable[str]) -> str:
    """``did you mean …?`` for the known word nearest to *word*, or nothing."""
    close = get_close_matches(word.lower().replace("-", "_"), [k.lower().replace("-", "_") for k in known], 1, 0.6)
    match = next((k for k in known if close and k.lower().replace("-", "_") == close[0]), None)
    return f"did you mean `{match}`?" if match else ""


def described(node: Node) -> str:
    """What stands at a node, in a few words."""
    node = resolve(node)
    if isinstance(node, Scalar):
        if node.style is Style.PLAIN and not node.value:
            return "nothing"
        text = node.value if len(node.value) <= 40 else node.value[:37] + "…"
        return f"{text!r}"
    return "a list" if isinstance(node, Sequence) else "a mapping"


def word(node: Node) -> str | None:
    """The plain scalar at *node*; None for anything else (a quoted text is no word of the language, but in JSON)."""
    node = resolve(node)
    return node.value if isinstance(node, Scalar) and (node.style is Style.PLAIN or node.tag == JSON_TEXT) else None


class Shape(ABC, Generic[T]):
    """What may stand at a place."""

    expected: str
    writes_none: bool = False  # whether the value None is written as a word

    @abstractmethod
    def read(self, node: Node, path: Path, reading: Reading) -> T:
        """The value at *node*. Raises Unreadable once the reading was told why there is none."""

    @abstractmethod
    def write(self, value: T) -> Plain:
        """The value as plain data that reads back as the same value."""

    def wrong(self, node: Node, path: Path, reading: Reading, why: str = "", hint: str = "") -> Unreadable:
        """Note that something else stands here."""
        message = f"`{dotted(path)}` must be {self.expected}, not {described(node)}"
        return reading.refuse("wrong-type", message + (f": {why}" if why else ""), node, path, hint)


@dataclass(frozen=True)
class Parsed(Shape[T]):
    """A scalar that *parse* understands; it raises ValueError with advice where it doesn't."""

    expected: str
    parse: Callable[[str], T]
    rule: str = "wrong-type"

    def read(self, node: Node, path: Path, reading: Reading) -> T:
        scalar = resolve(node)
        if not isinstance(scalar, Scalar) or not scalar.value:
            raise self.wrong(node, path, reading)
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


DURATION: Shape[Duration] = Parsed("a duration such as 24h", Duration.parse, "wrong-unit")
SHARE: Shape[Share] = Parsed("a share such as 10%", Share.parse, "wrong-unit")
STATUS: Shape[Status] = Parsed("a status such as 409, or a class such as 4xx", parse_status)
LINE: Shape[str] = Parsed("a text on one line", spelling.line)
CHARACTERS: Shape[str] = Parsed("a text", spelling.characters)
POINTER: Shape[str] = Parsed("a JSON Pointer such as /error/code", spelling.pointer)
HEADER: Shape[str] = Parsed("a header name", spelling.token)
HEADER_VALUE: Shape[str] = Parsed("a header value", spelling.visible)
LOCALE: Shape[str] = Parsed("a locale such as en", spelling.locale)
PATTERN: Shape[str] = Parsed("a regular expression", spelling.pattern)
DATE: Shape[str] = Parsed("a date such as 2026-11-30", spelling.date)
URL: Shape[str] = Parsed("an address such as https://example.com/help", spelling.url)


_MANY = 1_000_000_000


@dataclass(frozen=True)
class Count(Shape[int]):
    """A bare whole number from *least* on."""

    least: int = 0
    most: int = _MANY

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"a whole number from {self.least} " + ("on" if self.most >= _MANY else f"to {self.most}")

    def read(self, node: Node, path: Path, reading: Reading) -> int:
        text = word(node)
        if text is None or not re.match(r"-?[0-9]{1,12}\Z", text):
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

    def read(self, node: Node, path: Path, reading: Reading) -> float:
        text = word(node)
        if text is None or not re.match(r"[0-9]{1,9}(\.[0-9]{1,4})?\Z", text) or float(text) <= 0:
            raise self.wrong(node, path, reading)
        return float(text)

    def write(self, value: float) -> Plain:
        return int(value) if value == int(value) else value


@dataclass(frozen=True)
class Flag(Shape[bool]):
    """``true`` or ``false``."""

    expected: str = "true or false"

    def read(self, node: Node, path: Path, reading: Reading) -> bool:
        text = word(node)
        if text not in ("true", "false"):
            hint = "write true or false" if text in ("yes", "no", "on", "off", "True", "False") else ""
            raise self.wrong(node, path, reading, hint=hint)
        return text == "true"

    def write(self, value: bool) -> Plain:
        return value


E_ = TypeVar("E_", bound=StrEnum)


@dataclass(frozen=True)
class Words(Shape[E_]):
    """One word of a closed set; ``refused`` are words that the domain knows and forbids, with the reason."""

    words: type[E_]
    refused: tuple[tuple[str, str, str], ...] = ()

    @property
    def expected(self) -> str:  # type: ignore[override]
        *rest, last = [w.value for w in self.words]
        return f"{', '.join(rest)} or {last}" if rest else last

    def read(self, node: Node, path: Path, reading: Reading) -> E_:
        text = word(node)
        for name, rule, why in self.refused:
            if text == name:
                raise reading.refuse(
                    rule, f"`{dotted(path)}: {name}` is refused: {why}", node, path, f"use {self.expected}"
                )
        if text is None or text not in {w.value for w in self.words}:
            known = [w.value for w in self.words]
            close = get_close_matches(text or "", known, 1, 0.6)
            hint = f"did you mean `{close[0]}`?" if close else ""
            raise self.wrong(node, path, reading, hint=hint)
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
        return f"a list of {self.item.expected}" + (" (at least one)" if self.least else "")

    def read(self, node: Node, path: Path, reading: Reading) -> tuple[T, ...]:
        target = resolve(node)
        if not isinstance(target, Sequence):
            if self.bare:
                return (self.item.read(node, path, reading),)
            raise self.wrong(node, path, reading, hint="write it as [ … ]" if isinstance(target, Scalar) else "")
        values: list[T] = []
        for index, item in enumerate(target.items):
            place = (*path, str(index))
            reading.places[place] = (item.start, item.end)
            try:
                values.append(self.item.read(item, place, reading))
            except Unreadable:
                continue
        if len(target.items) < self.least:
            raise self.wrong(node, path, reading)
        return tuple(values)

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

    def read(self, node: Node, path: Path, reading: Reading) -> Text:
        target = resolve(node)
        if isinstance(target, Mapping) and target.entries:
            pairs = []
            for entry in target.entries:
                LOCALE.read(entry.key, path, reading)
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

    def read(self, node: Node, path: Path, reading: Reading) -> Free:
        return Free.of(as_written(node))

    def write(self, value: Free) -> Plain:
        free: Plain = value.value
        return as_text(free) if isinstance(free, str) else free
