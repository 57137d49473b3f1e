"""From a contract to its facts: the one constructor, total and pure. No default is invented here."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.contract.matching import best, matches
from idempact.contract.model.contract import Change, Contract, Note, Operation, Settings
from idempact.contract.model.key import RandomKind
from idempact.contract.model.operations import OperationKind, Safety
from idempact.contract.model.windows import RetryChain
from idempact.contract.published import kept_back
from idempact.contract.units import Documented, NotDocumented
from idempact.facts.codes import ErrorCode, error_codes
from idempact.facts.keys import key_template, named_key, pattern, random_key, ranking, template_example
from idempact.facts.loop import LoopFacts
from idempact.facts.loops import loop, speaks_http
from idempact.facts.messages import Message
from idempact.facts.outcomes import Outcome, outcomes
from idempact.facts.promises import UNKNOWN, afterwards, promise, window
from idempact.facts.schedule import Schedule, schedule
from idempact.facts.verdicts import Verdict, verdicts
from idempact.text.dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Profile:
    """The settings that some operations share, and what follows from them. ``number`` counts from 1; 1 is the base."""

    number: int
    settings: Settings
    operations: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    verdicts: tuple[Verdict, ...]
    schedule: Schedule
    sdk_schedule: Schedule | None
    promise: tuple[Message, ...]
    window: Message
    afterwards: Message
    longest_chain: RetryChain | None
    key_pattern: str | None
    random_key: RandomKind | None
    named_key: bool
    loop: LoopFacts

    @property
    def promises_nothing(self) -> bool:
        """Whether it is not documented at all what a repeat with the same key gets."""
        return self.promise[0].key == UNKNOWN

    def outcome(self, name: str) -> Outcome | None:
        """The answer to one outcome, where a client can get it."""
        return next((outcome for outcome in self.outcomes if outcome.name == name), None)


@dataclass(frozen=True, slots=True)
class OperationFacts:
    """One operation: its key in the contract, its safety, and how its key is made."""

    name: str
    operation: Operation
    profile: int | None
    key_template: str | None
    template_example: str | None
    ranking: tuple[str, ...]
    named_key: bool
    overrides: tuple[str, ...]

    @property
    def safety(self) -> Documented[Safety]:
        """Keyed, natural, unsafe or a read, where that is documented."""
        return self.operation.safety

    @property
    def keyed(self) -> bool:
        """Whether it takes a key."""
        return self.operation.safety is Safety.KEYED


@dataclass(frozen=True, slots=True)
class LoopGroup:
    """One loop with its schedule, and the operations (by key) that it serves.

    ``told`` says that the schedule is the contract's own: a provider's always is, and of an observer's only what is
    written, since all else is our advice.
    """

    loop: LoopFacts
    schedule: Schedule
    operations: tuple[str, ...]
    told: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that follows from a contract. Pages, snippets and OpenAPI objects are made from this alone."""

    contract: Contract
    profiles: tuple[Profile, ...]
    operations: tuple[OperationFacts, ...]
    codes: tuple[ErrorCode, ...]

    @classmethod
    def of(cls, contract: Contract) -> Facts:
        """The facts of *contract*."""
        profiles, by_operation = _profiles(contract)
        answering = [
            (str(op.key), op.settings.errors, outcomes(op.settings))
            for op in contract.operations
            if op.safety is Safety.KEYED
        ] or [("", contract.settings.errors, outcomes(contract.settings))]
        operations = tuple(_operation(op, by_operation.get(str(op.key))) for op in contract.operations)
        return cls(contract, profiles, operations, error_codes(answering))

    @property
    def loops(self) -> tuple[LoopGroup, ...]:
        """The loops of keyed calls that differ: one for each set of advice, with the operations that it serves."""
        groups = _loop_groups((profile.loop, profile.schedule, profile.operations) for profile in self.profiles)
        return tuple(replace(group, told=self.contract.tells_backoff(group.operations)) for group in groups)

    @property
    def natural_loops(self) -> tuple[LoopGroup, ...]:
        """The same for calls that are safe to repeat without a key."""
        natural = (op for op in self.contract.operations if op.safety is Safety.NATURAL)
        return _loop_groups((loop(self.contract, op), schedule(op.settings.retry), (str(op.key),)) for op in natural)

    @property
    def base(self) -> Profile:
        """The profile of the sections above the operations, or of the first keyed operation where all override them."""
        return self.profiles[0]

    @property
    def http(self) -> bool:
        """Whether the API speaks HTTP in any form; gRPC alone has statuses and metadata of its own."""
        return speaks_http(self.contract)

    @property
    def names_keys(self) -> bool:
        """Whether some operation accepts a key that is made from a name."""
        return any(profile.named_key for profile in self.profiles)

    @property
    def one_profile(self) -> bool:
        """Whether the same settings hold for every keyed operation, so that a page may speak of all of them."""
        return len(self.profiles) == 1

    @property
    def one_window(self) -> bool:
        """Whether every keyed operation keeps its keys for the same time."""
        return len({(p.window, p.settings.windows.counted_from) for p in self.profiles}) == 1

    @property
    def looks_up(self) -> bool:
        """Whether some keyed operation has a request that tells a lost answer's outcome."""
        return any(op.keyed and op.operation.lookup for op in self.operations)

    def told(self, operation: OperationFacts) -> str:
        """The word for how safe a repeat is: of a keyed operation nothing where nothing is documented."""
        if operation.profile and self.profiles[operation.profile - 1].promises_nothing:
            return "keyed-unknown"
        return str(operation.safety)

    def operation(self, name: str) -> OperationFacts | None:
        """The operation under its key in the contract."""
        return next((operation for operation in self.operations if operation.name == name), None)

    def match(
        self, method: str, path: str, operation_id: str | None = None, tags: tuple[str, ...] = ()
    ) -> tuple[OperationFacts, ...]:
        """The contract's operation for one of an OpenAPI file: one, several where keys tie, or none."""
        found = [op for op in self.operations if matches(op.operation.key, method, path, operation_id, tags)]
        if len(found) < 2:
            return tuple(found)
        winners = set(map(str, best(op.operation.key for op in found)))
        return tuple(op for op in found if op.name in winners)

    def changes(self) -> tuple[Change, ...]:
        """The contract's changes, newest first; those without a known date last."""
        shown = [c for c in self.contract.changes if self.contract.publish.provider or not kept_back(c.at)]
        dated = [c for c in shown if not isinstance(c.date, NotDocumented)]
        undated = tuple(c for c in shown if isinstance(c.date, NotDocumented))
        return (*sorted(dated, key=lambda c: str(c.date), reverse=True), *undated)

    def notes(self, *prefixes: str) -> tuple[Note, ...]:
        """The notes about a field, or about anything below it, without what the contract keeps back."""
        shown = (n for n in self.contract.notes if self.contract.publish.provider or not kept_back(n.at))
        return tuple(
            note for note in shown if any(note.at == p or note.at.startswith((p + ".", p + "[")) for p in prefixes)
        )


def _loop_groups(loops: Iterable[tuple[LoopFacts, Schedule, tuple[str, ...]]]) -> tuple[LoopGroup, ...]:
    groups: dict[LoopFacts, LoopGroup] = {}
    for facts, times, names in loops:
        known = groups.get(_anonymous(facts))
        operations = (*known.operations, *names) if known else names
        groups[_anonymous(facts)] = replace(known or LoopGroup(facts, times, ()), operations=operations)
    return tuple(groups.values())


def _anonymous(loop: LoopFacts) -> LoopFacts:
    """The loop without what only its example says: two operations with the same advice share one loop."""
    return replace(loop, method="", url="", key_example="", key_template=None)


def _shared(settings: Settings) -> Settings:
    """The settings without what is made for each operation: how its key is named doesn't make another profile."""
    derivation = replace(settings.key.derivation, event=None, request=None)
    return replace(settings, key=replace(settings.key, derivation=derivation))


def _profiles(contract: Contract) -> tuple[tuple[Profile, ...], dict[str, int]]:
    groups: dict[Settings, list[Operation]] = {}
    keyed = [op for op in contract.operations if op.safety is Safety.KEYED]
    base = _shared(contract.settings)
    if any(_shared(op.settings) == base for op in keyed) or not keyed:
        groups[base] = []
    for op in keyed:
        groups.setdefault(_shared(op.settings), []).append(op)
    profiles, by_operation = [], {}
    for number, (settings, members) in enumerate(groups.items(), 1):
        names = tuple(str(op.key) for op in members)
        by_operation.update(dict.fromkeys(names, number))
        profiles.append(_profile(contract, number, settings, members))
    return tuple(profiles), by_operation


def _profile(contract: Contract, number: int, settings: Settings, members: list[Operation]) -> Profile:
    # The loop of a profile calls one of its operations: one that is named by a path, if there is one.
    by_path = [op for op in members if op.key.kind is OperationKind.PATH and "*" not in op.key.name]
    example = next(iter(by_path or members), None)
    if example is None:
        from idempact.contract.model.operations import OperationKey

        example = Operation(key=OperationKey(OperationKind.PATH, "/", "POST"), safety=Safety.KEYED, settings=settings)
    sdk = contract.sdk
    return Profile(
        number=number,
        settings=settings,
        operations=tuple(str(op.key) for op in members),
        outcomes=outcomes(settings),
        verdicts=verdicts(settings),
        schedule=schedule(settings.retry),
        sdk_schedule=schedule(settings.retry, sdk.max_attempts) if sdk and sdk.max_attempts else None,
        promise=promise(settings),
        window=window(settings.windows.replay),
        afterwards=afterwards(settings),
        longest_chain=longest_chain(settings),
        key_pattern=pattern(settings.key),
        random_key=random_key(settings.key),
        named_key=named_key(settings.key),
        loop=loop(contract, example),
    )


def longest_chain(settings: Settings) -> RetryChain | None:
    """The way in which a retry can come latest; None where nothing is known of any."""
    chains = settings.windows.retry_chains
    return None if isinstance(chains, NotDocumented) else max(chains, key=lambda c: c.lasts.ms, default=None)


def _operation(op: Operation, profile: int | None) -> OperationFacts:
    keyed = op.safety is Safety.KEYED
    return OperationFacts(
        name=str(op.key),
        operation=op,
        profile=profile,
        key_template=key_template(op.settings.key) if keyed else None,
        template_example=template_example(op.settings.key) if keyed else None,
        ranking=ranking(op.settings.key) if keyed else (),
        named_key=keyed and named_key(op.settings.key),
        overrides=op.overrides,
    )
