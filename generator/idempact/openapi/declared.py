"""The key as a file declares it already: where, and what differs from the contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idempact.openapi.locate import Api, Operation
from idempact.openapi.plan import KeyParameter
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, plain_scalar, resolve

# Spellings in use for the same header, without "x-" and case: Idempotency-Key is the most common one by far;
# Idempotence-Key is YooKassa's, Idempotent-Key is seen in Chinese APIs.
_KNOWN = frozenset(("idempotency-key", "idempotence-key", "idempotent-key"))


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """A parameter that declares the key."""

    parameter: Mapping
    carrier: str
    name: str

    def fits(self, wanted: KeyParameter) -> bool:
        """Whether it has the contract's name (RFC 9110, section 5.1: header names in any case) and carrier."""
        return self.carrier == wanted.carrier and self.name.lower() == wanted.name.lower()


def folded(name: str) -> str:
    """A parameter name without what its spelling may differ in: case, `_` for `-`, a leading `x-`."""
    return name.lower().replace("_", "-").removeprefix("x-")


def declarations(api: Api, operation: Operation, wanted: KeyParameter) -> Iterator[Declaration]:
    """The parameters of an operation or its path that are the key, under the contract's name or a known other one."""
    names = _KNOWN | {folded(wanted.name)}
    for item in _listed(operation):
        found = _declaration(api, item)
        if found is not None and folded(found.name) in names:
            yield found


def elsewhere(api: Api, operation: Operation) -> Node | None:
    """A parameter of an operation or its path that is a reference out of this file, and so may be the key."""
    for item in _listed(operation):
        ref = item.get("$ref") if isinstance(item, Mapping) else None
        if ref is not None and api.local(item)[0] is None:
            return ref
    return None


def _listed(operation: Operation) -> Iterator[Node]:
    for holder in (operation.node, operation.path_item):
        listed = holder.get("parameters")
        listed = resolve(listed) if listed is not None else None
        yield from map(resolve, listed.items if isinstance(listed, Sequence) else ())


def component_with(api: Api, wanted: KeyParameter) -> str | None:
    """The name of a parameter component that is there and declares the contract's key in its carrier."""
    section = api.at(("components", "parameters"))
    for entry in section.entries if isinstance(section, Mapping) else ():
        found = _declaration(api, entry.value)
        if found is not None and found.fits(wanted):
            return entry.key.value
    return None


def _declaration(api: Api, item: Node) -> Declaration | None:
    node, _ = api.local(item)
    if not isinstance(node, Mapping):
        return None
    name, carrier = node.get("name"), node.get("in")
    if not isinstance(name, Scalar) or not isinstance(carrier, Scalar):
        return None
    return Declaration(node, carrier.value, name.value)


def differences(api: Api, found: Declaration, wanted: KeyParameter, subject: str) -> Iterator[Diagnostic]:
    """What the declaration says otherwise than the contract, at the place where it does."""
    place = found.parameter.get("name") or found.parameter
    if found.carrier != wanted.carrier:
        at = found.parameter.get("in") or place
        yield _differs(
            api,
            at,
            subject,
            f"the key is declared in: {found.carrier}, and the contract carries it in: {wanted.carrier}",
        )
    elif found.name.lower() != wanted.name.lower():
        yield _differs(
            api, place, subject, f"the key is declared as {found.name}, and the contract calls it {wanted.name}"
        )
    required = found.parameter.get("required")
    stated = isinstance(required, Scalar) and plain_scalar(required) is True
    if wanted.required is not None and stated != wanted.required:
        word = {True: "required", False: "optional"}
        yield _differs(
            api,
            required or place,
            subject,
            f"the key is declared {word[stated]}, and {word[wanted.required]} by the contract",
        )
    schema, _ = api.local(found.parameter.get("schema"))
    length = schema.get("maxLength") if isinstance(schema, Mapping) else None
    longest = plain_scalar(length) if isinstance(length, Scalar) else None
    if length is not None and wanted.longest is not None and longest != wanted.longest:
        yield _differs(api, length, subject, f"maxLength is {longest}, and {wanted.longest} by the contract")


def _differs(api: Api, node: Node, subject: str, message: str) -> Diagnostic:
    return Diagnostic(
        "openapi/different-declaration",
        Severity.WARNING,
        message,
        api.tree.document.span(node.start, min(node.end, node.start + 60)),
        subject=subject,
        hint="change the file or the contract, whichever is wrong; a declaration that is there is not edited",
    )
