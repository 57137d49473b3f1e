"""Contracts that the model can hold, built from the shapes that its fields declare."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from hypothesis import strategies as st

from idempact.contract import shapes
from idempact.contract.dotted import dotted
from idempact.contract.model.answers import VARIES, Answer, AnswerShape, Verb
from idempact.contract.model.contract import SECTIONS, Contract, Head, Operation, Settings, WrittenBy
from idempact.contract.model.key import (
    KeyFormat,
    Length,
    LengthUnit,
    Pattern,
    Quoted,
    RequiredWhen,
    ScopeWord,
    Session,
)
from idempact.contract.model.operations import OperationKey, OwnFields
from idempact.contract.model.replay import OriginalStatus, ServerErrors, StoredFailure
from idempact.contract.model.retry import BudgetKind, JitterKind, Ratio, TokenBucket
from idempact.contract.model.windows import AtLeast, AtMost, Between, Exactly, Forever
from idempact.contract.records import Kind, Record, Spec, specs, unknown
from idempact.contract.refusing import Refusing
from idempact.contract.spelling import HIDDEN
from idempact.contract.units import NOT_DOCUMENTED, Duration, Free, Share, StatusClass, Text

_UNITS = ("ms", "s", "m", "h", "d")
_WORDS = ("none", "undecided", "not-documented", "forever", "true", "12", "1.5", "null", "2026-11-01", "a: b", "# c")
_HIDDEN = frozenset(c for c in map(chr, range(0x10000)) if re.match(f"[\u2028\u2029{HIDDEN}]", c))
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))

durations = st.builds(lambda n, unit: Duration.parse(f"{n}{unit}"), st.integers(0, 5000), st.sampled_from(_UNITS))
some_time = st.builds(lambda n, unit: Duration.parse(f"{n}{unit}"), st.integers(1, 5000), st.sampled_from(_UNITS))
statuses = st.integers(100, 599)
_line_characters = st.characters(blacklist_categories=("Cs", "Cc")).filter(lambda c: c not in _HIDDEN)
lines = st.sampled_from(_WORDS) | st.text(_line_characters, min_size=1, max_size=12)
characters = lines | st.text(
    st.characters(blacklist_categories=("Cs", "Cc")) | st.sampled_from("\n\t"), min_size=1, max_size=12
)
locales = st.sampled_from(("en", "zh", "de", "zh-Hans"))
texts = st.builds(Text.of, characters) | st.dictionaries(locales, characters, min_size=1, max_size=2).map(
    lambda found: Text(tuple(found.items()))
)
pointers = st.lists(st.sampled_from(("error", "code", "*", "a~1b", "名")), min_size=1, max_size=3).map(
    lambda steps: "/" + "/".join(steps)
)
headers = st.sampled_from(("Content-Type", "X-Key", "Idempotency-Key", "x!#$%&'*+.^_`|~9"))
free_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | characters,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(characters, inner, max_size=3),
    max_leaves=5,
)
operation_keys = st.sampled_from(
    ("POST /payments", "POST /**", "ANY /a/*/b", "PUT /c/{id}", "operation do it", "tag money", "PATCH /", "GET /x-y")
).map(OperationKey.parse)
windows = (
    st.builds(Exactly, some_time, st.none() | texts)
    | st.builds(AtLeast, some_time, st.none() | texts)
    | st.builds(AtMost, some_time, st.none() | texts)
    | st.tuples(some_time, some_time, st.none() | texts)
    .filter(lambda found: found[0] != found[1])
    .map(lambda found: Between(min(found[:2]), max(found[:2]), found[2]))
    | st.just(Forever())
)
_PARSED: dict[int, st.SearchStrategy[Any]] = {
    id(shapes.DURATION): durations,
    id(shapes.SHARE): st.integers(0, 100_000_000).map(lambda n: Share(n / 1_000_000)),
    id(shapes.STATUS): statuses | st.integers(1, 5).map(StatusClass),
    id(shapes.LINE): lines,
    id(shapes.CHARACTERS): characters,
    id(shapes.POINTER): pointers,
    id(shapes.HEADER): headers,
    id(shapes.HEADER_VALUE): st.text(_VISIBLE, min_size=1, max_size=8),
    id(shapes.LOCALE): locales,
    id(shapes.PATTERN): st.sampled_from(("^[A-Z]+$", "[0-9a-f]{32}", "^(none|x)$")),
    id(shapes.DATE): st.dates().map(lambda d: d.isoformat()),
    id(shapes.URL): st.sampled_from(("https://example.com/help", "http://a.example/{code}?x=1#y")),
}
_BY_EXPECTED = {
    "an address such as https://api.example.com/v1": st.sampled_from(("https://api.example.com/v1", "https://{a}.b.c")),
    "a media type": st.sampled_from(("application/problem+json", "application/json", "text/xml")),
    "a gRPC code such as UNAVAILABLE": st.sampled_from(("UNAVAILABLE", "ABORTED")),
    "a status such as 404": statuses,
}
_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "_Wait": st.none() | st.just(VARIES) | st.integers(0, 500).map(lambda n: Duration.parse(f"{n}s")),
    "model.answers._Statuses": st.lists(statuses, max_size=2, unique=True).map(tuple),
    "_Required": st.booleans() | st.builds(RequiredWhen, texts),
    "_Format": st.sampled_from(KeyFormat) | st.sampled_from(("^[A-Z]+$", "^(none)$")).map(Pattern),
    "_Scope": st.lists(st.sampled_from(ScopeWord) | st.builds(Session, texts), min_size=1, max_size=3, unique=True).map(
        tuple
    ),
    "_Quoted": st.sampled_from(Quoted),
    "_Template": st.sampled_from(("payment-{payment_id}", "{a}", "a b {c.d} e", "order:{id}")),
    "_Length": st.builds(
        lambda a, b, unit: Length(min=min(a, b), max=max(a, b), unit=unit),
        st.integers(1, 300),
        st.integers(1, 300),
        st.sampled_from(LengthUnit),
    ),
    "_ReplayStatus": st.none() | st.just(OriginalStatus.ORIGINAL) | statuses,
    "model.replay._Statuses": st.dictionaries(
        statuses | st.integers(1, 5).map(StatusClass), st.sampled_from(StoredFailure), max_size=2
    ).map(lambda found: tuple(found.items())),
    "_Window": windows,
    "_ComputedCleanup": st.none() | durations,
}


def of_shape(shape: shapes.Shape[Any], observer: bool) -> st.SearchStrategy[Any]:
    """Values that the shape can read."""
    name = type(shape).__name__
    qualified = f"{type(shape).__module__.removeprefix('idempact.contract.')}.{name}"
    if id(shape) in _PARSED:
        return _PARSED[id(shape)]
    if qualified in _BY_NAME or name in _BY_NAME:
        return _BY_NAME[qualified if qualified in _BY_NAME else name]
    match shape:
        case AnswerShape():
            return answers(shape, observer)
        case Record():
            return records(shape, observer)
        case Refusing():
            return of_shape(shape.shape, observer)
        case shapes.OrNone():
            return st.none() | of_shape(shape.shape, observer)
        case shapes.ListOf():
            same = str.lower if shape.item is shapes.HEADER else lambda value: value
            items = st.lists(of_shape(shape.item, observer), min_size=shape.least, max_size=2, unique_by=same)
            return items.map(tuple)
        case shapes.Words():
            return st.sampled_from(shape.words)
        case shapes.Flag():
            return st.booleans()
        case shapes.Count():
            return st.integers(shape.least, min(shape.most, 5000))
        case shapes.Number():
            return st.integers(1, 10_000_000).map(lambda n: n / 10_000)
        case shapes.Texts():
            return texts
        case shapes.Anything():
            return free_values.map(Free.of)
        case shapes.Parsed():
            return _BY_EXPECTED[shape.expected]
    if name == "_Fingerprint":
        return st.none() | records(shape.section, observer)  # type: ignore[attr-defined]
    if name == "_ServerError":
        whole = st.sampled_from(StoredFailure).map(lambda f: ServerErrors(before_effects=f, after_effects=f))
        return whole | records(shape.section, observer)  # type: ignore[attr-defined]
    if name == "_Budget":
        bucket = records(Record(TokenBucket), observer).map(
            lambda b: dataclasses.replace(b, kind=BudgetKind.TOKEN_BUCKET)
        )
        return bucket | records(Record(Ratio), observer).map(lambda r: dataclasses.replace(r, kind=BudgetKind.RATIO))
    raise AssertionError(f"no strategy for the shape {qualified}")


def of_spec(spec: Spec, observer: bool) -> st.SearchStrategy[Any]:
    """Values of one field: what its shape reads, nothing where that is its default, and what isn't documented."""
    found = of_shape(spec.shape, observer)
    if spec.default is None and spec.kind is Kind.ADVICE and not isinstance(spec.shape, shapes.OrNone):
        found = st.none() | found
    if observer and spec.kind in (Kind.FACT, Kind.DECISION):
        found = st.just(unknown(spec.shape)) | found
    return found


def records(shape: Record[Any], observer: bool) -> st.SearchStrategy[Any]:
    """Values of a record."""
    built = st.builds(shape.record, **{name: of_spec(spec, observer) for name, spec in specs(shape.record)})  # type: ignore[arg-type]
    if type(shape).__name__ == "_Backoff":
        return built.map(lambda b: dataclasses.replace(b, factor=2.0) if b.jitter is JitterKind.DECORRELATED else b)
    return built


@st.composite
def answers(draw: st.DrawFn, shape: AnswerShape, observer: bool) -> Any:
    """An answer to one outcome, with what its verb needs."""
    answer: Answer = draw(records(Record(Answer), observer))
    verb = answer.answer if answer.answer is NOT_DOCUMENTED else draw(st.sampled_from(shape.verbs))
    answer = dataclasses.replace(answer, answer=verb)
    if verb in (Verb.EXECUTE, Verb.IGNORE, Verb.RESUME):
        nothing = {"status": (), "code": None, "retry_after": None}
        gone = {name: value for name, value in nothing.items() if getattr(answer, name) is NOT_DOCUMENTED}
        answer = dataclasses.replace(answer, **gone)
    if verb is Verb.WAIT and answer.at_most is None:
        answer = dataclasses.replace(answer, at_most=draw(some_time))
    if verb is Verb.ACCEPT and answer.status_url is None:
        answer = dataclasses.replace(answer, status_url="/operations/{id}")
    return answer


_HEAD = {spec.key: (name, spec) for name, spec in specs(Head)}


@st.composite
def settings(draw: st.DrawFn, observer: bool) -> Settings:
    """Everything that operations may override."""
    found = {name: draw(of_spec(_HEAD[name][1], observer)) for name in SECTIONS}
    if observer and found["answers"].mismatch is None:
        found["answers"] = dataclasses.replace(found["answers"], mismatch=NOT_DOCUMENTED)
    if not observer and draw(st.booleans()):
        found["answers"] = dataclasses.replace(found["answers"], mismatch=None)
    return Settings(**found)


def _reachable(base: Any, own: Any) -> Any:
    """*own* as an override can say it: what has no word for nothing can't be taken back once it is said above."""
    if isinstance(base, Answer) and isinstance(own, Answer):
        if base.answer is not own.answer:
            return own
        kept = {name: getattr(base, name) for name in ("client", "at_most", "status_url") if getattr(own, name) is None}
        return dataclasses.replace(own, **kept)
    if isinstance(base, Answer) and own is None:
        return base
    return own


@st.composite
def overridden(draw: st.DrawFn, base: Any, section: str, observer: bool) -> Any:
    """A section as it holds for an operation that overrides some of it."""
    own = draw(of_spec(_HEAD[section][1], observer))
    if not dataclasses.is_dataclass(base) or type(base) is not type(own):
        return own
    changed = {}
    for name, _ in specs(type(base)):
        if draw(st.booleans()):
            changed[name] = _reachable(getattr(base, name), getattr(own, name))
    if section == "stored_failures" and isinstance(changed.get("statuses"), tuple) and isinstance(base.statuses, tuple):
        changed["statuses"] = tuple((dict(base.statuses) | dict(changed["statuses"])).items())
    if section == "errors" and "example" in changed and changed["example"] is None:
        del changed["example"]
    if section == "answers" and observer and changed.get("mismatch", ...) is None:
        del changed["mismatch"]
    return dataclasses.replace(base, **changed)


@st.composite
def operations(draw: st.DrawFn, key: OperationKey, base: Settings, observer: bool) -> Operation:
    """One operation, some of whose sections differ from those above."""
    own = draw(records(Record(OwnFields), False))
    overrides = tuple(draw(st.lists(st.sampled_from(SECTIONS), max_size=2, unique=True)))
    changed = {name: draw(overridden(getattr(base, name), name, observer)) for name in overrides}
    fields = {name: getattr(own, name) for name, _ in specs(OwnFields)}
    return Operation(key=key, settings=dataclasses.replace(base, **changed), overrides=overrides, **fields)


@st.composite
def contracts(draw: st.DrawFn, overrides: bool = True) -> Contract:
    """A whole contract, by a provider or an observer."""
    observer = draw(st.booleans())
    base = draw(settings(observer))
    keys = draw(st.lists(operation_keys, min_size=1, max_size=3, unique=True))
    found = tuple(draw(operations(key, base, observer)) for key in keys)
    if not overrides:
        found = tuple(dataclasses.replace(op, settings=base, overrides=()) for op in found)
    rest = {
        name: draw(of_spec(spec, observer))
        for key, (name, spec) in _HEAD.items()
        if key not in (*SECTIONS, "idempact", "written_by", "operations")
    }
    places = [("x-top",), ("api", "x-note"), ("windows", "x-a b"), ("operations", str(keys[0]), "x-owner")]
    own = {
        dotted(place): draw(free_values) for place in draw(st.lists(st.sampled_from(places), unique=True, max_size=2))
    }
    return Contract(
        version=1,
        written_by=WrittenBy.OBSERVER if observer else WrittenBy.PROVIDER,
        settings=base,
        operations=found,
        extensions=tuple(sorted(own.items())),
        **rest,
    )
