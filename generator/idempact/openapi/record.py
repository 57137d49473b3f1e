"""What the tool owns in an API's files, as written into the root document: pointers with a digest of each value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping as Lookup
from functools import lru_cache

from idempact.openapi.plan import EXTENSION
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Entry, Mapping, Plain, plain

TOOL = "idempact"
OWNER = "generated_by"


@dataclass(frozen=True, slots=True)
class Replaced:
    """A scalar that was replaced: its text in the file before, and the digest of the value that stands there now."""

    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Share:
    """What is ours in one file.

    ``inserted`` gives the digest under each pointer, ``created`` the containers that had not been there, ``replaced``
    the scalars that stood there with another value.
    """

    inserted: dict[str, str] = field(default_factory=dict)
    created: tuple[str, ...] = ()
    replaced: dict[str, Replaced] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.inserted or self.replaced)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The ownership record: the root entry that holds it, and the share of each file by its name.

    ``intact`` is false where somebody edited the entry.
    """

    entry: Entry
    shares: dict[str, Share]
    intact: bool


def digest(value: Plain) -> str:
    """A short fingerprint of a value: SHA-256 over its JSON with sorted keys, the first 64 bits."""
    return _digest_of(_ENCODER.encode(value))


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=4096)
def _digest_of(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:16]


def written(facts: dict[str, Plain], shares: Lookup[str, Share]) -> dict[str, Plain]:
    """The root extension: the contract's facts and the record, which ends with a digest of the whole."""
    owner: dict[str, Plain] = {"tool": TOOL, **_share(shares.get("", Share()))}
    others: dict[str, Plain] = {name: _share(share) for name, share in sorted(shares.items()) if name and share}
    if others:
        owner["files"] = others
    value: dict[str, Plain] = {**facts, OWNER: owner}
    owner["digest"] = digest(value)
    return value


def _share(share: Share) -> dict[str, Plain]:
    value: dict[str, Plain] = {"inserted": dict(sorted(share.inserted.items()))}
    if share.created:
        value["created"] = list[Plain](sorted(share.created))
    if share.replaced:
        value["replaced"] = {at: {"was": one.was, "now": one.now} for at, one in sorted(share.replaced.items())}
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
        owner = value.get(OWNER) if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(owner, dict) or owner.get("tool") != TOOL:
            continue
        claimed = owner.pop("digest", None)
        files = owner.get("files")
        shares = {"": _read_share(owner)}
        shares |= {name: _read_share(share) for name, share in files.items()} if isinstance(files, dict) else {}
        return Record(entry, shares, claimed == digest(value))
    return None


def _read_share(value: Plain) -> Share:
    """The share as far as it can be understood: what somebody made of it by hand may be anything."""
    fields = value if isinstance(value, dict) else {}
    inserted, created, replaced = fields.get("inserted"), fields.get("created"), fields.get("replaced")
    return Share(
        {k: v for k, v in inserted.items() if k.startswith("/") and isinstance(v, str)}
        if isinstance(inserted, dict)
        else {},
        tuple(c for c in created if isinstance(c, str) and c.startswith("/")) if isinstance(created, list) else (),
        {k: one for k, v in replaced.items() if k.startswith("/") and (one := _read_replaced(v)) is not None}
        if isinstance(replaced, dict)
        else {},
    )


def _read_replaced(value: Plain) -> Replaced | None:
    was, now = (value.get("was"), value.get("now")) if isinstance(value, dict) else (None, None)
    return Replaced(was, now) if isinstance(was, str) and isinstance(now, str) else None
