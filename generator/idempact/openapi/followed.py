"""What a node stands for, where it matters that not all of the root document was read."""

from __future__ import annotations

from idempact.openapi.locate import Api, File, Target, keep_all
from idempact.openapi.takes import Unread
from idempact.text.nodes import Node, Skipped


def followed(api: Api, file: File, node: Node | None) -> Target | None:
    """What *node* of *file* stands for, see :meth:`Api.follow`.

    Raises Unread where that leads to nothing and not all of the root document was read.
    """
    target = api.follow(file, node)
    lost = node is not None and (target is None or isinstance(target.node, Skipped))
    if lost and api.main.wanted is not None and api.main.wanted is not keep_all:
        raise Unread
    return target
