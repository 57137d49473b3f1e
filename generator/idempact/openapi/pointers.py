"""JSON Pointers (RFC 6901) over located nodes: the names under which inserted nodes are remembered."""

from __future__ import annotations

from functools import lru_cache

from idempact.text.nodes import Mapping, Node, Scalar, Sequence, plain_scalar

Path = tuple[str, ...]


def pointer(path: Path) -> str:
    """The JSON Pointer of *path* (RFC 6901, section 3)."""
    return "".join(map(_token, path))


@lru_cache(maxsize=4096)
def _token(part: str) -> str:
    return "/" + part.replace("~", "~0").replace("/", "~1")


@lru_cache(maxsize=16384)
def path_of(text: str) -> Path:
    """The keys that a JSON Pointer names; inverts :func:`pointer`."""
    parts = text.split("/")[1:]
    return tuple([part.replace("~1", "/").replace("~0", "~") for part in parts] if "~" in text else parts)


_MANY = 16


@lru_cache(maxsize=8)
def _members(node: Mapping) -> dict[str, Node]:
    """The members of a large mapping by key, the first one where a key stands twice."""
    return {entry.key.value: entry.value for entry in reversed(node.entries)}


def child(node: Node | None, key: str) -> Node | None:
    """The value under *key* of a mapping or at index *key* of a sequence; an alias is not entered."""
    if isinstance(node, Mapping):
        return node.get(key) if len(node.entries) < _MANY else _members(node).get(key)
    if isinstance(node, Sequence) and key.isascii() and key.isdigit() and int(key) < len(node.items):
        return node.items[int(key)]
    return None


def is_null(node: Node) -> bool:
    """Whether nothing stands there, or the word for it."""
    return isinstance(node, Scalar) and plain_scalar(node) is None


def find(root: Node | None, path: Path) -> Node | None:
    """The node at *path* below *root*, if it is there; an alias is not entered."""
    node = root
    for key in path:
        node = child(node, key)
        if node is None:
            return None
    return node
