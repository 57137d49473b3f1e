"""Copies of shared objects for one contract's operations, so that their other users stay as they are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from urllib.parse import quote

from idempact.openapi.addresses import joined
from idempact.openapi.locate import REMOTE, Target
from idempact.openapi.plan import Component, Section
from idempact.openapi.woven import Woven
from idempact.text.nodes import Plain, plain

Grow = Callable[[dict[str, Plain]], dict[str, Plain]]


def fresh_name(target: Target, suffix: str) -> str:
    """A component name for a copy of *target*: its own name, or its file's, with *suffix*."""
    last = target.path[-1] if target.path else posixpath.splitext(posixpath.basename(target.file.name))[0]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", last) + suffix


def copy_of(
    woven: Woven, target: Target, section: Section, name: str, grow: Grow, parts: tuple[Component, ...] = ()
) -> Component | None:
    """The component of the root document that is *target*'s value as *grow* changes it; one for equal values.

    None where the value was not read whole, or is ours: what it refers to would go with it.
    """
    if target.file is woven.api.former:
        return None
    try:
        value = plain(target.node)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    copied = rebased(value, target.file.name)
    assert isinstance(copied, dict)
    return woven.copy(section, name, grow(copied), parts)


def rebased(value: Plain, origin: str) -> Plain:
    """The value with the references of the file *origin* as the root document would write them."""
    if isinstance(value, dict):
        ref = value.get("$ref")
        if isinstance(ref, str) and origin and not REMOTE.match(ref):
            name, _, fragment = ref.partition("#")
            file = joined(origin, name) if name else origin
            return {**value, "$ref": quote(file) + ("#" + fragment if fragment else "")}
        return {key: rebased(item, origin) for key, item in value.items()}
    return [rebased(item, origin) for item in value] if isinstance(value, list) else value
