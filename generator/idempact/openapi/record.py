"""What the tool owns in a file, as written into the file itself: pointers with a digest of each value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from collections.abc import Mapping as Lookup
from dataclasses import dataclass

from idempact.openapi.plan import EXTENSION
from idempact.text.nodes import Entry, Mapping, Plain, plain

TOOL = "idempact"
_OWNER = "generated_by"


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The ownership record of a file: the root entry that holds it, and what it says.

    ``inserted`` gives the digest under each pointer, ``created`` the containers that had not been there. ``intact`` is
    false where somebody edited the entry.
    """

    entry: Entry
    inserted: dict[str, str]
    created: tuple[str, ...]
    intact: bool


def digest(value: Plain) -> str:
    """A short fingerprint of a value: SHA-256 over its JSON with sorted keys, the first 64 bits."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:16]


def written(facts: dict[str, Plain], inserted: Lookup[str, str], created: Iterable[str]) -> dict[str, Plain]:
    """The root extension: the contract's facts and the record, which ends with a digest of the whole."""
    owner: dict[str, Plain] = {"tool": TOOL, "inserted": dict(inserted)}
    if containers := list(created):
        owner["created"] = list(containers)
    value: dict[str, Plain] = {**facts, _OWNER: owner}
    owner["digest"] = digest(value)
    return value


def read(root: Mapping) -> Record | None:
    """The record of a file, if the tool has written one there."""
    for entry in root.entries:
        if not entry.key.value.startswith(EXTENSION):
            continue
        try:
            value = plain(entry.value)
        except ValueError:
            continue
        owner = value.get(_OWNER) if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(owner, dict) or owner.get("tool") != TOOL:
            continue
        claimed = owner.pop("digest", None)
        inserted, created = owner.get("inserted"), owner.get("created")
        return Record(
            entry,
            {k: v for k, v in inserted.items() if k.startswith("/") and isinstance(v, str)}
            if isinstance(inserted, dict)
            else {},
            tuple(c for c in created if isinstance(c, str) and c.startswith("/")) if isinstance(created, list) else (),
            claimed == digest(value),
        )
    return None
