"""An extension that has the form of ours, stands in no record and says otherwise than the contract: what would bring it
into line, value by value, so that the way back is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi.pointers import Path
from idempact.openapi.wants import APPEND
from idempact.text.nodes import Alias, Mapping, Node, Plain, Scalar, Sequence, Style, plain_scalar, resolve

# The member that tells an operation's extension, and the one that tells a response's.
_TELLING = ("safety", "codes")

Change = tuple[Path, Plain, bool]
"""A value by its path below the extension, and whether it takes the place of another one."""


def formed(node: Node, value: Plain) -> bool:
    """Whether *node* has the form of the extension that *value* is one of, whatever it says."""
    node = resolve(node)
    if not isinstance(node, Mapping) or not isinstance(value, dict):
        return False
    return any(name in value and node.get(name) is not None for name in _TELLING)


def changes(node: Node, value: Plain) -> tuple[Change, ...] | None:
    """What makes *node* say *value*; none where something would have to go, or an edit would show elsewhere."""
    try:
        return tuple(_changes(node, value))
    except _Beyond:
        return None


class _Beyond(Exception):
    """More than values would have to be written."""


def _changes(node: Node, value: Plain) -> Iterator[Change]:
    if isinstance(node, Alias) or node.anchor:
        raise _Beyond
    if isinstance(node, Mapping) and isinstance(value, dict):
        if any(entry.key.value not in value for entry in node.entries):
            raise _Beyond
        for name, item in value.items():
            there = node.get(name)
            if there is None:
                yield (name,), item, False
            else:
                yield from (((name, *path), new, instead) for path, new, instead in _changes(there, item))
    elif isinstance(node, Sequence) and isinstance(value, list):
        # Nothing names an item of a list in an overlay, so what is there has to be right.
        if len(node.items) > len(value) or any(tuple(_changes(*pair)) for pair in zip(node.items, value, strict=False)):
            raise _Beyond
        yield from (((APPEND,), item, False) for item in value[len(node.items) :])
    elif isinstance(node, Scalar) and not isinstance(value, dict | list):
        if plain_scalar(node) != value:
            if node.start == node.end or node.style in (Style.LITERAL, Style.FOLDED):
                raise _Beyond
            yield (), value, True
    else:
        raise _Beyond
