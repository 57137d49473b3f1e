"""Located nodes into a contract: every finding at once, and a model whose unreadable parts count as not documented."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.allowing import allowances
from idempact.contract.misspelt import as_meant
from idempact.contract.model.answers import ANSWERS
from idempact.contract.model.contract import (
    LANGUAGE_VERSION,
    SECTIONS,
    Api,
    Contract,
    Head,
    Operation,
    Protocol,
    Settings,
    WrittenBy,
)
from idempact.contract.model.errors import ERRORS
from idempact.contract.model.key import FINGERPRINT, KEY, SCOPE, Carrier
from idempact.contract.model.operations import OWN_FIELDS, OperationKey, OwnFields
from idempact.contract.model.replay import REPLAY, STORED_FAILURES, StoredFailure
from idempact.contract.model.retry import RETRY
from idempact.contract.model.windows import WINDOWS
from idempact.contract.overrides import merge, read_override
from idempact.contract.records import Record, Spec, read_field, specs
from idempact.contract.shapes import (
    JSON_TEXT,
    UNDECIDED,
    UNKNOWN,
    Path,
    Reading,
    Unreadable,
    dotted,
    said,
    suggestion,
)
from idempact.contract.source import Source
from idempact.contract.units import Documented, NotDocumented
from idempact.resources.typed import Any
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Checked, in_order
from idempact.text.nodes import Entry, Mapping, Node, Plain, Scalar, Sequence, Style, Tree, plain, resolve, walk
from idempact.text.pattern import regex

_SHAPES = {
    "key": KEY,
    "scope": SCOPE,
    "fingerprint": FINGERPRINT,
    "windows": WINDOWS,
    "replay": REPLAY,
    "stored_failures": STORED_FAILURES,
    "answers": ANSWERS,
    "errors": ERRORS,
    "retry": RETRY,
}
_TAG = regex(r"(?:&[^\s,\[\]{}]+\s+)?(!\S*)")
_TAG_BEFORE = regex(r"(?<![^\s,\[{])(!(?:<[^\s>]*>|[^\s,\[\]{}]*))(?:\s+&[^\s,\[\]{}]+)?\s+\Z")
_COMMENT = regex(r"(?:\A|\s)#")
_NEAR = 300
"""How far before a collection its tag is looked for."""
_SAFETY: Spec = dict(specs(OwnFields))["safety"]
_OWN = {spec.key for _, spec in specs(OwnFields)}


@dataclass(frozen=True, slots=True)
class Read:
    """A contract and where its values stand."""

    contract: Contract
    source: Source


def read(tree: Tree) -> Checked[Read]:
    """The contract that the nodes hold, with everything that is wrong with its single fields.

    A field that can't be read counts as not documented, so that the rules between fields still run on the others.
    There is no value only where no contract can be made out at all. Rules: :mod:`idempact.contract.rules`.
    """
    reading = Reading(tree.document)
    root = _as_words(tree.root) if tree.json and tree.root is not None else tree.root
    if _half_characters(tree, reading):
        return Checked(None, in_order(reading.found))
    if not isinstance(root, Mapping):
        reading.tell(
            "not-a-contract",
            "a contract is a mapping that begins with `idempact: 1`",
            root,
            (),
            "start from the minimal contract: idempact new --minimal",
        )
        return Checked(None, tuple(reading.found))
    _tags(tree, reading)
    root = as_meant(root, reading)
    reading.observer = _observed(root)
    if _other_language(root, reading):
        return Checked(None, in_order(reading.found))
    try:
        head = Record(Head).read(root, (), reading)
    except Unreadable:
        return Checked(None, in_order(reading.found))
    settings = Settings(**{name: getattr(head, name) for name in SECTIONS})
    source = Source(tree.document, reading.places, reading.keys, allowances(tree), reading.unread)
    whole = _computed(settings, head.api, source, None)
    operations = tuple(
        # What holds for an operation that changes nothing is the same.
        replace(op, settings=_computed(op.settings, head.api, source, str(op.key)) if op.overrides else whole)
        for op in _operations(root, settings, reading)
    )
    contract = Contract(
        version=LANGUAGE_VERSION,
        written_by=WrittenBy.OBSERVER if reading.observer else WrittenBy.PROVIDER,
        api=head.api,
        settings=whole,
        operations=operations,
        unlisted_operations=head.unlisted_operations,
        sdk=head.sdk,
        server=head.server,
        publish=head.publish,
        changes=head.changes,
        notes=head.notes,
        extensions=tuple(
            sorted({dotted(path): value for path, value in reading.extensions}.items(), key=lambda e: e[0])
        ),
        backoff_written=frozenset(_backoff_written(operations, source)),
    )
    return Checked(Read(contract, source), in_order(reading.found))


def _backoff_written(operations: tuple[Operation, ...], source: Source) -> Iterator[str]:
    """The operations whose backoff was written, for them or above them; "" for the section above."""
    if source.given("retry", "backoff"):
        yield ""
    for name in (str(op.key) for op in operations):
        if source.given(*source.holds(name, "retry", "backoff")):
            yield name


def _computed(settings: Settings, api: Api, source: Source, operation: str | None) -> Settings:
    """The settings with the defaults that follow from other fields.

    There is no cautious retry where its failure is kept. In gRPC alone the key travels in metadata, and a replay has no
    headers of HTTP.
    """
    if set(api.protocols) == {Protocol.GRPC}:
        if not source.given(*source.holds(operation, "key", "in")):
            settings = replace(settings, key=replace(settings.key, carrier=Carrier.METADATA))
        if not source.given(*source.holds(operation, "replay", "headers")):
            settings = replace(settings, replay=replace(settings.replay, headers=_nothing(settings.replay.headers)))
    errors = settings.stored_failures.server_error
    kept = (StoredFailure.REPLAY, StoredFailure.REJECT)
    written = source.given(*source.holds(operation, "retry", "cautious", "retries"))
    if written or not (errors.before_effects in kept and errors.after_effects in kept):
        return settings
    cautious = replace(settings.retry.cautious, retries=0)
    return replace(settings, retry=replace(settings.retry, cautious=cautious))


def _nothing(headers: Documented[tuple[str, ...]]) -> Documented[tuple[str, ...]]:
    """No headers, where it is known which there are."""
    return headers if isinstance(headers, NotDocumented) else ()


def _observed(root: Mapping) -> bool:
    """Whether an observer writes. Of a word that is neither, we think so: a provider's duties would be told in vain."""
    node = root.get("written_by")
    return node is not None and said(node) != WrittenBy.PROVIDER


def _half_characters(tree: Tree, reading: Reading) -> bool:
    """Whether an escape stands for half a character (RFC 8259, section 8.2), which no output could hold."""
    for node in walk(tree.root) if "\\" in tree.document.text else ():
        if isinstance(node, Scalar) and re.search("[\ud800-\udfff]", node.value):
            reading.tell("half-character", "this escape stands for half a character", node, (), "write both halves")
    return bool(reading.found)


def _tags(tree: Tree, reading: Reading) -> None:
    """Tell every YAML tag, which would say of a value what we don't read (JSON has none)."""
    if tree.json or "!" not in tree.document.text:
        return
    for node in walk(tree.root):
        nodes: list[Node] = [node, *(entry.key for entry in node.entries)] if isinstance(node, Mapping) else [node]
        for one in nodes:
            tag = _tag(tree.document.text, one)
            if tag:
                place = Scalar(tag.start(1), tag.end(1), tag[1])
                reading.tell("tagged-value", f"the tag {tag[1]} isn't read", place, (), "remove it; quotes make a text")


def _tag(text: str, node: Node) -> re.Match[str] | None:
    """The tag of a node: where it begins, or in front of its bracket or first dash; none that a comment speaks of."""
    near = max(node.start - _NEAR, 0)
    found = _TAG.match(text, node.start) if text[node.start : node.start + 1] in ("!", "&") else None
    if found is None and isinstance(node, Sequence | Mapping) and "!" in text[near : node.start]:
        found = _TAG_BEFORE.search(text, near, node.start)
        line = text[text.rfind("\n", 0, found.start(1)) + 1 : found.start(1)] if found else ""
        return None if _COMMENT.search(line) else found
    return found


def _as_words(node: Node) -> Node:
    """The nodes of a JSON file, marked so that its strings can be words of the language."""
    match node:
        case Mapping():
            entries = tuple(Entry(entry.key, _as_words(entry.value)) for entry in node.entries)
            return Mapping(node.start, node.end, entries, node.flow)
        case Sequence():
            return Sequence(node.start, node.end, tuple(_as_words(item) for item in node.items), node.flow)
        case Scalar() if node.style is not Style.PLAIN:
            return Scalar(node.start, node.end, node.value, node.style, tag=JSON_TEXT)
        case _:
            return node


def _by_path(reading: Reading) -> tuple[tuple[str, Plain], ...]:
    values = {dotted(path): value for path, value in reading.extensions}
    return tuple((path, values[path]) for path in sorted(values))


def _other_language(root: Mapping, reading: Reading) -> bool:
    """Whether the contract is written in a version of the language that we can't read; that alone is then told."""
    version = root.get("idempact")
    text = said(version)
    if version is None or text == str(LANGUAGE_VERSION):
        return False
    newer = text is not None and re.fullmatch(r"[1-9][0-9]{0,5}", text) is not None and int(text) > LANGUAGE_VERSION
    reading.tell(
        "unknown-language-version",
        f"this tool reads version {LANGUAGE_VERSION} of the contract language"
        + (f"; this contract is written in version {text}" if newer else ""),
        version,
        ("idempact",),
        "update Idempact" if newer else f"write `idempact: {LANGUAGE_VERSION}`",
    )
    return True


def _operations(root: Mapping, base: Settings, reading: Reading) -> tuple[Operation, ...]:
    node = root.get("operations")
    if node is None or said(node) in (UNDECIDED, UNKNOWN):
        return ()
    target = resolve(node)
    if not isinstance(target, Mapping):
        reading.unread.add(("operations",))
        reading.tell(
            "wrong-type",
            "`operations` must be a mapping from an operation to its safety, as `POST /payments: keyed`",
            node,
            ("operations",),
            "write each as `POST /payments: keyed`, without a dash",
        )
        return ()
    if not target.entries:
        reading.tell(
            "missing-decision",
            "`operations` is empty: a retry is safe or not by operation",
            node,
            ("operations",),
            "name every state-changing operation, as `POST /payments: keyed`",
        )
    operations = []
    for entry in target.entries:
        try:
            operations.append(_operation(entry, root, base, reading))
        except Unreadable:
            continue
    return tuple(operations)


def _operation(entry: Entry, root: Mapping, base: Settings, reading: Reading) -> Operation:
    text = entry.key.value
    path: Path = ("operations", text)
    if text.startswith("x-"):
        reading.places[path] = (entry.value.start, entry.value.end)
        reading.extensions.append((path, plain(entry.value)))
        raise Unreadable
    try:
        key = OperationKey.parse(text)
    except ValueError as error:
        reading.unread.add(path)
        raise reading.refuse(
            "wrong-operation", f"{text!r} doesn't name an operation", entry.key, path, str(error)
        ) from None
    path = ("operations", str(key))
    reading.keys[path] = (entry.key.start, entry.key.end)
    reading.places[path] = (entry.value.start, entry.value.end)
    try:
        own, settings, overrides = _fields(entry.value, path, root, base, reading)
    except Unreadable:
        reading.unread.add(path)
        raise
    return Operation(
        key=key,
        safety=own.safety,
        settings=settings,
        because=own.because,
        instead=own.instead,
        repeat_status=own.repeat_status,
        lookup=own.lookup,
        external_effects=own.external_effects,
        overrides=overrides,
    )


def _fields(
    node: Node, path: Path, root: Mapping, base: Settings, reading: Reading
) -> tuple[OwnFields, Settings, tuple[str, ...]]:
    target = resolve(node)
    if not isinstance(target, Mapping):
        reading.places[(*path, "safety")] = (node.start, node.end)
        value = read_field(_SAFETY, node, (*path, "safety"), reading)
        return OwnFields(safety=value), base, ()
    own_entries = tuple(e for e in target.entries if e.key.value in _OWN or e.key.value.startswith("x-"))
    own = OWN_FIELDS.read(Mapping(target.start, target.end, own_entries, target.flow), path, reading)
    settings, overrides = base, []
    for entry in target.entries:
        name = entry.key.value
        if name in _SHAPES:
            overrides.append(name)
            reading.keys[(*path, name)] = (entry.key.start, entry.key.end)
            reading.places[(*path, name)] = (entry.value.start, entry.value.end)
            settings = _with(settings, name, read_override(entry.value, (*path, name), root, reading))
        elif name not in _OWN and not name.startswith("x-"):
            hint = suggestion(name, (*_OWN, *_SHAPES)) or f"known keys: {', '.join(sorted((*_OWN, *_SHAPES)))}"
            reading.tell(
                "unknown-key", f"`{dotted((*path, name))}` isn't part of the contract language", entry.key, path, hint
            )
    return own, settings, tuple(overrides)


def _with(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, **{name: value})


__all__ = ["Read", "merge", "read"]
