"""What the tool owns in an API's files, as written into the root document: pointers with a digest of each value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from collections.abc import Mapping as Lookup
from functools import lru_cache

from idempact.openapi.plan import EXTENSION
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Entry, Mapping, Plain, plain

TOOL = "idempact"
OWNER = "generated_by"


@dataclass(frozen=True, slots=True)
class Replaced:
    """A scalar that was replaced: its text in the file before, and the digest of the value that stands there now; of a
    reference, what tells the component that it led to, see :func:`idempact.openapi.whereabouts.led_to`.
    """

    was: str
    now: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What is ours in one file.

    ``inserted`` gives the digest under each pointer, ``created`` the containers that had not been there, ``replaced``
    the scalars that stood there with another value. ``within`` says of each parameter of somebody else's that some of
    these stand in, by its pointer, which one it is: an index in a list tells nothing once others stand before it.
    """

    inserted: dict[str, str] = field(default_factory=dict)
    created: tuple[str, ...] = ()
    replaced: dict[str, Replaced] = field(default_factory=dict)
    within: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.inserted or self.replaced)

    def moved(self, place: Callable[[str], str | None]) -> Share:
        """The same with what *place* makes of each pointer; what it has no other one for is left out."""
        return Share(
            {new: value for at, value in self.inserted.items() if (new := place(at)) is not None},
            tuple(new for at in self.created if (new := place(at)) is not None),
            {new: value for at, value in self.replaced.items() if (new := place(at)) is not None},
            {new: value for at, value in self.within.items() if (new := place(at)) is not None},
        )


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


def is_digest(text: str) -> bool:
    """Whether a text has the form of a digest."""
    return text.startswith(_ALGORITHM)


_ALGORITHM = "sha256:"


@lru_cache(maxsize=4096)
def _digest_of(text: str) -> str:
    return _ALGORITHM + hashlib.sha256(text.encode()).hexdigest()[:16]


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
        value["replaced"] = {at: _replaced(one) for at, one in sorted(share.replaced.items())}
    if share.within:
        value["within"] = dict[str, Plain](sorted(share.within.items()))
    return value


def _replaced(one: Replaced) -> dict[str, Plain]:
    return {"was": one.was, "now": one.now, **({"to": one.to} if one.to else {})}


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
    created, replaced = fields.get("created"), fields.get("replaced")
    return Share(
        _texts(fields.get("inserted")),
        tuple(c for c in created if isinstance(c, str) and c.startswith("/")) if isinstance(created, list) else (),
        {k: one for k, v in replaced.items() if k.startswith("/") and (one := _read_replaced(v)) is not None}
        if isinstance(replaced, dict)
        else {},
        _texts(fields.get("within")),
    )


def _texts(value: Plain) -> dict[str, str]:
    """The texts by pointer."""
    items = value.items() if isinstance(value, dict) else ()
    return {at: text for at, text in items if at.startswith("/") and isinstance(text, str)}


def _read_replaced(value: Plain) -> Replaced | None:
    fields = value if isinstance(value, dict) else {}
    was, now, to = fields.get("was"), fields.get("now"), fields.get("to", "")
    return (
        Replaced(was, now, to if isinstance(to, str) else "") if isinstance(was, str) and isinstance(now, str) else None
    )
