"""The key: how it travels, what it may hold, what it is unique within, and what makes two requests the same."""

from __future__ import annotations

import re
from enum import StrEnum

from idempact.contract.form import NONE, Form, Member, OneOf, either
from idempact.contract.model.template import TEMPLATE
from idempact.contract.records import Record, advice, decision, fact, part
from idempact.contract.shapes import (
    HEADER,
    LINE,
    PATTERN,
    POINTER,
    Count,
    Flag,
    ListOf,
    OrNone,
    Path,
    Reading,
    Shape,
    Texts,
    Words,
    described,
    dotted,
    inherited,
    suggestion,
    word,
)
from idempact.contract.units import Documented, Text
from idempact.resources.typed import Any, TypeAlias
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, resolve


class Carrier(StrEnum):
    """Where a request carries its key."""

    HEADER = "header"
    QUERY = "query"
    BODY = "body"
    DIRECTIVE = "directive"
    METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class RequiredWhen:
    """The key is required under a condition."""

    when: Text


class KeyFormat(StrEnum):
    """What the server accepts as a key; compared byte for byte."""

    VISIBLE_ASCII = "visible-ascii"
    URL_SAFE = "url-safe"
    UUID = "uuid"
    UUID_V4 = "uuid-v4"
    UUID_V5 = "uuid-v5"
    UUID_V7 = "uuid-v7"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that the whole key matches."""

    pattern: str


class LengthUnit(StrEnum):
    """What a length counts."""

    CHARACTERS = "characters"
    BYTES = "bytes"


class Quoted(StrEnum):
    """Whether the key stands in quotes, as an RFC 9651 String."""

    NO = "false"
    YES = "true"
    EITHER = "either"


class RandomKind(StrEnum):
    """A random key, made once before the loop."""

    UUID_V4 = "uuid-v4"
    UUID_V7 = "uuid-v7"


_NEW_KEYS = "no server sees a new key as a repeat, so each retry is another request"
_REFUSED_KEYS = (
    ("per-attempt", "new-key-per-attempt", _NEW_KEYS),
    ("new-for-each-attempt", "new-key-per-attempt", _NEW_KEYS),
)


class FirstSentFormat(StrEnum):
    """How the time of the first attempt is written."""

    HTTP_DATE = "http-date"


class ScopeWord(StrEnum):
    """What a key is unique within; the same key outside it is another request."""

    ACCOUNT = "account"
    USER = "user"
    API_KEY = "api-key"
    CLIENT = "client"
    CALLER = "caller"
    MERCHANT = "merchant"
    ENVIRONMENT = "environment"
    REGION = "region"
    OPERATION = "operation"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Session:
    """A scope of the API's own, with its meaning."""

    meaning: Text


class FingerprintBody(StrEnum):
    """Which bodies count as equal."""

    CANONICAL = "canonical"
    PARSED = "parsed"
    RAW = "raw"


Required: TypeAlias = bool | RequiredWhen
Format: TypeAlias = KeyFormat | Pattern
ScopePart: TypeAlias = ScopeWord | Session


class _Required(Shape[Required]):
    expected = "true, false or {when: …}"
    form = either(Flag().form, Member("when", Texts().form))
    open = True

    def read(self, node: Node, path: Path, reading: Reading) -> Required:
        target = resolve(node)
        if isinstance(target, Mapping) and [e.key.value for e in target.entries] == ["when"]:
            return RequiredWhen(Texts().read(target.entries[0].value, (*path, "when"), reading))
        if isinstance(target, Mapping | Sequence):
            raise self.wrong(node, path, reading)
        return Flag(self.expected).read(node, path, reading)

    def write(self, value: Required) -> Plain:
        return {"when": Texts().write(value.when)} if isinstance(value, RequiredWhen) else value


class _Format(Shape[Format]):
    expected = f"{Words(KeyFormat).expected}, or {{pattern: …}}"
    form = either(Words(KeyFormat).form, Member("pattern", PATTERN.form))
    open = True

    def read(self, node: Node, path: Path, reading: Reading) -> Format:
        target = resolve(node)
        if isinstance(target, Mapping) and [e.key.value for e in target.entries] == ["pattern"]:
            return Pattern(PATTERN.read(target.entries[0].value, (*path, "pattern"), reading))
        if not isinstance(target, Scalar):
            raise self.wrong(node, path, reading)
        if re.search(r"[\[\](){}^$*+?\\]", target.value):
            raise self.wrong(node, path, reading, hint=f"write {{pattern: '{target.value}'}}")
        return Words(KeyFormat).read(node, path, reading)

    def write(self, value: Format) -> Plain:
        return {"pattern": value.pattern} if isinstance(value, Pattern) else value.value


class _Scope(Shape[tuple[ScopePart, ...]]):
    expected = f"a list of {Words(ScopeWord).expected}, or {{session: what that is}}"
    open = True

    @property
    def form(self) -> Form:  # type: ignore[override]
        return ListOf(_ScopePart(), bare=True, least=1).form

    def read(self, node: Node, path: Path, reading: Reading) -> tuple[ScopePart, ...]:
        return ListOf(_ScopePart(), bare=True, least=1).read(node, path, reading)

    def write(self, value: tuple[ScopePart, ...]) -> Plain:
        return [_ScopePart().write(part) for part in value]


class _ScopePart(Shape[ScopePart]):
    expected = f"{Words(ScopeWord).expected}, or {{session: what that is}}"
    form = either(Words(ScopeWord).form, Member("session", Texts().form))

    def read(self, node: Node, path: Path, reading: Reading) -> ScopePart:
        target = resolve(node)
        if isinstance(target, Mapping) and [e.key.value for e in target.entries] == ["session"]:
            return Session(Texts().read(target.entries[0].value, (*path, "session"), reading))
        if word(node) == "global":
            raise reading.refuse(
                "global-scope",
                "`scope: global` is refused: two callers who send the same key would get each other's results",
                node,
                path,
                "write who owns a key, as [account, operation]",
            )
        if not isinstance(target, Scalar):
            raise self.wrong(node, path, reading)
        if word(node) not in {known.value for known in ScopeWord}:
            near = suggestion(word(node) or "", [known.value for known in ScopeWord])
            raise self.wrong(node, path, reading, hint=near or "for a scope of your own write {session: what that is}")
        return Words(ScopeWord).read(node, path, reading)

    def write(self, value: ScopePart) -> Plain:
        return {"session": Texts().write(value.meaning)} if isinstance(value, Session) else value.value


class _Quoted(Shape[Quoted]):
    expected = "false, true or either"
    form = either(Flag().form, OneOf((Quoted.EITHER.value,)))

    def read(self, node: Node, path: Path, reading: Reading) -> Quoted:
        text = word(node)
        if text is None or text not in {w.value for w in Quoted}:
            raise self.wrong(node, path, reading)
        return Quoted(text)

    def write(self, value: Quoted) -> Plain:
        return value.value if value is Quoted.EITHER else value is Quoted.YES


_LONGEST = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """The key's length, both ends included."""

    min: int = advice("min", Count(1, _LONGEST), 1, "the shortest key")
    max: int = advice("max", Count(1, _LONGEST), 255, "the longest key")
    unit: LengthUnit = advice("unit", Words(LengthUnit), LengthUnit.CHARACTERS, "what is counted")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCarrier:
    """A second way in which the key may travel; sending two is a malformed key."""

    carrier: Carrier = part("in", Words(Carrier), "where it travels")
    name: str = part("name", LINE, "its name there")


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSent:
    """Where each attempt repeats the time of the first one."""

    carrier: Carrier = part("in", Words(Carrier), "where it travels")
    name: str = part("name", LINE, "its name there")
    format: FirstSentFormat = advice("format", Words(FirstSentFormat), FirstSentFormat.HTTP_DATE, "how it is written")


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """How callers make the key, best first: named after the business event, after one request, or random."""

    event: str | None = advice("event", OrNone(TEMPLATE), None, "named after the business event, per operation")
    request: str | None = advice("request", OrNone(TEMPLATE), None, "named after one request")
    random: RandomKind = advice(
        "random",
        Words(RandomKind, _REFUSED_KEYS),
        RandomKind.UUID_V4,
        "made once before the loop, kept until the outcome is known",
    )


class _Length(Shape[Length]):
    expected = "a mapping with min, max and unit"
    form = Record(Length).form
    records = (Length,)

    def read(self, node: Node, path: Path, reading: Reading) -> Length:
        length = Record(Length).read(node, path, reading)
        if length.min > length.max:
            target = resolve(node)
            above = inherited(target, "min", "max") if isinstance(target, Mapping) else None
            raise reading.refuse(
                "contradictory-length",
                f"`{dotted(path)}`: the shortest key ({length.min}) is longer than the longest ({length.max})",
                node,
                path,
                "swap min and max" if above is None else f"write `{above.key.value}` here, too",
                reading.from_above(above),
            )
        return length

    def write(self, value: Length) -> Plain:
        return Record(Length).write(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """How a key travels, and what the server accepts."""

    section = True

    carrier: Carrier = advice("in", Words(Carrier), Carrier.HEADER, "where it travels")
    name: Documented[str] = decision(
        "name",
        LINE,
        "Under which name does the key travel?",
        "Integrators and every generated client must send this very name.",
    )
    required: Documented[Required] = decision(
        "required",
        _Required(),
        "Must a keyed request carry a key?",
        "Without one a repeat can't be told from a new request.",
    )
    format: Documented[Format] = fact("format", _Format(), KeyFormat.VISIBLE_ASCII, "what the server accepts")
    length: Documented[Length] = fact("length", _Length(), Length(), "how long a key may be")
    quoted: Documented[Quoted] = fact("quoted", _Quoted(), Quoted.NO, "whether it stands in quotes (RFC 9651)")
    also: Documented[tuple[OtherCarrier, ...]] = fact("also", ListOf(Record(OtherCarrier)), (), "other carriers")
    first_sent: Documented[FirstSent | None] = fact(
        "first_sent", OrNone(Record(FirstSent)), None, "the time of the first attempt, repeated on each"
    )
    derivation: Derivation = advice("derivation", Record(Derivation), Derivation(), "how callers make it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What makes a second request the same request, beside its operation, path and query."""

    section = True

    body: Documented[FingerprintBody] = decision(
        "body",
        Words(FingerprintBody),
        "Which bodies are the same request: canonical, parsed or raw?",
        "It decides which repeats are answered and which are refused as a mismatch.",
    )
    headers: Documented[tuple[str, ...]] = fact("headers", ListOf(HEADER), (), "headers that change the meaning")
    ignores: Documented[tuple[str, ...]] = fact("ignores", ListOf(POINTER), (), "members that don't count")
    version: Documented[int] = fact("version", Count(1), 1, "raised when the calculation changes")


def _no_fingerprint(node: Node, path: Path, reading: Reading) -> Fingerprint | None:
    if word(node) == "none":
        return None
    raise reading.refuse(
        "wrong-type",
        f"`{dotted(path)}` must be none or a mapping with body, not {described(node)}",
        node,
        path,
        "write {body: canonical}, {body: parsed}, {body: raw} or none",
    )


SCOPE: Shape[tuple[ScopePart, ...]] = _Scope()


class _Fingerprint(Shape[Fingerprint | None]):
    expected = "none, or a mapping with body"
    form = either(NONE, Record(Fingerprint).form)
    writes_none = True
    section: Any = Record(Fingerprint)

    def read(self, node: Node, path: Path, reading: Reading) -> Fingerprint | None:
        if isinstance(resolve(node), Mapping):
            return Record(Fingerprint).read(node, path, reading)
        return _no_fingerprint(node, path, reading)

    def write(self, value: Fingerprint | None) -> Plain:
        return "none" if value is None else Record(Fingerprint).write(value)


FINGERPRINT: Shape[Fingerprint | None] = _Fingerprint()

UUID_LENGTH = 36  # RFC 9562, section 4: 32 hexadecimal digits and four hyphens


class _Key(Record[Key]):
    """The key's mapping; a UUID format brings its length."""

    def read(self, node: Node, path: Path, reading: Reading) -> Key:
        key = super().read(node, path, reading)
        target = resolve(node)
        uuid = isinstance(key.format, KeyFormat) and key.format.value.startswith("uuid")
        if uuid and isinstance(target, Mapping) and target.entry("length") is None:
            return replace(key, length=Length(min=UUID_LENGTH, max=UUID_LENGTH))
        return key


KEY: Record[Key] = _Key(Key)
