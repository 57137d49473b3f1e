"""The key as a file declares it already: where, and what differs from the contract."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Ordered

from idempact.openapi.accepted import fixed, otherwise
from idempact.openapi.described import difference
from idempact.openapi.locate import Api, File, Operation
from idempact.openapi.parameter_lists import folded
from idempact.openapi.plan import KeyParameter
from idempact.openapi.pointers import Path
from idempact.resources.typed import NamedTuple
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Plain, Scalar, Sequence, Style, plain_scalar, resolve

# Names in use for the same key: Idempotency-Key is the most common one by far; Idempotence-Key is YooKassa's,
# Idempotent-Key is seen in Chinese APIs.
FAMILY = ("Idempotency-Key", "Idempotence-Key", "Idempotent-Key")
_OTHERWISE = "change the file or the contract, whichever is wrong"


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """A parameter that declares the key, and its place: of the component, where the operation refers to one. ``use`` is
    what tells it in the list of parameters, at the place ``item`` of the file ``user``: its name or the reference.
    ``own`` says whether that list is the operation's and not its path's.
    """

    parameter: Mapping
    file: File
    path: Path
    carrier: str
    name: str
    use: Node
    user: File
    item: Path
    own: bool = False

    @property
    def identity(self) -> tuple[str, int]:
        """What tells the parameter from every other one: its file and where it begins there."""
        return self.file.name, self.parameter.start

    @property
    def several(self) -> bool:
        """Whether it stands where others may use it, too: behind a reference, or at a path."""
        return self.referred or not self.own

    @property
    def referred(self) -> bool:
        """Whether the list of parameters holds a reference to it."""
        return self.path != self.item or self.file is not self.user

    def counts(self, own: set[tuple[str, str]]) -> bool:
        """Whether it is in force beside the operation's *own* by name and place, of which it may be one: those override
        what the path declares (OpenAPI, Operation Object, `parameters`).
        """
        if self.own:
            own.add((self.carrier, self.name))
            return True
        return (self.carrier, self.name) not in own

    def called(self, wanted: KeyParameter | None) -> bool:
        """Whether it is a component under the name that the key's has."""
        return wanted is not None and not self.file.name and self.path == wanted.component.path

    def fits(self, wanted: KeyParameter) -> bool:
        """Whether it has the contract's name (RFC 9110, section 5.1: header names in any case) and carrier."""
        same = self.name.lower() == wanted.name.lower() if self.carrier == "header" else self.name == wanted.name
        return self.carrier == wanted.carrier and same


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What a declaration says otherwise than the contract in its ``member``; ``remedy`` is the path below it and the
    value that would bring it into line, where one value does.
    """

    finding: Diagnostic
    member: str
    remedy: tuple[Path, Plain] | None = None

    @property
    def left(self) -> Diagnostic:
        """The finding of a difference that was to be written away and stays."""
        return self.finding if self.remedy is None else replace(self.finding, hint=_OTHERWISE)


_KNOWN = frozenset(map(folded, FAMILY))


def declarations(api: Api, operation: Operation, wanted: KeyParameter | None) -> Iterator[Declaration]:
    """The parameters of an operation, or of its path where it doesn't override them, that are the key, under the
    contract's name or a known other one.
    """
    names = _KNOWN | ({folded(wanted.name)} if wanted is not None else set())
    own: set[tuple[str, str]] = set()
    for listed in _listed(operation):
        for index, item in enumerate(listed.items):
            # Most say at once that they are something else.
            name = item.get("name") if isinstance(item, Mapping) and item.get("$ref") is None else None
            if not isinstance(name, Scalar) or folded(name.value) in names:
                found = declaration_at(api, listed.file, (*listed.path, str(index)), resolve(item), listed.own)
                if found is not None and (folded(found.name) in names or found.called(wanted)) and found.counts(own):
                    yield found


def parameters(api: Api, operation: Operation) -> Iterator[Declaration]:
    """Every parameter of an operation, then every one of its path that it doesn't override; those that can't be read
    are left out.
    """
    own: set[tuple[str, str]] = set()
    for listed in _listed(operation):
        for index, item in enumerate(listed.items):
            found = declaration_at(api, listed.file, (*listed.path, str(index)), resolve(item), listed.own)
            if found is not None and found.counts(own):
                yield found


def elsewhere(api: Api, operation: Operation) -> tuple[File, Node] | None:
    """A parameter of an operation or its path that is a reference to what can't be read, and so may be the key."""
    for listed in _listed(operation):
        for item in map(resolve, listed.items):
            ref = item.get("$ref") if isinstance(item, Mapping) else None
            if ref is not None and api.follow(listed.file, item) is None:
                return listed.file, ref
    return None


class _Listed(NamedTuple):
    """A list of parameters, and its place."""

    file: File
    path: Path
    items: tuple[Node, ...]
    own: bool


def _listed(operation: Operation) -> Iterator[_Listed]:
    item = operation.item
    for file, base, holder in ((operation.file, operation.path, operation.node), (item.file, item.path, item.node)):
        listed = holder.get("parameters")
        listed = resolve(listed) if listed is not None else None
        if isinstance(listed, Sequence):
            yield _Listed(file, (*base, "parameters"), listed.items, holder is operation.node)


def component_with(api: Api, wanted: KeyParameter) -> str | None:
    """The name of a parameter component of the root document that declares the key as the contract does, in whatever
    words it describes it.
    """
    section = api.main.at(("components", "parameters"))
    for entry in section.entries if isinstance(section, Mapping) else ():
        found = declaration_at(api, api.main, ("components", "parameters", entry.key.value), entry.value)
        if found is None or not found.fits(wanted):
            continue
        if all(one.member in ("description", "example") for one in differences(api, found, wanted, "")):
            return entry.key.value
    return None


def declaration_at(api: Api, file: File, path: Path, item: Node, own: bool = False) -> Declaration | None:
    """The parameter that *item* of a list, at *path*, is or refers to; none where it can't be read."""
    target = api.follow(file, item)
    if target is None or not isinstance(target.node, Mapping):
        return None
    name, carrier = target.node.get("name"), target.node.get("in")
    if not isinstance(name, Scalar) or not isinstance(carrier, Scalar):
        return None
    place = path if target.path is None else target.path
    use = name if target.path is None else item.get("$ref") if isinstance(item, Mapping) else None
    return Declaration(target.node, target.file, place, carrier.value, name.value, use or item, file, path, own)


def differences(api: Api, found: Declaration, wanted: KeyParameter, subject: str) -> Iterator[Difference]:
    """What the declaration says otherwise than the contract, at the place where it does."""
    place = found.parameter.get("name") or found.parameter
    # What is declared in another place or under another name is not the contract's key: nothing is written there.
    fits = found.fits(wanted)

    def differs(
        member: str, node: Node, message: str, remedy: tuple[Path, Plain] | None = None, file: File | None = None
    ) -> Difference:
        hint = _OTHERWISE
        if remedy is not None and fits:
            hint += "; --adopt writes the contract's value"
            hint += ", where all that use this parameter are to have it" if found.several else ""
        span = (file or found.file).document.span(node.start, min(node.end, node.start + 60))
        return Difference(
            Diagnostic("openapi/different-declaration", Severity.WARNING, message, span, subject=subject, hint=hint),
            member,
            remedy if fits else None,
        )

    if found.carrier != wanted.carrier:
        message = f"the key is declared in: {found.carrier}, and the contract carries it in: {wanted.carrier}"
        yield differs("in", found.parameter.get("in") or place, message)
    elif not fits:
        yield differs("name", place, f"the key is declared as {found.name}, and the contract calls it {wanted.name}")
    required = found.parameter.get("required")
    stated = isinstance(required, Scalar) and plain_scalar(required) is True
    if wanted.required is not None and stated != wanted.required:
        word = {True: "required", False: "optional"}
        message = f"the key is declared {word[stated]}, and {word[wanted.required]} by the contract"
        yield differs("required", required or place, message, (("required",), wanted.required))
    text = found.parameter.get("description")
    if not text and wanted.description:
        message = "the key is declared without a description"
        yield differs("description", place, message, (("description",), wanted.description))
    elif isinstance(text, Scalar) and wanted.window is not None:
        told = difference(text.value, wanted.window)
        if told is not None:
            # A text over several lines would have to be written anew as one.
            blocks = (Style.LITERAL, Style.FOLDED)
            remedy = (("description",), told[1]) if text.style not in blocks else None
            yield differs("description", text, told[0], remedy)
    at, holder = schema_of(found.parameter)
    own = holder.get(at[-1])
    target = api.follow(found.file, own)
    schema = target.node if target is not None and isinstance(target.node, Mapping) else None
    # A schema that others may refer to is not the key's own: nothing is written there.
    inline = target is not None and target.path is None
    bounds = wanted.component.value.get("schema")
    for one in otherwise(schema, bounds) if schema is not None and isinstance(bounds, dict) else ():
        below = ((*at, one.remedy[0]), one.remedy[1]) if one.remedy is not None and inline else None
        if one.node is not None or inline:
            where = target.file if target is not None and one.node is not None else found.file
            yield differs("schema", one.node or own or place, one.message, below, where)
    holders = (found.parameter, *((holder,) if holder is not found.parameter else ()))
    for name, node in fixed(*holders, *((schema,) if schema is not None and inline else ())):
        message = f"the key has a fixed {name}, which those who read it send as it is: all of them the same key"
        span = found.file.document.span(node.start, min(node.end, node.start + 60))
        hint = "take it out, and describe how a key is made"
        yield Difference(
            Diagnostic("openapi/fixed-key", Severity.WARNING, message, span, subject=subject, hint=hint), "example"
        )


def schema_of(parameter: Mapping) -> tuple[Path, Mapping]:
    """Where a parameter's schema is, from the parameter, and what holds it: itself, or its media type where that is
    plain text. Another media type's describes what the key's text stands for (Parameter Object, `content`).
    """
    content = parameter.get("content")
    entries = content.entries if isinstance(content, Mapping) else ()
    if len(entries) == 1 and parameter.get("schema") is None:
        name, media = entries[0].key.value, entries[0].value
        if name.partition(";")[0].strip().lower() == "text/plain" and isinstance(media, Mapping):
            return ("content", name, "schema"), media
    return ("schema",), parameter


def doubled(found: Ordered[Declaration], wanted: KeyParameter, subject: str) -> Iterator[Diagnostic]:
    """A finding for each declaration of the contract's key beside its first one in the same operation."""
    fitting = [one for one in found if one.fits(wanted)]
    for one in fitting[1:]:
        message = f"the key is declared twice, as {fitting[0].name} and as {one.name}"
        message += ": the names of headers are one in any case" if one.carrier == "header" else ""
        span = one.user.document.span(one.use.start, one.use.end)
        hint = "drop one of them"
        yield Diagnostic("openapi/different-declaration", Severity.WARNING, message, span, subject=subject, hint=hint)
