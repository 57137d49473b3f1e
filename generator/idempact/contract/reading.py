"""One reading of a contract, and what every shape can do: read a node, write a value, and say what may stand there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from idempact.contract.dotted import Path, dotted
from idempact.contract.form import Form, takes_text
from idempact.resources.typed import Generic, TypeVar
from idempact.text.dataclass import dataclass, field
from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.nodes import Entry, Mapping, Node, Plain, Scalar, Sequence, Style, resolve
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
    unread: set[Path] = field(default_factory=set)
    """The fields whose value is missing or could not be read, which has been told: nothing follows from them."""

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

    def refuse(
        self, rule: str, message: str, node: Node, path: Path, hint: str = "", related: tuple[Related, ...] = ()
    ) -> Unreadable:
        """Note an error, and give the exception to raise."""
        self.tell(rule, message, node, path, hint, related=related)
        return Unreadable()

    def from_above(self, entry: Entry | None) -> tuple[Related, ...]:
        """The place of a field that an override has from the section above, if there is one."""
        if entry is None:
            return ()
        span = self.document.span(entry.key.start, entry.value.end)
        return (Related(f"`{entry.key.value}` is inherited from here", span),)


def nearest(word: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """The known word nearest to *word*, if their likeness (of ``difflib``, from 0 to 1) is *least* or more."""
    from difflib import get_close_matches

    spelled = {_even(name): name for name in known}
    close = get_close_matches(_even(word), spelled, 1, least)
    return spelled[close[0]] if close else None


def _even(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")


def did_you_mean(word: str | None) -> str:
    """The question for a word that may have been meant, or nothing."""
    return f"did you mean `{word}`?" if word else ""


def suggestion(word: str, known: Iterable[str]) -> str:
    """``did you mean …?`` for the known word nearest to *word*, or nothing."""
    return did_you_mean(nearest(word, known))


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


def said(node: Node | None) -> str | None:
    """The scalar at *node*, in quotes or not, for places where nothing but a word can stand; None for anything else."""
    node = resolve(node) if node is not None else None
    return node.value if isinstance(node, Scalar) else None


def inherited(mapping: Mapping, *keys: str) -> Entry | None:
    """The first of the *keys* that an override has from the section above, and doesn't write itself."""
    entries = (mapping.entry(key) for key in keys)
    return next((one for one in entries if one and not mapping.start <= one.key.start < mapping.end), None)


class Shape(Generic[T]):
    """What may stand at a place."""

    expected: str
    form: Form
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


def as_word(node: Node, shape: Shape[T]) -> Node:
    """*node*; in quotes where *shape* has no room for a free text, marked as a word: nothing else can be meant."""
    target = resolve(node)
    if not isinstance(target, Scalar) or target.style not in (Style.SINGLE, Style.DOUBLE) or takes_text(shape.form):
        return node
    return Scalar(node.start, node.end, target.value, target.style, tag=JSON_TEXT)
