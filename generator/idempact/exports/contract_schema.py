"""The contract language as a JSON Schema (draft 2020-12), for editors that complete and complain while one types.

It is made from the fields that the model declares. It sees a file as a YAML 1.2 reader does (704 is a number), so it
accepts all that `check` accepts, but for a value of `null`; what holds between fields is left to `check`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from idempact.contract import scalar_forms
from idempact.contract.form import (
    Choice,
    Fields,
    Form,
    Free,
    Items,
    Keyed,
    Member,
    Number,
    OneOf,
    Scalar,
    Truth,
    either,
)
from idempact.contract.model.contract import LANGUAGE_VERSION, SECTIONS, Head
from idempact.contract.model.operations import OPERATION_KEY, OwnFields
from idempact.contract.model.windows import Computed
from idempact.contract.records import Kind, Record, Spec, specs, write_field
from idempact.contract.shapes import UNDECIDED, UNKNOWN, Texts
from idempact.exports import OfLanguage
from idempact.resources.typed import TypeAlias, assert_never, cast
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain

Schema: TypeAlias = dict[str, Plain]

_NAMES: dict[Form, str] = {
    Texts().form: "texts",
    **{form: name.lower() for name, form in vars(scalar_forms).items() if isinstance(form, Scalar)},
}
_WIDTH = 120
_WORDS = "Two words may stand for any value: `undecided` (a draft's gap, which `check` reports) and `not-documented`."


def render() -> str:
    """The schema, with keys in the language's order."""
    return _written(contract_schema(), "") + "\n"


def contract_schema() -> Schema:
    """The schema as plain data."""
    definitions = _Definitions()
    root = definitions.mapping(specs(Head), partial=False)
    properties = cast(Schema, root["properties"])
    properties["idempact"] = {**cast(Schema, properties["idempact"]), "const": LANGUAGE_VERSION}
    for key in ("anyOf", "type", "minimum", "enum", "default"):
        cast(Schema, properties["idempact"]).pop(key, None)
    properties["operations"] = _operations(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Idempact contract, version {LANGUAGE_VERSION}",
        "description": f"What an HTTP API says about idempotency keys and retries. {_WORDS}",
        **root,
        **_asked_of_providers(),
        "$defs": {name: definitions.found[name] for name in sorted(definitions.found)},
    }


def _asked_of_providers() -> Schema:
    """What an observer alone may leave out."""
    asked: Schema = {}
    for _, spec in specs(Head):
        form = spec.shape.form
        if isinstance(form, Fields) and form.observed:
            asked[spec.key] = {"required": list(form.observed)}
    observer: Schema = {"properties": {"written_by": {"const": "observer"}}, "required": ["written_by"]}
    return {"if": observer, "else": {"properties": asked}}


def _operations(definitions: _Definitions) -> Schema:
    """Operations by key; under each its safety alone, or its own fields and what it overrides of the sections."""
    own = specs(OwnFields)
    whole = definitions.mapping(own, partial=False)
    for _, spec in specs(Head):
        if spec.key in SECTIONS:
            cast(Schema, whole["properties"])[spec.key] = definitions.property(spec, partial=True)
    definitions.found["Operation"] = whole
    safety = next(spec for _, spec in own if spec.key == "safety")
    spec = next(spec for _, spec in specs(Head) if spec.key == "operations")
    mapping: Schema = {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"examples": list(OPERATION_KEY.examples)},
        "patternProperties": {
            f"^(?:{OPERATION_KEY.pattern})$": {
                "description": description(safety),
                "anyOf": [{"enum": [*_words(safety), UNDECIDED, UNKNOWN]}, {"$ref": "#/$defs/Operation"}],
            },
            "^x-": True,
        },
        "additionalProperties": False,
    }
    return {"description": description(spec), "anyOf": [{"enum": [UNDECIDED, UNKNOWN]}, mapping]}


def _words(spec: Spec) -> tuple[str, ...]:
    assert isinstance(spec.shape.form, OneOf), "an operation's safety is a word"
    return spec.shape.form.words


@dataclass(slots=True)
class _Definitions:
    """The schemas of records and named scalars, by name, made when they are first used."""

    found: dict[str, Plain] = field(default_factory=dict)

    def of(self, form: Form, partial: bool) -> Schema:
        """The schema of one form; *partial*: under an operation, where mappings merge into the section above."""
        name = _NAMES.get(form)
        if name is None:
            return self._plainly(form, partial)
        if name not in self.found:
            self.found[name] = self._plainly(form, partial)
        return {"$ref": f"#/$defs/{name}"}

    def _plainly(self, form: Form, partial: bool) -> Schema:
        match form:
            case Scalar():
                return _text(form)
            case Number():
                return _number(form)
            case Truth():
                return {"type": "boolean"}
            case OneOf():
                return {"enum": list(form.words)}
            case Items():
                items = self.of(form.item, False)
                several: Schema = {"type": "array", "items": items, "uniqueItems": True}
                if form.least:
                    several["minItems"] = form.least
                return _any_of((items, several)) if form.bare else several
            case Keyed():
                keys: Schema = {_whole(form.key): self.of(form.value, False)}
                entries: Schema = {"type": "object", "patternProperties": keys, "additionalProperties": False}
                return entries | ({"minProperties": form.least} if form.least else {})
            case Member():
                only: Schema = {form.key: self.of(form.value, False)}
                return {"type": "object", "properties": only, "required": [form.key], "additionalProperties": False}
            case Fields():
                return self._fields(form, partial)
            case Choice():
                return _any_of(self.of(each, partial) for each in form.forms)
            case Free():
                return {}
            case _:
                assert_never(form)

    def property(self, spec: Spec, partial: bool) -> Schema:
        """The schema of one field: what its shape reads, or one of the words that may stand anywhere."""
        form = spec.shape.form
        out: Schema = {"description": description(spec)}
        if spec.kind in (Kind.FACT, Kind.ADVICE) and (spec.default is not None or spec.shape.writes_none):
            out |= _default(spec)
        if isinstance(form, Free):
            return out
        return out | self.of(either(form, OneOf(anywhere(spec))), partial)

    def mapping(self, fields: Iterable[tuple[str, Spec]], partial: bool, given: Fields | None = None) -> Schema:
        """The schema of a mapping with these fields; nothing is required of a *partial* one."""
        known = [spec for _, spec in fields]
        spared = (*given.optional, *given.observed) if given else ()
        out: Schema = {
            "type": "object",
            "properties": {spec.key: self.property(spec, partial) for spec in known},
            "patternProperties": {"^x-": True},
            "additionalProperties": False,
        }
        required: list[Plain] = [
            spec.key for spec in known if spec.kind in (Kind.DECISION, Kind.PART) and spec.key not in spared
        ]
        if required and not partial:
            out["required"] = required
        return out

    def _fields(self, form: Fields, partial: bool) -> Schema:
        name = form.record.__name__.lstrip("_") + ("Override" if partial else "")
        if name not in self.found:
            self.found[name] = {}
            self.found[name] = self.mapping(specs(form.record), partial, form)
        reference: Schema = {"$ref": f"#/$defs/{name}"}
        if not form.words:
            return reference
        narrowed: Schema = {
            key: {"enum": [*words.words, UNDECIDED, UNKNOWN], "default": words.words[0]} for key, words in form.words
        }
        own: Schema = {"properties": narrowed}
        if form.needs and not partial:
            own["required"] = list(form.needs)
        return {"allOf": [reference, own]}


def anywhere(spec: Spec) -> tuple[str, ...]:
    """The words that may stand for a field's value whatever its shape. Our advice and parts are always documented."""
    if spec.kind is Kind.PART:
        return (UNDECIDED,)
    if spec.kind is Kind.ADVICE and not isinstance(spec.shape, Record):
        return (UNDECIDED,)
    return (UNDECIDED, UNKNOWN)


def description(spec: Spec) -> str:
    """What an editor shows of a field: what it is, who answers when it is left out, and why that matters."""
    if spec.kind is Kind.DECISION:
        return " ".join(part for part in (spec.question, spec.why, "Never defaulted.") if part)
    about = spec.about[:1].upper() + spec.about[1:]
    if spec.kind is Kind.PART:
        return f"{about}. Always needed."
    if spec.kind is Kind.FACT:
        return f"{about}. May be left out; an observer says by that that it is not documented."
    return f"{about}. May be left out."


def _default(spec: Spec) -> Schema:
    if isinstance(spec.default, Computed) or (isinstance(spec.shape.form, Fields) and not spec.shape.form.words):
        return {}
    return {"default": write_field(spec, spec.default)}


def _any_of(schemas: Iterable[Schema]) -> Schema:
    flat: list[Plain] = []
    for schema in schemas:
        flat += cast("list[Plain]", schema["anyOf"]) if set(schema) == {"anyOf"} else [schema]
    return {"anyOf": flat}


def _whole(form: Scalar) -> str:
    return f"^(?:{form.pattern})$"


def _text(form: Scalar) -> Schema:
    text: Schema = {"type": "string", "pattern": _whole(form)}
    about: Schema = {"description": form.about[:1].upper() + form.about[1:] + "."}
    if form.examples:
        about["examples"] = list(form.examples)
    if form.loose:
        return about | {"type": ["string", "number", "boolean"], "pattern": _whole(form)}
    if form.whole:
        return about | {"anyOf": [{"type": "integer", "minimum": form.whole[0], "maximum": form.whole[1]}, text]}
    return about | text


def _number(form: Number) -> Schema:
    out: Schema = {"type": "integer" if form.whole else "number"}
    out["minimum" if form.whole else "exclusiveMinimum"] = form.least
    if form.most is not None:
        out["maximum"] = form.most
    return out


def _written(value: Plain, indent: str) -> str:
    """JSON in which a list or mapping stands on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(line) <= _WIDTH:
        return line
    inner = indent + "  "
    if isinstance(value, list):
        rows = [inner + _written(item, inner) for item in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    rows = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {_written(item, inner)}" for key, item in value.items()]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


TARGET = OfLanguage("contract-schema", "the contract language as JSON Schema, for editors", render)
