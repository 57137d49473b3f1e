"""Operations: their keys in the contract, and what may stand under each."""

from __future__ import annotations

import re
from enum import StrEnum

from idempact.contract import scalar_forms
from idempact.contract.form import Scalar
from idempact.contract.records import Record, advice, decision, part
from idempact.contract.shapes import LINE, ListOf, OrNone, Parsed, Shape, Texts, Words
from idempact.contract.spelling import line
from idempact.contract.units import Documented, Text
from idempact.text.dataclass import dataclass


class Safety(StrEnum):
    """How a repeat of the operation is made safe, or why it needn't be, or that it isn't."""

    KEYED = "keyed"
    NATURAL = "natural"
    UNSAFE = "unsafe"
    READ = "read"


class QueryBy(StrEnum):
    """How an external effect is found again after a crash."""

    DOWNSTREAM_KEY = "by-downstream-key"
    REFERENCE = "by-reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalEffect:
    """A call that can't be rolled back; each is a recovery point."""

    name: Text = part("name", Texts(), "what is called")
    recovery_point: str = part("recovery_point", LINE, "the point that the run has reached after it")
    downstream_key: str | None = advice("downstream_key", OrNone(LINE), None, "the key that goes with it")
    query: QueryBy | None = advice("query", OrNone(Words(QueryBy)), None, "how it is found again")


class OperationKind(StrEnum):
    """By what a contract names an operation."""

    PATH = "path"
    OPERATION = "operation"
    TAG = "tag"


METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE", "QUERY", "ANY")


@dataclass(frozen=True, slots=True)
class OperationKey:
    """``POST /path`` (``*`` a segment, ``**`` the rest, ``ANY`` any method), ``operation <name>``, ``tag <name>``."""

    kind: OperationKind
    name: str
    method: str = ""

    @classmethod
    def parse(cls, text: str) -> OperationKey:
        """Read a key. Raises ValueError with advice for anything else."""
        word, _, rest = line(text).partition(" ")
        rest = rest.strip()
        if word in ("operation", "tag") and rest:
            return cls(OperationKind(word), rest)
        if word.upper() in METHODS and rest.startswith("/") and not re.search(r"[\s?#]", rest):
            if word != word.upper():
                raise ValueError(f"write the method in capitals: {word.upper()} {rest}")
            *inner, last = rest.split("/")
            if any("*" in segment and segment != "*" for segment in inner) or ("*" in last and last not in ("*", "**")):
                raise ValueError("* stands for one whole segment of a path, and ** for the rest of it, at its end only")
            return cls(OperationKind.PATH, rest, word)
        beyond = re.match(r"([A-Za-z]+) +(/[^\s?#]*)([?#])", text)
        if beyond and beyond[1].upper() in METHODS:
            part = "a query" if beyond[3] == "?" else "a fragment"
            raise ValueError(f"{part} is not part of an operation's path: write {beyond[1].upper()} {beyond[2]}")
        swapped = re.match(r"(/\S*) +([A-Za-z]+)\Z", text) or re.match(r"([A-Za-z]+):? *(/\S*)\Z", text)
        if swapped and {swapped[1].upper(), swapped[2].upper()} & set(METHODS):
            path, method = sorted(swapped.groups())
            raise ValueError(f"the method comes first, with one space behind it: {method.upper()} {path}")
        if text.startswith("/"):
            raise ValueError(f"a method comes first, as POST {text}")
        raise ValueError("an operation is named as POST /path, operation <name> or tag <name>")

    def __str__(self) -> str:
        return f"{self.method} {self.name}" if self.kind is OperationKind.PATH else f"{self.kind.value} {self.name}"


_PATH = r"(/(\*|[^*/\s?#]*))*/(\*\*?|[^*/\s?#]*)"
OPERATION_KEY = Scalar(
    "an operation, as POST /path, operation <name> or tag <name>",
    rf"({'|'.join(METHODS)}) +{_PATH} *|(operation|tag) +\S.*",
    ("POST /payments", "ANY /internal/**", "operation createPayment", "tag payments"),
)


def _status(text: str) -> int:
    if not re.match(r"[1-5][0-9]{2}\Z", text):
        raise ValueError("a status is a number from 100 to 599")
    return int(text)


_ONE_STATUS: Shape[int] = Parsed(scalar_forms.ONE_STATUS, _status)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFields:
    """What stands under an operation beside the sections that it overrides."""

    safety: Documented[Safety] = decision(
        "safety",
        Words(Safety),
        "Is it keyed, natural (a repeat changes nothing more), unsafe or a read?",
        "Loops retry only what can be repeated.",
    )
    because: Text | None = advice("because", Texts(), None, "why it is natural or unsafe")
    instead: Text | None = advice("instead", Texts(), None, "what to do instead of repeating it")
    repeat_status: int | None = advice(
        "repeat_status",
        _ONE_STATUS,
        None,
        "what a repeat answers, if not the first status",
    )
    lookup: str | None = advice("lookup", OrNone(LINE), None, "the request that finds a lost answer's outcome")
    external_effects: tuple[ExternalEffect, ...] = advice(
        "external_effects", ListOf(Record(ExternalEffect)), (), "calls that can't be rolled back, in order"
    )


OWN_FIELDS: Record[OwnFields] = Record(OwnFields)
