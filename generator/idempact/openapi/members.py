"""A key that a file's author declares as a member of the body, where the contract carries it elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from idempact.openapi.declared import FAMILY
from idempact.openapi.locate import Api, File, Operation
from idempact.openapi.parameter_lists import folded
from idempact.openapi.plan import KeyParameter, OperationPlan
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, Skipped, resolve

# Media types whose members a schema describes.
WITH_MEMBERS = ("json", "x-www-form-urlencoded", "form-data")
# Keywords whose schemas describe the same value (JSON Schema 2020-12, Core, section 10.2.1).
_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_DEPTH = 12

# What stands behind the name of a member; the keys of a Parameter Object tell that it is none.
_MEMBER = re.compile(r"[\"']?[ \t]*:(?!\s*\{?\s*[\"']?(?:name|in)[\"']?\s*:)")
_ELSEWHERE = re.compile(r"\$ref[\"']?\s*:\s*[\"']?[^#\"'\s]")


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A member of an operation's body that has the key's name, and its place."""

    name: str
    file: File
    key: Scalar


def mentions(text: str) -> bool:
    """Whether a document speaks of idempotency at all: as the names in common use do, and what we write into one."""
    return "dempoten" in text or "DEMPOTEN" in text


def may_hold(text: str, names: Iterable[str], *, followed: bool, mentioned: bool | None = None) -> bool:
    """Whether some body of the document *text* may have a member of one of the *names* or of those in common use.

    Only then are its bodies read. *mentioned* is what :func:`mentions` says, where that is known. With
    *followed*, a schema may stand in another file, so that its text tells nothing.
    """
    family = {folded(name) for name in FAMILY}
    known = [name for name in names if folded(name) not in family]
    known += FAMILY if (mentions(text) if mentioned is None else mentioned) else ()
    spelled = {way for name in known for way in _spellings(name)}
    return any(_named(text, way) for way in spelled) or (followed and _ELSEWHERE.search(text) is not None)


def _spellings(name: str) -> Iterator[str]:
    """The ways to write a name as a member: as it is, in snake, kebab, camel and Pascal case, and in one word."""
    words = [word.lower() for word in re.split(r"[-_]", re.sub(r"^[xX][-_]", "", name)) if word]
    pascal = "".join(word.capitalize() for word in words)
    yield from (name, "_".join(words), "-".join(words), "".join(words), pascal, pascal[:1].lower() + pascal[1:])
    yield from ("_".join(words).upper(), "-".join(word.capitalize() for word in words))


def _named(text: str, name: str) -> bool:
    at = text.find(name) if name else -1
    while at >= 0:
        if _MEMBER.match(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False


def members(api: Api, operation: Operation, wanted: OperationPlan) -> Iterator[Member]:
    """The members at the top of the operation's body that are the key, under the contract's name or one in common use,
    where the contract carries it in a parameter and not in that member as well.

    Nothing where the bodies were not read.
    """
    parameter = wanted.parameter
    if parameter is None or parameter.carrier not in ("header", "query"):
        return
    body = operation.node.get("requestBody")
    if body is None or isinstance(body, Skipped):
        return
    names = {folded(name) for name in (*FAMILY, parameter.name)}
    names -= {folded(other.name) for other in wanted.others if other.carrier == "body"}
    target = api.follow(operation.file, body)
    content = _in(target.node, "content") if target is not None else None
    seen: set[tuple[str, int]] = set()
    for entry in content.entries if isinstance(content, Mapping) else ():
        schema = _in(entry.value, "schema")
        if target is not None and schema is not None and any(word in entry.key.value for word in WITH_MEMBERS):
            yield from _members(api, target.file, schema, names, seen)


def _in(node: Node, key: str) -> Node | None:
    node = resolve(node)
    return node.get(key) if isinstance(node, Mapping) else None


def _members(
    api: Api, file: File, schema: Node, names: set[str], seen: set[tuple[str, int]], depth: int = 0
) -> Iterator[Member]:
    target = api.follow(file, schema)
    node = target.node if target is not None else None
    if target is None or not isinstance(node, Mapping) or depth > _DEPTH or (target.file.name, node.start) in seen:
        return
    seen.add((target.file.name, node.start))
    properties = node.get("properties")
    properties = resolve(properties) if properties is not None else None
    for entry in properties.entries if isinstance(properties, Mapping) else ():
        if folded(entry.key.value) in names:
            yield Member(entry.key.value, target.file, entry.key)
    for keyword in _SAME_VALUE:
        parts = node.get(keyword)
        parts = resolve(parts) if parts is not None else None
        for part in parts.items if isinstance(parts, Sequence) else ():
            yield from _members(api, target.file, part, names, seen, depth + 1)


def contradiction(member: Member, wanted: KeyParameter, subject: str) -> Diagnostic:
    """The finding that the key is declared in the body, and not where the contract carries it."""
    return Diagnostic(
        "openapi/different-declaration",
        Severity.WARNING,
        f"the key is declared in: body, as {member.name}, and the contract carries it in: {wanted.carrier}",
        member.file.document.span(member.key.start, member.key.end),
        subject=subject,
        hint="change the file or the contract, whichever is wrong",
    )
