"""The additions for an API's files, gathered, with everything that there is to say about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Lookup
from itertools import islice

from idempact.openapi.growth import Growth, growth
from idempact.openapi.locate import Api, File, Target
from idempact.openapi.names import Names, same
from idempact.openapi.outdated import changes
from idempact.openapi.plan import Answer, Component, KeyParameter, Section, Wishes
from idempact.openapi.pointers import Path, pointer
from idempact.openapi.takes import schema_at
from idempact.openapi.users import Identity, User
from idempact.openapi.wants import Gathering, Want
from idempact.text.dataclass import dataclass, field, replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Entry, Mapping, Node, Plain


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A place that something is wanted at: the file, the path in it, and the operation that findings call it by."""

    file: File
    path: Path
    subject: str

    def below(self, *keys: str) -> Spot:
        """The place below this one."""
        return Spot(self.file, (*self.path, *keys), self.subject)


@dataclass(slots=True, eq=False)
class Told:
    """A response that others may use, too, and that stays as it is: where the first operation refers to it, under which
    status, what is not added to it, and how many operations do so. ``copied``: copies are wished, and this can be none.
    """

    spot: Spot
    node: Node
    status: str
    what: str
    operations: int = 1
    copied: bool = False

    def finding(self) -> Diagnostic:
        """One finding, however many operations refer to the response."""
        many = self.operations > 1
        message = (
            f"the response {self.status}{f' of {self.operations} operations' if many else ''} is defined elsewhere, "
        )
        message += (
            f"for others to use as well, so {self.what} {'are' if ' and ' in self.what else 'is'} not added to it"
        )
        own = "these operations responses of their own" if many else "this operation a response of its own"
        return _finding(
            "shared-response",
            Severity.WARNING,
            self.spot,
            self.node,
            message,
            ("" if self.copied else "run with --copy-shared, ") + f"give {own}, or add it to the shared one",
        )


@dataclass(slots=True, eq=False)
class Woven:
    """Collects what is wanted in the files of *api*. Nodes at the pointers *kept* are ours and edited, and stay.

    ``users`` are those of each declared parameter, where declarations are to be brought into line; ``overridden`` are
    the operations that have a copy of their own beside their path's, by file and place.
    """

    api: Api
    wishes: Wishes
    kept: Lookup[str, frozenset[str]]
    users: Lookup[Identity, list[User]] = field(default_factory=dict)
    notes: list[Diagnostic] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    overridden: set[tuple[str, Path]] = field(default_factory=set)
    names: Names = field(init=False)
    _gatherings: dict[str, Gathering] = field(default_factory=dict)
    _copies: dict[str, Component] = field(default_factory=dict)
    _referring: dict[tuple[int, str], tuple[Component, Plain]] = field(default_factory=dict)
    _values: dict[str, Plain] = field(default_factory=dict)
    _declaring: dict[str, str | None] = field(default_factory=dict)
    _told: dict[tuple[str, ...], Told | None] = field(default_factory=dict)
    _growths: dict[tuple[Mapping, str], Growth] = field(default_factory=dict)
    _differences: set[Diagnostic] = field(default_factory=set)
    _outdated: dict[bool, list[tuple[Spot, Node]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._gatherings[""] = Gathering(self.api.main)
        self.names = Names(self.api, self._gatherings[""], self.kept.get("", frozenset()))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found."""
        shared = (told.finding() for told in self._told.values() if told is not None)
        return (*self.notes, *shared, *self.names.diagnostics, *self._alike(), *self._stale())

    @property
    def alike(self) -> bool:
        """Whether something that is wanted is there already, in words of before perhaps, without a record that it is
        ours.
        """
        return bool(self.names.alike or self._outdated)

    def _stale(self) -> Iterator[Diagnostic]:
        """One finding for all extensions in our form that say otherwise, and one for those that no wish can mend."""
        for adoptable, places in self._outdated.items():
            spot, node = places[0]
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            many = "they stay as they are" if more else "it stays as it is"
            message = f"{pointer(spot.path)}{more}: not in this file's record, and not what the contract says; {many}"
            hint = "remove it and run again to get the contract's"
            hint = f"run with --adopt to bring it into line, or {hint}" if adoptable else hint
            yield _finding("unrecorded", Severity.WARNING, spot, node, message, hint)

    def _alike(self) -> Iterator[Diagnostic]:
        """One finding for all that is there already with the very content that is wanted."""
        for (name, path), node in islice(self.names.alike.items(), 1):
            file = self.api.file(name)
            assert file is not None
            others = len(self.names.alike) - 1
            beside = f" and {others} more are" if others else " is"
            message = f"{pointer(path)}{beside} there already with the wanted content, and not in this file's record"
            hint = "nothing needs to be done: it is used as it is, and `eject` leaves it"
            yield _finding("already-there", Severity.NOTE, Spot(file, path, pointer(path)), node, message, hint)

    def holds(self, target: Target | None, component: Component) -> bool:
        """Whether a reference that somebody wrote leads to *component*, as it was put in or with that very content."""
        if target is None or target.path is None:
            return False
        if target.file is self.api.former and target.path == self.names.place(component):
            # It is put in again for this one, even where nothing else refers to it.
            return self.names.ref(component, self.api.main) is not None
        return same(target.node, component.value)

    @property
    def counted(self) -> tuple[tuple[str, int], ...]:
        """How many state-changing operations are of which safety."""
        return tuple(sorted(self.counts.items()))

    @property
    def touched(self) -> tuple[str, ...]:
        """The files that something is put into."""
        return tuple(name for name, gathering in self._gatherings.items() if gathering.result)

    def gathering(self, name: str) -> Gathering:
        """What is gathered for the file of that name."""
        if name not in self._gatherings:
            file = self.api.file(name)
            assert file is not None, "only files that are there are edited"
            self._gatherings[name] = Gathering(file)
        return self._gatherings[name]

    def keeps(self, spot: Spot) -> bool:
        """Whether something of ours stands there that somebody edited."""
        kept = self.kept.get(spot.file.name)
        return bool(kept) and pointer(spot.path) in self.kept[spot.file.name]

    def wanted(self, spot: Spot) -> bool:
        """Whether the very place is taken up already."""
        return pointer(spot.path) in self.gathering(spot.file.name).result.owned

    def take(self, spot: Spot, value: Plain, before: tuple[str, ...] = (), component: Component | None = None) -> bool:
        """Take a want up, or say why not; with *component*, it becomes a reference to that."""
        gathering = self.gathering(spot.file.name)
        place = gathering.place(spot.path, spot.subject)
        if isinstance(place, Diagnostic):
            self.notes.append(place)
            return False
        if component is not None:
            # A component is added with its first reference, so only where that is not refused.
            value = self._reference(component, spot.file)
            if value is None:
                return False
        gathering.take(Want(spot.path, value, before), spot.subject, place)
        return True

    def take_components(self, spot: Spot, components: tuple[tuple[str, Component], ...]) -> None:
        """Take references to components up, under keys that the mapping at *spot* lacks, or say why not."""
        gathering = self.gathering(spot.file.name)
        holder = gathering.lacking(spot.path, spot.subject)
        values = [(key, self._reference(one, spot.file)) for key, one in components] if holder is not None else []
        if holder is not None and all(value is not None for _, value in values):
            gathering.take_members(spot.path, holder, values)
            return
        for key, component in components:
            self.take(spot.below(key), None, (), component)

    def _reference(self, component: Component, origin: File) -> Plain:
        """The Reference Object for a component, one for each origin; none where the component can't be added."""
        known = self._referring.get((id(component), origin.name))
        if known is None:
            ref = self.names.ref(component, origin)
            # Kept with its component, so that no other one takes over the identity.
            known = self._referring[id(component), origin.name] = (
                component,
                ref and self._values.setdefault(ref, {"$ref": ref}),
            )
        return known[1]

    def declaring(self, parameter: KeyParameter, search: Callable[[], str | None]) -> str | None:
        """The name of the component that declares a parameter, searched for once."""
        wanted = parameter.component.ref
        if wanted not in self._declaring:
            self._declaring[wanted] = search()
        return self._declaring[wanted]

    def growth(self, file: File, response: Mapping, answer: Answer) -> Growth:
        """What a response of *file* lacks to tell the codes of *answer*. Raises Unread, see `takes.schema_at`."""
        known = self._growths.get((response, answer.component.ref))
        if known is None:
            known = growth(response, answer, lambda schema: schema_at(self.api, file, schema))
            self._growths[response, answer.component.ref] = known
        return known

    def differs(self, finding: Diagnostic) -> None:
        """Note what a declaration says otherwise: once, under the first operation that refers to it."""
        nameless = replace(finding, subject="")
        if nameless not in self._differences:
            self._differences.add(nameless)
            self.notes.append(finding)

    def put(self, spot: Spot, value: Plain) -> bool:
        """Give a scalar that is there another value, or say why not; one of ours that somebody edited stays."""
        if self.keeps(spot):
            return False
        refused = self.gathering(spot.file.name).replace(spot.path, value, spot.subject)
        if refused is not None:
            self.notes.append(refused)
        return refused is None

    def copy(self, section: Section, name: str, value: dict[str, Plain], parts: tuple[Component, ...]) -> Component:
        """A component with that value: one for equal values, under a name that no other copy has."""
        wanted, count = name, 1
        while True:
            component = Component(section, wanted, value, parts)
            known = self._copies.setdefault(component.ref, component)
            if known.value == value:
                return known
            count += 1
            wanted = f"{name}_{count}"

    def add_root(self, value: dict[str, Plain]) -> None:
        """Put the root extension in, under a name that is free."""
        main = self.api.main
        name = self.names.extension(main, (), main.root, frozenset(), "the root")
        assert isinstance(name, str), "no value is compared at the root"
        self.take(Spot(main, (name,), "the root"), value)

    def extension(self, spot: Spot, holder: Mapping, value: Plain) -> None:
        """Put an extension into *holder* at *spot*, under a name that is free."""
        kept = self.kept.get(spot.file.name, frozenset())
        found = self.names.extension(spot.file, spot.path, holder, kept, spot.subject, value)
        if isinstance(found, Entry):
            self._adopt(spot.below(found.key.value), found, value)
        elif found is not None and not self.keeps(spot.below(found)):
            self.take(spot.below(found), value)

    def _adopt(self, spot: Spot, there: Entry, value: Plain) -> None:
        """Bring an extension that says otherwise into line where that is wished and can be done, or note it."""
        needed = changes(there.value, value)
        if needed is None or not self.wishes.adopt:
            self._outdated.setdefault(needed is not None, []).append((spot, there.key))
            return
        for path, item, instead in needed:
            if instead:
                self.put(spot.below(*path), item)
            else:
                self.take(spot.below(*path), item)

    def say(self, rule: str, severity: Severity, spot: Spot, node: Node, message: str, hint: str = "") -> None:
        """Make a finding about *node*."""
        self.notes.append(_finding(rule, severity, spot, node, message, hint))

    def tell(self, case: tuple[str, ...], told: Callable[[], Told | None]) -> bool:
        """Whether there is something to be told of a shared response; once for all operations with the same *case*."""
        if case not in self._told:
            self._told[case] = told()
        elif (known := self._told[case]) is not None:
            known.operations += 1
        return self._told[case] is not None


def _finding(rule: str, severity: Severity, spot: Spot, node: Node, message: str, hint: str) -> Diagnostic:
    span = spot.file.document.span(node.start, min(node.end, node.start + 60))
    return Diagnostic(f"openapi/{rule}", severity, message, span, subject=spot.subject, hint=hint)
