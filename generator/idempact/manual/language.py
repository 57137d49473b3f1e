"""The contract language, field by field, from what the model declares."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.form import Choice, Fields, Form, Free, Items, Keyed, Member, Number, OneOf, Scalar, Truth
from idempact.contract.model.contract import SECTIONS, Head
from idempact.contract.model.operations import OPERATION_KEY, OwnFields
from idempact.contract.model.windows import Computed
from idempact.contract.paths import ABSENT, value
from idempact.contract.read import Read
from idempact.contract.records import Kind, Record, Spec, specs, write_field
from idempact.contract.shapes import UNKNOWN
from idempact.render.literals import md_code, md_text
from idempact.resources.typed import assert_never, cast
from idempact.text.dataclass import dataclass
from idempact.text.dataclass import field as made
from idempact.text.emit import scalar
from idempact.text.nodes import Plain

_DECIDES = {
    Kind.DECISION: "You, always: it has no default",
    Kind.FACT: "You; left out, a provider promises the default, and an observer says that it is not documented",
    Kind.ADVICE: "You; left out, the default holds for everybody",
    Kind.PART: "You, always: without it the mapping says nothing",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field as the manual tells it; ``stands`` and ``default`` are Markdown, the rest is text."""

    path: str
    about: str
    question: str
    why: str
    decides: str
    default: str
    stands: str
    undocumented: bool

    example: str

    @property
    def anchor(self) -> str:
        """Its anchor on the section's page."""
        return self.path.replace("[]", "").replace(".*", "")

    @property
    def told(self) -> str:
        """What the field is: its question, or else what it is about."""
        return self.question or self.about[:1].upper() + self.about[1:]


@dataclass(frozen=True, slots=True)
class Section:
    """One key at the top of a contract, with every field below it."""

    number: int
    field: Field
    below: tuple[Field, ...]
    overridable: bool

    @property
    def key(self) -> str:
        """Its key."""
        return self.field.path


def sections(example: Read) -> tuple[Section, ...]:
    """Every key at the top of a contract, in the language's order, with the values of the *example*."""
    return tuple(_section(number, spec, example) for number, (_, spec) in enumerate(specs(Head), 1))


def _section(number: int, spec: Spec, example: Read) -> Section:
    walk = _Walk(example)
    if spec.key == "operations":
        top = walk.field(spec.key, spec, _operations())
        below = tuple(walk.fields(Record(OwnFields).form, "operations.*"))
    else:
        top = walk.field(spec.key, spec, walk.stands(spec.shape.form, spec.key))
        below = tuple(walk.fields(spec.shape.form, spec.key))
    return Section(number, top, below, spec.key in SECTIONS)


def _operations() -> str:
    named = " or ".join(md_code(example) for example in OPERATION_KEY.examples)
    own = ", ".join(md_code(key) for key in SECTIONS)
    return (
        f"a mapping from an operation ({named}) to its safety alone, or to a mapping with the fields below "
        f"and whatever holds for it alone of {own}"
    )


@dataclass(slots=True)
class _Walk:
    """One walk along the forms below a key; a record that stands in several places is told at the first one."""

    example: Read
    told: dict[type, str] = made(default_factory=dict)

    def field(self, path: str, spec: Spec, stands: str) -> Field:
        """One field, as it is told."""
        return Field(
            path=path,
            about="" if spec.about == spec.question else spec.about,
            question=spec.question,
            why=spec.why,
            decides=_DECIDES[spec.kind],
            default=_default(spec),
            stands=stands,
            undocumented=spec.kind is not Kind.ADVICE or isinstance(spec.shape, Record),
            example=_example(self.example, path),
        )

    def fields(self, form: Form, path: str) -> Iterator[Field]:
        """Every field below *form*, each before those below it."""
        match form:
            case Fields():
                if form.record in self.told:
                    return
                self.told[form.record] = path
                for _, spec in specs(form.record):
                    below = f"{path}.{spec.key}"
                    yield self.field(below, spec, self.stands(spec.shape.form, below))
                    yield from self.fields(spec.shape.form, below)
            case Items():
                yield from self.fields(form.item, f"{path}[]")
            case Choice():
                for each in form.forms:
                    yield from self.fields(each, path)
            case _:
                return

    def stands(self, form: Form, path: str) -> str:
        """What may stand at a place, as Markdown."""
        match form:
            case Scalar() | Number():
                return md_text(form.about)
            case Truth():
                return "`true` or `false`"
            case OneOf():
                return _or(md_code(word) for word in form.words)
            case Items():
                item = self.stands(form.item, f"{path}[]")
                least = ", at least one" if form.least else ""
                return f"{item}, or a list of such{least}" if form.bare else f"a list{least}, each {item}"
            case Keyed():
                return f"a mapping from {md_text(form.key.about)} to {self.stands(form.value, path)}"
            case Member():
                return f"a mapping with the one field {md_code(form.key)}: {self.stands(form.value, path)}"
            case Fields():
                return self._mapping(form, path)
            case Choice():
                return ", or ".join(self.stands(each, path) for each in form.forms)
            case Free():
                return "any value"
            case _:
                assert_never(form)

    def _mapping(self, form: Fields, path: str) -> str:
        keys = ", ".join(md_code(spec.key) for _, spec in specs(form.record))
        place = self.told.get(form.record)
        fields = f"the fields of {md_code(place)}" if place and place != path else keys
        words = (f"{md_code(key)} is {_or(md_code(word) for word in words.words)}" for key, words in form.words)
        return "; ".join((f"a mapping with {fields}", *words))


def _example(example: Read, path: str) -> str:
    """What the example has at a path: in the first list item or operation that says it; nothing where it is silent."""
    steps = tuple(path.replace("[]", ".0").split("."))
    names = [str(operation.key) for operation in example.contract.operations] if steps[1:2] == ("*",) else [""]
    for name in names:
        place = (steps[0], name, *steps[2:]) if name else steps
        if place in example.source.places:
            found = value(place, example.contract)
            return "" if found is ABSENT or isinstance(found, dict) else md_code(flow(cast(Plain, found)))
    return ""


def _default(spec: Spec) -> str:
    if spec.kind in (Kind.DECISION, Kind.PART) or (isinstance(spec.shape.form, Fields) and not spec.shape.form.words):
        return ""
    if isinstance(spec.default, Computed):
        return "computed from the replay window"
    if spec.default is None and not spec.shape.writes_none:
        return "nothing"
    written = write_field(spec, spec.default)
    return md_code(flow(written)) if written != UNKNOWN else ""


def flow(data: Plain) -> str:
    """Plain data as YAML on one line."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in data.items()) + "}"
    if isinstance(data, list):
        return f"[{', '.join(flow(item) for item in data)}]"
    return scalar(data)


def _or(words: Iterator[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last
