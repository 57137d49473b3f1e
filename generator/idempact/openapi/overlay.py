"""The additions as an OpenAPI Overlay 1.1 document, for one input and no other.

Source: https://spec.openapis.org/overlay/v1.1.0.html. An update merges objects and appends to lists; what it targets is
named by a normalised path (RFC 9535, section 2.7).
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote

from idempact.openapi import record
from idempact.openapi.keeping import keep_for
from idempact.openapi.locate import Api, Opener, keep_all, read
from idempact.openapi.plan import EXTENSION, Plan, Wishes
from idempact.openapi.pointers import Path
from idempact.openapi.takes import Unread
from idempact.openapi.wants import Gathered
from idempact.openapi.weave import weave
from idempact.openapi.woven import Woven
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order
from idempact.text.nodes import Mapping, Plain, Sequence
from idempact.text.span import Document

_STAMP = "made_for"


@dataclass(frozen=True, slots=True)
class Overlay:
    """An Overlay document as plain data."""

    value: dict[str, Plain]


def stamp(data: bytes) -> str:
    """What names an input: SHA-256 of its bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def stamped(overlay: Plain) -> str | None:
    """The stamp of the input that an overlay was made for; none where it has none of ours."""
    extension = overlay.get(EXTENSION) if isinstance(overlay, dict) else None
    found = extension.get(_STAMP) if isinstance(extension, dict) else None
    return found if isinstance(found, str) else None


def overlay(
    document: Document, data: bytes, plan: Plan, wishes: Wishes, opener: Opener | None = None
) -> Checked[Overlay]:
    """What :func:`idempact.openapi.inject.inject` would add to *document*, whose bytes are *data*, as an overlay.

    References are followed to see what is there already. An overlay reaches the root document alone, so what belongs
    into another file is told and left out.
    """
    wanted = keep_for(document.text, plan, wishes, followed=opener is not None)
    try:
        return _overlay(document, data, plan, wishes, read(document, opener, wanted))
    except Unread:
        return _overlay(document, data, plan, wishes, read(document, opener, keep_all))


def _overlay(document: Document, data: bytes, plan: Plan, wishes: Wishes, found: Checked[Api]) -> Checked[Overlay]:
    if found.value is None:
        return Checked(None, found.diagnostics)
    api = found.value
    owned = record.read(api.main.root)
    if owned is not None:
        return Checked(None, (_injected(document, owned),))
    woven = weave(api, plan, wishes, {})
    gathered = woven.gathering("").result
    if gathered:
        woven.add_root(dict(plan.extension))
    diagnostics = (*found.diagnostics, *plan.diagnostics, *woven.diagnostics, *_others(woven))
    if any(d.severity is Severity.ERROR for d in diagnostics):
        return Checked(None, in_order(diagnostics))
    actions = [_action(target, update) for target, update in _updates(gathered).items()]
    value: dict[str, Plain] = {
        "overlay": "1.1.0",
        "info": {"title": "Idempotency keys and retries, from the contract", "version": "1"},
        "extends": quote(document.path.replace("\\", "/").rpartition("/")[2]),
        EXTENSION: {_STAMP: stamp(data)},
        "actions": list(actions),
    }
    return Checked(Overlay(value), in_order(diagnostics))


def _injected(document: Document, owned: record.Record) -> Diagnostic:
    key = owned.entry.key
    return Diagnostic(
        "openapi/injected-input",
        Severity.ERROR,
        "the contract has been injected into this file, so there is nothing for an overlay to add",
        document.span(key.start, key.end),
        hint="make the overlay for the file as it was (`idempact eject` gives it back), or go on with `inject`",
    )


def _others(woven: Woven) -> list[Diagnostic]:
    return [
        Diagnostic(
            "openapi/unreached-file",
            Severity.WARNING,
            f"{name} should get something, too, and an overlay of the root document does not reach it",
            None,
            subject=name,
            hint="bundle the API into one file first, or use `inject`",
        )
        for name in woven.touched
        if name
    ]


def _updates(gathered: Gathered) -> dict[Path, dict[str, Plain]]:
    """The updates by target, each target before those inside it."""
    made: dict[Path, dict[str, Plain]] = {}
    for addition in gathered.additions.values():
        target = _target(addition.container)
        rest = addition.container[len(target) :]
        update = made.setdefault(target, {})
        if isinstance(addition.node, Sequence):
            holder = _inner(update, rest[:-1])
            items = holder.setdefault(rest[-1], [])
            assert isinstance(items, list)
            items += [value for _, value in addition.members]
        else:
            assert isinstance(addition.node, Mapping)
            holder = _inner(update, rest)
            holder |= {key: value for key, value in addition.members if key is not None}
    for at, replacement in gathered.replacements.items():
        path = tuple(part.replace("~1", "/").replace("~0", "~") for part in at.split("/")[1:])
        target = _target(path[:-1])
        _inner(made.setdefault(target, {}), path[len(target) : -1])[path[-1]] = replacement.value
    return dict(sorted(made.items()))


def _target(path: Path) -> Path:
    """The parameter or else the operation that a path leads into; else the root."""
    if path[:1] == ("paths",):
        for index in range(3, len(path)):
            if path[index - 1] == "parameters" and path[index].isdigit():
                return path[: index + 1]
    if path[:1] == ("paths",) and len(path) > 2:
        return path[:4] if path[2] == "additionalOperations" else path[:3]
    return ()


def _inner(update: dict[str, Plain], path: Path) -> dict[str, Plain]:
    for key in path:
        inner = update.setdefault(key, {})
        assert isinstance(inner, dict)
        update = inner
    return update


def _action(target: Path, update: dict[str, Plain]) -> Plain:
    steps = "".join(_step(part) for part in target)
    return {"target": f"${steps}", "update": update}


def _step(part: str) -> str:
    if part.isdigit():
        return f"[{part}]"
    return "['" + "".join(_escaped(c) for c in part) + "']"


def _escaped(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    return f"\\u{ord(character):04x}" if ord(character) < 32 else character
