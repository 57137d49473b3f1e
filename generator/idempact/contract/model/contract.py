"""The whole contract, and the settings that hold for one operation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from idempact.contract import scalar_forms
from idempact.contract.model.answers import ANSWERS, Answers
from idempact.contract.model.errors import ERRORS, Errors
from idempact.contract.model.key import FINGERPRINT, KEY, SCOPE, Fingerprint, Key, ScopePart
from idempact.contract.model.operations import ExternalEffect, OperationKey, OperationKind, Safety
from idempact.contract.model.replay import REPLAY, STORED_FAILURES, Replay, StoredFailures
from idempact.contract.model.retry import RETRY, Retry
from idempact.contract.model.server import SERVER, Server
from idempact.contract.model.windows import WINDOWS, Windows
from idempact.contract.records import Record, advice, decision, fact, part
from idempact.contract.shapes import (
    CHARACTERS,
    DATE,
    LINE,
    LOCALE,
    URL,
    Anything,
    Count,
    Flag,
    ListOf,
    OrNone,
    Parsed,
    Texts,
    Words,
)
from idempact.contract.units import Documented, Free, NotDocumented, Text
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain

LANGUAGE_VERSION = 1


class WrittenBy(StrEnum):
    """Who writes: the API's owner, who decides, or someone who describes another company's API."""

    PROVIDER = "provider"
    OBSERVER = "observer"


class Protocol(StrEnum):
    """What the API speaks."""

    HTTP = "http"
    GRPC = "grpc"
    GRAPHQL = "graphql"


class Guideline(StrEnum):
    """A style guide for APIs, of those that say something about an answer's status."""

    ZALANDO = "zalando"
    IBM = "ibm"


class Unlisted(StrEnum):
    """What a state-changing operation of the OpenAPI file is that the contract doesn't name."""

    ERROR = "error"
    WARNING = "warning"


def _base_url(text: str) -> str:
    # A host may hold {placeholders}, as in https://{shop}.example.com.
    if not re.match(r"https?://[^\s<>\"`'\\]+\Z", text):
        raise ValueError("an address starts with https:// (or http://) and holds no spaces or quotes")
    return text.rstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """The API that the contract is about."""

    section = True

    name: Documented[Text] = decision(
        "name", Texts(), "What is the API called?", "Pages and components carry the name."
    )
    base_url: Documented[str | None] = decision(
        "base_url",
        OrNone(Parsed(scalar_forms.BASE_URL, _base_url)),
        "Under which address is it reached?",
        "Examples and loops call it.",
    )
    contact: Documented[str] = decision(
        "contact",
        URL,
        "Where does an integrator report an unknown outcome?",
        "When nobody can tell, somebody must answer.",
    )
    version: Documented[str | None] = fact("version", OrNone(LINE), None, "the API's own version")
    protocols: tuple[Protocol, ...] = advice(
        "protocols", ListOf(Words(Protocol), bare=True, least=1), (Protocol.HTTP,), "what it speaks"
    )
    guidelines: tuple[Guideline, ...] = advice(
        "guidelines", ListOf(Words(Guideline), bare=True), (), "style guides that the API is held to"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The sections that operations may override: what holds for one operation."""

    key: Key
    scope: Documented[tuple[ScopePart, ...]]
    fingerprint: Fingerprint | None
    windows: Windows
    replay: Replay
    stored_failures: StoredFailures
    answers: Answers
    errors: Errors
    retry: Retry


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation with the settings that hold for it; ``overrides`` names the sections that it changes."""

    key: OperationKey
    safety: Documented[Safety]
    settings: Settings
    because: Text | None = None
    instead: Text | None = None
    repeat_status: int | None = None
    lookup: str | None = None
    external_effects: tuple[ExternalEffect, ...] = ()
    overrides: tuple[str, ...] = ()

    @property
    def unsafe(self) -> bool:
        """Whether a repeat must be taken to act again: it is said to, or nobody says that it doesn't."""
        return isinstance(self.safety, NotDocumented) or self.safety is Safety.UNSAFE


@dataclass(frozen=True, slots=True, kw_only=True)
class Sdk:
    """What differs for callers through the provider's SDK."""

    max_attempts: int | None = advice("max_attempts", Count(1, 100), None, "its attempts (retry.max_attempts)")
    generates_keys: bool = advice("generates_keys", Flag(), True, "whether it makes a key where the caller gave none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Publish:
    """What is published, and in which languages."""

    provider: bool = advice("provider", Flag(), False, "whether the implementer's pages are included")
    locales: tuple[str, ...] = advice("locales", ListOf(LOCALE, bare=True, least=1), ("en",), "the pages' languages")
    languages: tuple[str, ...] = advice(
        "languages",
        ListOf(LINE, bare=True),
        ("python", "typescript", "java", "kotlin", "go", "rust", "ruby", "php", "shell"),
        "the loops' programming languages",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of the contract, in force from its date on."""

    date: Documented[str] = decision("date", DATE, "From when on is the change in force?", "")
    announced: str | None = advice("announced", DATE, None, "when it was announced")
    at: str = part("at", LINE, "the field that changed")
    before: Free | None = advice("from", Anything(), None, "its old value")
    after: Free | None = advice("to", Anything(), None, "its new value")
    text: Text | None = advice("text", Texts(), None, "what it means")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Where a value comes from, and what it doesn't say."""

    at: str = part("at", LINE, "the field that it is about")
    source: str | None = advice("source", URL, None, "where the value comes from")
    read: str | None = advice("read", DATE, None, "when the source was read")
    quote: str | None = advice("quote", CHARACTERS, None, "its words")
    text: Text | None = advice("text", Texts(), None, "what is to be said beside it")
    confirmed: bool = advice("confirmed", Flag(), True, "false for a secondary source or memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Every section but the operations."""

    idempact: int = decision("idempact", Count(1), "Which version of the contract language is this?", "Write 1.")
    written_by: WrittenBy = advice("written_by", Words(WrittenBy), WrittenBy.PROVIDER, "who writes")
    api: Api = decision("api", Record(Api), "Which API is this?", "")
    key: Key = decision("key", KEY, "How does the key travel?", "")
    scope: Documented[tuple[ScopePart, ...]] = decision(
        "scope",
        SCOPE,
        "What is a key unique within?",
        "Outside it the same key is another request, and inside it two callers can collide.",
    )
    fingerprint: Fingerprint | None = decision(
        "fingerprint",
        FINGERPRINT,
        "What makes a second request the same request?",
        "It decides which repeats are answered and which are refused as a mismatch.",
    )
    windows: Windows = decision("windows", WINDOWS, "How long is a key remembered?", "")
    replay: Replay = decision("replay", REPLAY, "What does a repeat of a completed request get?", "")
    stored_failures: StoredFailures = decision(
        "stored_failures",
        STORED_FAILURES,
        "What does a repeat get after a first run that failed?",
        "A caller whose request failed must know whether the same key can ever give another answer.",
    )
    answers: Answers = decision("answers", ANSWERS, "What does a request get that isn't simply done or replayed?", "")
    errors: Errors = fact("errors", ERRORS, Errors(), "the form of every error answer")
    retry: Retry = advice("retry", RETRY, Retry(), "the advice to callers")
    operations: Free = decision(
        "operations",
        Anything("a mapping from an operation to its safety, as {POST /payments: keyed}"),
        "Which operations change state?",
        "A retry is safe or not by operation.",
    )
    unlisted_operations: Unlisted = advice(
        "unlisted_operations", Words(Unlisted), Unlisted.ERROR, "a state-changing operation that no key names"
    )
    sdk: Sdk | None = advice("sdk", OrNone(Record(Sdk)), None, "what differs for callers through the SDK")
    server: Server | None = advice("server", OrNone(SERVER), None, "the provider's side")
    publish: Publish = advice("publish", Record(Publish), Publish(), "what is published")
    changes: tuple[Change, ...] = advice("changes", ListOf(Record(Change)), (), "newest first")
    notes: tuple[Note, ...] = advice("notes", ListOf(Record(Note)), (), "sources and remarks")


SECTIONS = ("key", "scope", "fingerprint", "windows", "replay", "stored_failures", "answers", "errors", "retry")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """Everything that a contract says, defaults filled in.

    ``backoff_written`` are the operations (by key; "" for the section above them) whose backoff the author wrote.
    """

    version: int
    written_by: WrittenBy
    api: Api
    settings: Settings
    operations: tuple[Operation, ...]
    unlisted_operations: Unlisted = Unlisted.ERROR
    sdk: Sdk | None = None
    server: Server | None = None
    publish: Publish = Publish()
    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()
    extensions: tuple[tuple[str, Plain], ...] = ()
    # How a value was written makes no other contract of it.
    backoff_written: frozenset[str] = field(default=frozenset(), compare=False)

    def tells_backoff(self, operations: Sequence[str]) -> bool:
        """Whether these operations' backoff is the API's own: an observer's default is our advice."""
        return not self.observed or self.backoff_written.issuperset(operations or ("",))

    @property
    def observed(self) -> bool:
        """Whether an observer wrote it."""
        return self.written_by is WrittenBy.OBSERVER


__all__ = [
    "LANGUAGE_VERSION",
    "SECTIONS",
    "Api",
    "Change",
    "Contract",
    "Guideline",
    "Head",
    "Note",
    "Operation",
    "OperationKey",
    "OperationKind",
    "Publish",
    "Sdk",
    "Settings",
    "Unlisted",
    "WrittenBy",
]
