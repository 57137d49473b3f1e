"""Forms: what may stand at a place of the contract, as data for tools that describe contracts without reading them.

Each shape gives its form, and says nothing else of any output format. A form may accept more than the shape reads (a
shortest key longer than the longest one), never less but for empty values.
"""

from __future__ import annotations

from idempact.resources.typed import TypeAlias
from idempact.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar, as written: *pattern* is a regular expression for the whole of it, in the core that ECMA 262 shares.

    ``loose`` says that a YAML reader may take it for a number or a boolean, as the text 704; ``whole`` is the range of
    the whole numbers that it may take it for.
    """

    about: str
    pattern: str = ""
    examples: tuple[str, ...] = ()
    loose: bool = False
    whole: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A bare number from *least* on; *whole* or with decimals, in which case *least* itself is excluded."""

    about: str
    least: int
    most: int | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One word of a closed set."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list with *least* items at least; with *bare*, one item may stand without brackets."""

    item: Form
    least: int = 0
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mapping whose keys are of one form and whose values are of another, with *least* entries at least."""

    key: Scalar
    value: Form
    least: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A mapping with the one key *key*."""

    key: str
    value: Form


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping whose keys are the declared fields of *record*.

    ``words`` narrows the words of single fields, by key; the first is then the default, unless ``needs`` says that the
    field tells this record from others at its place. ``optional`` are fields that may be left out though nobody but the
    author can fill them; ``observed`` are those that an observer alone may leave out.
    """

    record: type
    words: tuple[tuple[str, OneOf], ...] = ()
    needs: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    observed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several forms."""

    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Free:
    """Any value of the author's own."""


Form: TypeAlias = "Scalar | Number | Truth | OneOf | Items | Keyed | Member | Fields | Choice | Free"


def takes_text(form: Form) -> bool:
    """Whether one scalar of *form* may be a free text, which could spell a word of the language."""
    match form:
        case Choice():
            return any(takes_text(one) for one in form.forms)
        case Items():
            return form.bare and takes_text(form.item)
        case Scalar():
            return form.loose
        case _:
            return isinstance(form, Free)


NONE = OneOf(("none",))


def either(*forms: Form) -> Form:
    """One of *forms*, choices among them flattened, and words of several sets told as one set."""
    flat: list[Form] = []
    for form in forms:
        flat += form.forms if isinstance(form, Choice) else (form,)
    words = tuple(word for form in flat if isinstance(form, OneOf) for word in form.words)
    rest = tuple(form for form in flat if not isinstance(form, OneOf))
    found = (*((OneOf(tuple(dict.fromkeys(words))),) if words else ()), *rest)
    return found[0] if len(found) == 1 else Choice(found)
