"""Records: mappings of the contract with known keys, read into dataclasses by the fields that those declare."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Table
from enum import Enum, auto

from idempact.contract.belonging import elsewhere
from idempact.contract.form import Fields, Form, either
from idempact.contract.shapes import (
    UNDECIDED,
    UNKNOWN,
    Path,
    Reading,
    Shape,
    Unreadable,
    as_word,
    dotted,
    suggestion,
    word,
)
from idempact.contract.units import NOT_DOCUMENTED
from idempact.resources.typed import Any, ClassVar, TypeVar, cast
from idempact.text.dataclass import dataclass, field, fields
from idempact.text.nodes import Mapping, Node, Plain, plain, resolve

R = TypeVar("R")


class Kind(Enum):
    """Who answers for a field that is left out."""

    DECISION = auto()  # nobody: leaving it out is an error that asks the question
    FACT = auto()  # the language's default for a provider; not documented for an observer
    ADVICE = auto()  # the language's default, whoever writes
    PART = auto()  # an integral part of its mapping: always needed


@dataclass(frozen=True, slots=True)
class Spec:
    """What the language says of one field: its key, what may stand there, and who decides when it is left out."""

    key: str
    shape: Shape[Any]
    kind: Kind
    default: Any
    about: str
    question: str
    why: str


def _field(key: str, shape: Shape[Any], kind: Kind, default: Any, about: str, question: str = "", why: str = "") -> Any:
    spec = Spec(key, shape, kind, default, about, question, why)
    metadata = {"spec": spec}
    if kind in (Kind.DECISION, Kind.PART):
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)


def decision(key: str, shape: Shape[Any], question: str, why: str, about: str = "") -> Any:
    """A field that only the API's owner can decide: never defaulted."""
    return _field(key, shape, Kind.DECISION, None, about or question, question, why)


def fact(key: str, shape: Shape[Any], default: Any, about: str) -> Any:
    """A field of the API's behaviour: *default* for a provider, not documented for an observer."""
    return _field(key, shape, Kind.FACT, default, about)


def advice(key: str, shape: Shape[Any], default: Any, about: str) -> Any:
    """A field with a default for everybody (advice to callers, settings of this tool, words that frame a fact)."""
    return _field(key, shape, Kind.ADVICE, default, about)


def part(key: str, shape: Shape[Any], about: str) -> Any:
    """A field without which its mapping says nothing."""
    return _field(key, shape, Kind.PART, None, about)


_SPECS: dict[type, tuple[tuple[str, Spec], ...]] = {}


def specs(record: type) -> tuple[tuple[str, Spec], ...]:
    """The declared fields of a record, as pairs of attribute and spec, in order of declaration."""
    found = _SPECS.get(record)
    if found is None:
        found = _SPECS[record] = tuple((f.name, f.metadata["spec"]) for f in fields(record) if "spec" in f.metadata)
    return found


@dataclass(frozen=True)
class Record(Shape[R]):
    """A mapping that is read into the dataclass *record* by its declared fields.

    ``scalar`` reads what else may stand here (a bare word that means the whole mapping).
    ``defaults`` replaces the declared defaults by key, where one record serves several places.
    """

    record: Callable[..., R]
    scalar: Callable[[Node, Path, Reading], R] | None = None
    defaults: Table[str, Any] = field(default_factory=dict)
    expected: str = "a mapping"
    scalar_form: Form | None = None
    optional: ClassVar[tuple[str, ...]] = ()  # decisions that may be left out
    observed: ClassVar[tuple[str, ...]] = ()  # decisions that an observer may leave out

    @property
    def form(self) -> Form:  # type: ignore[override]
        fields = Fields(cast(type, self.record), optional=self.optional, observed=self.observed)
        return fields if self.scalar_form is None else either(self.scalar_form, fields)

    @property
    def sample(self) -> str:
        """How such a mapping looks: the fields that it needs, or else its first ones."""
        fields = [spec for _, spec in specs(cast(type, self.record))]
        needed = [spec.key for spec in fields if spec.kind in (Kind.DECISION, Kind.PART)]
        return "{" + ", ".join(f"{key}: …" for key in needed or [spec.key for spec in fields][:2]) + "}"

    def read(self, node: Node, path: Path, reading: Reading) -> R:
        target = resolve(node)
        if not isinstance(target, Mapping):
            if self.scalar is not None:
                return self.scalar(node, path, reading)
            raise self.wrong(node, path, reading, hint=f"write {self.sample}, or a line for each")
        known = {spec.key: (name, spec) for name, spec in specs(cast(type, self.record))}
        self._refuse_unknown(target, set(known), path, reading)
        values: dict[str, Any] = {}
        broken = False
        for key, (name, spec) in known.items():
            entry = target.entry(key)
            place = (*path, key)
            try:
                if entry is None:
                    values[name] = self._left_out(spec, target, place, reading)
                else:
                    reading.keys[place] = (entry.key.start, entry.key.end)
                    reading.places[place] = (entry.value.start, entry.value.end)
                    values[name] = read_field(spec, entry.value, place, reading)
            except Unreadable:
                reading.unread.add(place)
                if spec.kind is Kind.PART:
                    broken = True
                elif spec.kind is Kind.ADVICE:
                    values[name] = self.defaults.get(key, spec.default)
                else:
                    values[name] = unknown(spec.shape)
        if broken:
            raise Unreadable
        return self.record(**values)

    def _left_out(self, spec: Spec, target: Mapping, place: Path, reading: Reading) -> Any:
        default = self.defaults.get(spec.key, spec.default)
        if spec.kind is Kind.ADVICE or (spec.kind is Kind.FACT and not reading.observer):
            return default
        if spec.kind is Kind.FACT:
            return unknown(spec.shape)
        missing(spec, target, place, reading)
        raise Unreadable

    def _refuse_unknown(self, target: Mapping, known: set[str], path: Path, reading: Reading) -> None:
        for entry in target.entries:
            key = entry.key.value
            if key in known:
                continue
            if key.startswith("x-"):
                reading.keys[(*path, key)] = (entry.key.start, entry.key.end)
                reading.places[(*path, key)] = (entry.value.start, entry.value.end)
                reading.extensions.append(((*path, key), plain(entry.value)))
                continue
            if key == "<<":
                hint = "write the fields out; operations inherit from the sections above anyway"
                message = "merge keys (<<) aren't read in a contract: they hide where a value comes from"
            else:
                hint = (
                    suggestion(key, known)
                    or elsewhere(key, path)
                    or f"known keys: {', '.join(sorted(known))}; your own start with x-"
                )
                message = f"`{dotted((*path, key))}` isn't part of the contract language"
            reading.tell("unknown-key", message, entry.key, (*path, key), hint)

    def write(self, value: R) -> Plain:
        out: dict[str, Plain] = {}
        for name, spec in specs(type(value)):
            own = getattr(value, name)
            if own is None and not spec.shape.writes_none:
                continue  # nothing stands for it: it is left out
            out[spec.key] = write_field(spec, own)
        return out


def missing(spec: Spec, target: Node, place: Path, reading: Reading) -> None:
    """Tell that a field is left out that nobody but the author can fill."""
    start = target.start
    span = reading.document.span(start, start + 1) if not place[:-1] else None
    key_place = reading.keys.get(place[:-1])
    if span is None:
        span = reading.document.span(*key_place) if key_place else reading.document.span(start, start + 1)
    from idempact.text.diagnostic import Diagnostic, Severity

    if spec.kind is Kind.DECISION:
        message = f"`{dotted(place)}` is not decided: {spec.question} {spec.why}".rstrip()
        hint = f"add `{spec.key}: …`, {_expected(spec.shape)}"
        if reading.observer:
            hint += "; or `not-documented` where the documents say nothing"
        reading.found.append(
            Diagnostic("contract/missing-decision", Severity.ERROR, message, span, dotted(place), hint)
        )
    else:
        message = f"`{dotted(place)}` is missing: {spec.about}"
        reading.found.append(
            Diagnostic(
                "contract/missing-field",
                Severity.ERROR,
                message,
                span,
                dotted(place),
                f"add `{spec.key}: …`, {spec.shape.expected}",
            )
        )


def _expected(shape: Shape[Any]) -> str:
    """What may stand at a place; of a record also which of its fields nobody else can fill."""
    if not isinstance(shape, Record) or shape.scalar is not None:
        return shape.expected
    needed = [spec.key for _, spec in specs(cast(type, shape.record)) if spec.kind in (Kind.DECISION, Kind.PART)]
    *rest, last = needed or [""]
    listed = f"{', '.join(rest)} and {last}" if rest else last
    return f"{shape.expected} with {listed}" if last else shape.expected


def read_field(spec: Spec, node: Node, place: Path, reading: Reading) -> Any:
    """The value of one field: the two words that may stand anywhere, or what the shape reads."""
    node = as_word(node, spec.shape)
    text = word(node)
    if text == UNDECIDED:
        question = f"{spec.question} {spec.why}".strip() or f"what holds here? ({spec.about})"
        raise reading.refuse(
            "undecided-decision",
            f"`{dotted(place)}` is undecided: {question}",
            node,
            place,
            f"write {_expected(spec.shape)}",
        )
    if text == UNKNOWN:
        if spec.kind is Kind.ADVICE and not isinstance(spec.shape, Record):
            raise reading.refuse(
                "not-documented-advice",
                f"`{dotted(place)}` is advice of this contract and can't be not-documented",
                node,
                place,
                f"leave it out, or write {spec.shape.expected}",
            )
        if spec.kind is Kind.PART:
            raise spec.shape.wrong(
                node, place, reading, "its mapping says nothing without it", "write it, or leave the whole mapping out"
            )
        if not reading.observer:
            raise reading.refuse(
                "not-documented-by-provider",
                f"`{dotted(place)}` can't be not-documented: a provider decides what its API does",
                node,
                place,
                f"write {_expected(spec.shape)}; or `written_by: observer`, if you describe another company's API",
            )
        return unknown(spec.shape)
    return spec.shape.read(node, place, reading)


def unknown(shape: Shape[Any]) -> Any:
    """What stands for *shape* where nothing is documented: a section whose facts are all unknown, or the one value."""
    record = getattr(shape, "section", None) or (shape if isinstance(shape, Record) else None)
    if record is None or not getattr(record.record, "section", False):
        return NOT_DOCUMENTED
    values: dict[str, Any] = {}
    for name, spec in specs(cast(type, record.record)):
        values[name] = record.defaults.get(spec.key, spec.default) if spec.kind is Kind.ADVICE else unknown(spec.shape)
    return record.record(**values)


def write_field(spec: Spec, value: Any) -> Plain:
    """One field's value as plain data."""
    if value is NOT_DOCUMENTED:
        return UNKNOWN
    return spec.shape.write(value)
