"""From facts to a plan: the parameter, the answers, the replay indicator and the extension of each operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from idempact.contract.model.contract import Unlisted
from idempact.contract.model.key import Carrier, FirstSent, Key, KeyFormat, Length, LengthUnit, Pattern, Quoted
from idempact.contract.model.operations import OperationKind
from idempact.contract.model.replay import IndicatorCarrier, StoredFailure, StoredFailures
from idempact.contract.source import Source
from idempact.contract.units import NotDocumented, overlap
from idempact.facts.derive import Facts, OperationFacts, Profile
from idempact.openapi import published
from idempact.openapi.bodies import content
from idempact.openapi.plan import Answer, Component, KeyParameter, OperationPlan, Plan, Section
from idempact.openapi.sentences import about_answers, about_key, window_of
from idempact.openapi.vendors import Extras
from idempact.render.words import DESCRIPTION, Words
from idempact.text.dataclass import dataclass, field, replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Plain

# Failures that come before execution as a rule (RFC 9110, section 15.5): no answer to a command, so never kept as one.
_BEFORE_EXECUTION = frozenset((401, 403, 405, 406, 407, 411, 413, 414, 415, 417, 426, 429, 431))
_UUIDS = frozenset((KeyFormat.UUID, KeyFormat.UUID_V4, KeyFormat.UUID_V5, KeyFormat.UUID_V7))


def plan_of(facts: Facts, source: Source, words: Words, extras: Extras | None = None) -> Plan:
    """What the contract wants in an OpenAPI file. *source* gives the places of its operations, *words* the locale,
    *extras* other tools' extensions.
    """
    added = extras or Extras()
    plans = _Plans(facts, words.on(DESCRIPTION), added)

    by_name = {op.operation.key.name: op for op in facts.operations if op.operation.key.kind is OperationKind.OPERATION}
    others = replace(
        facts, operations=tuple(op for op in facts.operations if op.operation.key.kind is not OperationKind.OPERATION)
    )

    def select(method: str, path: str, operation_id: str, tags: tuple[str, ...]) -> OperationPlan | Diagnostic | None:
        # A name beats all else that a key may tell, so the others are asked only where none does.
        named = by_name.get(operation_id)
        found = (named,) if named is not None else others.match(method, path, operation_id or None, tags)
        if len(found) > 1:
            return _tie(found)
        return plans.operation(found[0]) if found else None

    def unlisted(method: str, path: str) -> Diagnostic:
        severity = Severity.ERROR if facts.contract.unlisted_operations is Unlisted.ERROR else Severity.WARNING
        message = f"{method} {path} may change state, and no key of the contract names it: is a repeat of it safe?"
        hint = f"add `{method} {path}: keyed` (or natural, unsafe, read with its reason) to the contract's operations"
        if severity is Severity.ERROR:
            hint += "; `unlisted_operations: warning` there lets the others be done first"
        return Diagnostic("openapi/unlisted-operation", severity, message, None, hint=hint)

    missing = {operation.name: _missing(operation.name, source) for operation in facts.operations}
    bodies = any(carrier is Carrier.BODY for p in facts.profiles for carrier in _carriers(p.settings.key))
    keys = (p.settings.key.name for p in facts.profiles)
    names = tuple(dict.fromkeys(name for name in keys if isinstance(name, str)))
    parameters = frozenset(name for p in facts.profiles for name in _parameters(p.settings.key))
    return Plan(
        published.root(facts),
        select,
        missing,
        unlisted,
        bodies=bodies,
        extras=added.root,
        names=names,
        parameters=parameters,
    )


def _parameters(key: Key) -> Iterator[str]:
    """Every name under which something of the key travels."""
    if isinstance(key.name, str):
        yield key.name
    for other in () if isinstance(key.also, NotDocumented) else key.also:
        yield other.name
    if isinstance(key.first_sent, FirstSent):
        yield key.first_sent.name


def _carriers(key: Key) -> tuple[Carrier, ...]:
    also = () if isinstance(key.also, NotDocumented) else key.also
    return (key.carrier, *(other.carrier for other in also))


def _tie(found: tuple[OperationFacts, ...]) -> Diagnostic:
    names = " and ".join(f"`{operation.name}`" for operation in found)
    message = f"{names} name this operation alike, and neither is more specific"
    hint = "name the operation itself in the contract, or drop one of them"
    return Diagnostic("openapi/ambiguous-operation", Severity.ERROR, message, None, hint=hint)


def _missing(name: str, source: Source) -> Diagnostic:
    path = ("operations", name)
    span = source.document.span(*source.keys[path]) if path in source.keys else None
    message = f"the OpenAPI file has no operation for `{name}`"
    return Diagnostic("openapi/unknown-operation", Severity.WARNING, message, span, subject=name)


@dataclass(slots=True)
class _Plans:
    """Makes each profile's components once, and each operation's plan from them."""

    facts: Facts
    words: Words
    extras: Extras
    components: dict[tuple[Section, str], Component] = field(default_factory=dict)
    profiles: dict[int, OperationPlan] = field(default_factory=dict)
    operations: dict[str, OperationPlan] = field(default_factory=dict)
    extensions: dict[str, dict[str, Plain]] = field(default_factory=dict)

    def operation(self, found: OperationFacts) -> OperationPlan:
        """The plan of an operation of the contract, which many operations of a file may share."""
        known = self.operations.get(found.name)
        if known is None:
            known = self.operations[found.name] = self._operation(found)
        return known

    def _operation(self, found: OperationFacts) -> OperationPlan:
        profile = next((p for p in self.facts.profiles if p.number == found.profile), None)
        extension = published.operation(self.facts, found, profile, self.words.locale)
        # Most operations say the same: what is one value is written, digested and proven once.
        extension = self.extensions.setdefault(repr(extension), extension)
        extras = self.extras.operation(found)
        if profile is None or not found.keyed:
            return OperationPlan(found.name, extension, extras=extras)
        if profile.number not in self.profiles:
            self.profiles[profile.number] = OperationPlan(
                "",
                {},
                self._parameter(profile),
                self._answers(profile),
                self._indicator(profile),
                _replayed(profile.settings.stored_failures),
                tuple(self._others(profile)),
            )
        return replace(self.profiles[profile.number], key=found.name, extension=extension, extras=extras)

    def _component(
        self, section: Section, name: str, value: dict[str, Plain], parts: tuple[Component, ...] = ()
    ) -> Component:
        """One component for equal values; another name where the name is taken by another value."""
        wanted, count = name, 1
        while True:
            known = self.components.setdefault((section, wanted), Component(section, wanted, value, parts))
            if known.value == value:
                return known
            count += 1
            wanted = f"{name}_{count}"

    def _parameter(self, profile: Profile) -> KeyParameter | None:
        key = profile.settings.key
        if isinstance(key.name, NotDocumented):
            return None
        required = key.required if isinstance(key.required, bool) else None
        if len(_carriers(key)) > 1:
            # OpenAPI can't say "one of these parameters", and whoever sends the key elsewhere leaves it out here.
            required = False
        return self._carried(profile, key.carrier, key.name, required, about_key(profile.settings, self.words))

    def _carried(
        self, profile: Profile, carrier: Carrier, name: str, required: bool | None, about: str
    ) -> KeyParameter:
        """The key under one name in one place; in a body, its component's value holds the member's schema."""
        key = profile.settings.key
        schema = _schema(key, profile.key_pattern)
        value: dict[str, Plain] = {"name": name, "in": carrier.value}
        if required is not None:
            value["required"] = required
        if carrier is Carrier.BODY:
            value["schema"] = {**schema, "description": about}
        else:
            value |= {"description": about, "schema": schema}
        suffix = "" if carrier is key.carrier and name == key.name else carrier.value.capitalize()
        component = self._component(Section.PARAMETERS, f"IdempotencyKey{suffix}", value)
        window = window_of(profile.settings, self.words)
        return KeyParameter(carrier.value, name, required, _longest(key), component, window)

    def _others(self, profile: Profile) -> Iterator[KeyParameter]:
        """The key's other carriers, and the time of the first attempt."""
        key = profile.settings.key
        for other in () if isinstance(key.also, NotDocumented) else key.also:
            if other.carrier in (Carrier.HEADER, Carrier.QUERY, Carrier.BODY):
                about = self.words.say("openapi.parameter.also", name=key.name if isinstance(key.name, str) else "")
                yield self._carried(profile, other.carrier, other.name, False, about)
        first = key.first_sent
        if isinstance(first, FirstSent) and first.carrier in (Carrier.HEADER, Carrier.QUERY):
            # RFC 9110, section 5.6.7: a date of HTTP is a text; JSON Schema has no format for it.
            value: dict[str, Plain] = {
                "name": first.name,
                "in": first.carrier.value,
                "description": self.words.say("openapi.parameter.first-sent"),
                "schema": {"type": "string"},
            }
            component = self._component(Section.PARAMETERS, "IdempotencyFirstSent", value)
            yield KeyParameter(first.carrier.value, first.name, None, None, component)

    def _answers(self, profile: Profile) -> tuple[Answer, ...]:
        carried = [outcome for outcome in profile.outcomes if outcome.name != "unsupported_key"]
        statuses = dict.fromkeys(status for outcome in carried for status in outcome.statuses)
        answers: list[Answer] = []
        for status in sorted(statuses):
            here = tuple(outcome for outcome in carried if status in outcome.statuses)
            headers: tuple[tuple[str, Component], ...] = ()
            if any(outcome.waits for outcome in here):
                headers = (("Retry-After", self._retry_after({o.retry_after_s for o in here if o.waits})),)
            value: dict[str, Plain] = {"description": about_answers(here, self.words)}
            if headers:
                value["headers"] = {name: {"$ref": component.ref} for name, component in headers}
            if body := content(profile.settings.errors, here, status, self.words):
                value["content"] = body
            parts = tuple(component for _, component in headers)
            component = self._component(Section.RESPONSES, f"Idempotency{status}", value, parts)
            codes = tuple(dict.fromkeys(o.known_code for o in here if o.known_code))
            address = next((o.status_url for o in here if o.status_url), "")
            answers.append(Answer(status, codes, component, headers, address))
        return tuple(answers)

    def _retry_after(self, seconds: set[int | None]) -> Component:
        """The header: delay seconds where the contract gives one number (RFC 9110, section 10.2.3), else a text."""
        known = seconds.pop() if len(seconds) == 1 else None
        name = "IdempotencyRetryAfter" + (f"{known}s" if known is not None else "")
        if known is None:
            value: dict[str, Plain] = {
                "description": self.words.say("openapi.retry-after.varies"),
                "schema": {"type": "string"},
            }
        else:
            text = self.words.say("openapi.retry-after.seconds", seconds=known)
            value = {"description": text, "schema": {"type": "integer", "minimum": 0}}
        return self._component(Section.HEADERS, name, value)

    def _indicator(self, profile: Profile) -> tuple[str, Component] | None:
        indicator = profile.settings.replay.indicator
        if (
            isinstance(indicator, NotDocumented)
            or indicator is None
            or indicator.carrier is not IndicatorCarrier.HEADER
        ):
            return None
        text = self.words.say("openapi.indicator.description", value=indicator.value)
        value: dict[str, Plain] = {"description": text, "schema": {"type": "string", "enum": [indicator.value]}}
        return indicator.name, self._component(Section.HEADERS, "IdempotencyReplayed", value)


def _schema(key: Key, pattern: str | None) -> dict[str, Plain]:
    """The key's schema. A quoted key's length and pattern are those of its content, which a schema can't tell apart."""
    schema: dict[str, Plain] = {"type": "string"}
    if isinstance(key.quoted, Quoted) and key.quoted is not Quoted.NO:
        return schema
    if _counts_characters(key) and isinstance(key.length, Length):
        schema["minLength"] = key.length.min
        schema["maxLength"] = key.length.max
    if pattern is not None:
        schema["pattern"] = pattern
    return schema


def _counts_characters(key: Key) -> bool:
    """Whether the length is one of characters: ASCII formats make bytes the same; a UUID's pattern has its length."""
    if not isinstance(key.length, Length) or (isinstance(key.format, KeyFormat) and key.format in _UUIDS):
        return False
    return key.length.unit is LengthUnit.CHARACTERS or not isinstance(key.format, Pattern | NotDocumented)


def _longest(key: Key) -> int | None:
    quoted = isinstance(key.quoted, Quoted) and key.quoted is not Quoted.NO
    return key.length.max if _counts_characters(key) and isinstance(key.length, Length) and not quoted else None


def _replayed(failures: StoredFailures) -> Callable[[int], bool]:
    """Whether a repeat gets a failure of that status again, as far as the contract tells it by status."""
    exceptions = () if isinstance(failures.statuses, NotDocumented) else failures.statuses
    server = (failures.server_error.before_effects, failures.server_error.after_effects)

    def replayed(status: int) -> bool:
        for exception, failure in exceptions:
            if overlap(exception, status):
                return failure is StoredFailure.REPLAY
        if status // 100 == 5:
            return StoredFailure.REPLAY in server
        if status in _BEFORE_EXECUTION:
            return failures.before_execution is StoredFailure.REPLAY
        return status // 100 == 4 and failures.business_rejection is StoredFailure.REPLAY

    return replayed
